// Answers, line by line, what the pinned pi makes of a session: its entries, path, projection and cut.
// Started as `node oracle.mjs <folder of pi's package>`; each request is a line of JSON, so is each answer.
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const core = (name) => import(pathToFileURL(join(process.argv[2], "dist", "core", name)).href);
const { buildSessionProjection, SessionManager } = await core("session-manager.js");
const { compact, prepareCompaction, estimateTokens } = await core("compaction/compaction.js");
const { SettingsManager } = await core("settings-manager.js");
const { ProjectTrustStore } = await core("trust-manager.js");
const { resolveProjectTrusted } = await core("project-trust.js");
const home = mkdtempSync(join(tmpdir(), "longhaul-parity-"));
process.on("exit", () => rmSync(home, { recursive: true, force: true }));

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value) => (typeof value === "string" ? value : "");

// Ids that are no strings, and those that pi makes up for version 1, get the names that Longhaul gives them.
/** Arguments that are no object hold no path for pi. */
function objectOrEmpty(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

function idNames(manager, version) {
	const made = new Map(manager.fileEntries.map((entry, index) => [entry.id, `v1.${index}`]));
	return (id) => {
		if (typeof id === "string") return version < 2 ? (made.get(id) ?? (id && "unknown")) : id;
		return id ? `\0${id}` : "";
	};
}

function block(value) {
	if (value.type === "text") return ["text", value.text || ""];
	if (value.type === "thinking") return ["thinking", value.thinking || ""];
	if (value.type === "image") return ["image", text(value.mimeType)];
	if (value.type === "toolCall" && isObject(value.arguments))
		return ["call", text(value.id), value.name, value.arguments];
	return ["opaque", text(value.type)];
}

const content = (value) => (typeof value === "string" ? value : value.map(block));

const fields = {
	system: (m) => [content(m.content), m.sections ?? {}, m.toolsAdded ?? null, (m.toolsRemoved ?? []).map((t) => t.name)],
	user: (m) => [content(m.content)],
	assistant: (m) => [content(m.content), text(m.provider), text(m.model), text(m.stopReason)],
	toolResult: (m) => [
		text(m.toolCallId), text(m.toolName), content(m.content), Boolean(m.isError),
		(m.nestedCalls?.calls ?? []).map((call) => [text(call.name), objectOrEmpty(call.arguments)]),
	],
	bashExecution: (m) => [m.command, m.output],
	custom: (m) => [text(m.customType), content(m.content)],
	branchSummary: (m) => [m.summary],
	compactionSummary: (m) => [m.summary],
};
const message = (value) => [text(value.role), ...(Object.hasOwn(fields, value.role) ? fields[value.role](value) : [])];

function preparation(path, settings, name) {
	const made = prepareCompaction(path, settings);
	if (made === undefined) return null;
	return {
		firstKept: name(made.firstKeptEntryId),
		history: made.messagesToSummarize.map(message),
		prefix: made.turnPrefixMessages.map(message),
		isSplitTurn: made.isSplitTurn,
		tokensBefore: made.tokensBefore,
		previousSummary: made.previousSummary ?? null,
		fileOps: { read: [...made.fileOps.read], written: [...made.fileOps.written], edited: [...made.fileOps.edited] },
	};
}

function attempt(action) {
	try {
		return action();
	} catch (error) {
		return { error: String(error) };
	}
}

function session({ file, keep, leaf, roots }) {
	const copy = join(home, "session.jsonl");
	rmSync(copy, { force: true });
	copyFileSync(file, copy);
	const manager = SessionManager.open(copy);
	const header = JSON.parse(readFileSync(file, "utf8").split("\n").find((line) => attempt(() => JSON.parse(line)?.type) === "session") ?? "{}");
	const name = idNames(manager, header.version ?? 1);
	const path = leaf === null ? manager.getBranch() : manager.getBranch(leaf);
	return {
		id: manager.getSessionId(),
		entries: manager.getEntries().map((entry) => [name(entry.id), name(entry.parentId)]),
		leaf: name(manager.getLeafId()),
		path: path.map((entry) => name(entry.id)),
		roots: !roots ? null : manager.getTree().map((node) => name(node.entry.id)),
		projection: attempt(() =>
			buildSessionProjection(path).entries.map((one) => [name(one.sourceEntry.id), one.messages.map(message)])),
		tokens: attempt(() =>
			buildSessionProjection(path).entries.map((one) => one.messages.map((each) => estimateTokens(each)))),
		cuts: keep.map((keepRecentTokens) =>
			attempt(() => preparation(path, { enabled: true, reserveTokens: 0, keepRecentTokens }, name))),
	};
}

const reply = {
	content: [{ type: "text", text: "summary" }],
	stopReason: "stop",
	usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } },
};

/** What pi's own compaction sends to a model: of each request the texts of its messages. */
async function requests({ file, keep, leaf, instructions }) {
	const copy = join(home, "session.jsonl");
	rmSync(copy, { force: true });
	copyFileSync(file, copy);
	const manager = SessionManager.open(copy);
	const path = leaf === null ? manager.getBranch() : manager.getBranch(leaf);
	const made = prepareCompaction(path, { enabled: true, reserveTokens: 0, keepRecentTokens: keep });
	if (made === undefined) return null;
	const sent = [];
	const stream = (_model, context) => {
		sent.push(context.messages.map((m) => (typeof m.content === "string" ? m.content : m.content.map((b) => b.text).join(""))));
		return { result: async () => reply };
	};
	await compact(made, {}, undefined, undefined, instructions, undefined, undefined, stream);
	return { firstKept: made.firstKeptEntryId, sent };
}

async function settings({ cwd, agentDir, model, trusted }) {
	const manager = SettingsManager.create(cwd, agentDir, { projectTrusted: trusted });
	const value = manager.getCompactionSettings(model);
	return { ...value, enabled: Boolean(value.enabled), errors: manager.errors.map((error) => error.scope) };
}

async function trust({ cwd, agentDir }) {
	const globals = SettingsManager.create(cwd, agentDir, { projectTrusted: false });
	return await resolveProjectTrusted({
		cwd,
		trustStore: new ProjectTrustStore(agentDir),
		defaultProjectTrust: globals.getDefaultProjectTrust(),
		projectTrustContext: { hasUI: false },
	});
}

const answers = {
	session, requests, settings, trust,
	stringify: ({ values }) => values.map((value) => JSON.stringify(value).length),
	version: () => JSON.parse(readFileSync(join(process.argv[2], "package.json"), "utf8")).version,
};
for await (const line of createInterface({ input: process.stdin })) {
	const request = JSON.parse(line);
	let answer;
	try {
		answer = { answer: await answers[request.ask](request) };
	} catch (error) {
		answer = { error: String(error?.message ?? error) };
	}
	process.stdout.write(`${JSON.stringify(answer)}\n`);
}
