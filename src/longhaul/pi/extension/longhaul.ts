// Longhaul extension for pi. `longhaul install pi` writes this file, `uninstall pi` removes it.
//
// It starts Longhaul's server when it is first needed, passes each compaction on to it, checks the
// answer and keeps the deadline. Whatever goes wrong, pi compacts without it and one line says why.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import type { Socket } from "node:net";
import { homedir } from "node:os";
import { join, resolve, sep } from "node:path";
import type { Usage } from "@earendil-works/pi-ai";
import type {
	ExtensionAPI,
	ExtensionContext,
	SessionBeforeCompactEvent,
	SessionEntry,
} from "@earendil-works/pi-coding-agent";

// Written by install.
const INSTALLED = {"version": "0.0.0", "server": ["python3"], "madeFolders": 0};

const PROTOCOL = 1;
const DEADLINE_MS = Number(process.env.LONGHAUL_DEADLINE_MS) || 20_000;
const MAX_LINE_CHARS = 4_000_000;
const MAX_SUMMARY_CHARS = 400_000;
const MAX_REASON_CHARS = 240;
const MAX_NOTICE_CHARS = 320;
/** The server cannot read the session file as this pi sees it: send the entries. */
const SESSION_UNREADABLE = -32010;

type Json = Record<string, unknown>;
type Line = { text: string; type: "info" | "warning" };
/** A session as pi has it in memory, from its root to the leaf. */
type Session = { ctx: ExtensionContext; path: SessionEntry[] };
type Ask = (params: Json) => Promise<Json>;
type Pending = { resolve: (result: Json) => void; reject: (error: Error) => void };

/** An answer with an error in it; the server goes on. */
class Refusal extends Error {
	readonly code: unknown;

	constructor(message: string, code: unknown) {
		super(message);
		this.code = code;
	}
}

/** The Python process; started at need, and again after a crash. */
class Server {
	private child?: ChildProcessWithoutNullStreams;
	private readonly pending = new Map<number, Pending>();
	/** Requests the user aborted that the server has not answered yet. */
	private readonly abandoned = new Set<number>();
	private lastId = 0;
	private unread: string[] = [];
	private nUnreadChars = 0;
	private complaint = "";

	/** Returns the result of one request, or throws why there is none. */
	async ask(method: string, params: Json, signal?: AbortSignal): Promise<Json> {
		if (this.abandoned.size > 0) this.stop("it was still busy with an aborted request");
		let timer: NodeJS.Timeout | undefined;
		const late = new Promise<never>((_, reject) => {
			timer = setTimeout(() => {
				const error = new Error(`no answer within ${DEADLINE_MS / 1000} s`);
				reject(error);
				this.stop(error.message);
			}, DEADLINE_MS);
		});
		try {
			return await Promise.race([this.greetAndSend(method, params, signal), late]);
		} finally {
			clearTimeout(timer);
		}
	}

	/** Ends the process at once, and every request with it. */
	stop(reason: string): void {
		const child = this.child;
		this.forget(reason);
		child?.kill("SIGKILL");
	}

	private async greetAndSend(method: string, params: Json, signal?: AbortSignal): Promise<Json> {
		if (!this.child) this.start();
		const { version } = INSTALLED;
		const hello = await this.send("hello", { protocol: PROTOCOL, version }, signal);
		if (hello.protocol !== PROTOCOL) {
			const isNewer = Number(hello.protocol) > PROTOCOL;
			const mend = isNewer ? "run `longhaul install pi`" : "upgrade pi-longhaul";
			const halves = `extension ${version} does not fit longhaul ${hello.version}`;
			const reason = `${halves} (${mend})`;
			this.stop(reason);
			throw new Error(reason);
		}
		return this.send(method, params, signal);
	}

	private send(method: string, params: Json, signal?: AbortSignal): Promise<Json> {
		const id = ++this.lastId;
		return new Promise((resolve, reject) => {
			if (signal?.aborted) return reject(new Error("aborted"));
			this.pending.set(id, { resolve, reject });
			signal?.addEventListener("abort", () => this.cancel(id), { once: true });
			this.write({ jsonrpc: "2.0", id, method, params });
		});
	}

	private cancel(id: number): void {
		const request = this.pending.get(id);
		if (!request) return;
		this.pending.delete(id);
		this.abandoned.add(id);
		this.write({ jsonrpc: "2.0", method: "cancel", params: { id } });
		request.reject(new Error("aborted"));
	}

	private write(message: Json): void {
		this.child?.stdin.write(`${JSON.stringify(message)}\n`);
	}

	private start(): void {
		const env = Object.entries(process.env).filter(([name]) => !name.startsWith("PYTHON"));
		const child = spawn(INSTALLED.server[0], INSTALLED.server.slice(1), {
			cwd: "/",
			env: { ...Object.fromEntries(env), PI_CODING_AGENT_DIR: agentDir() },
			stdio: "pipe",
		});
		this.child = child;
		this.unread = [];
		this.nUnreadChars = 0;
		this.complaint = "";
		// None of these keeps pi from ending; the deadline's timer holds it while an answer is due.
		for (const part of [child, child.stdin, child.stdout, child.stderr]) (part as Socket).unref();
		child.stdin.on("error", () => {}); // a closed pipe: "exit" says why
		child.stdout.setEncoding("utf8").on("data", (text: string) => {
			if (this.child === child) this.read(text);
		});
		child.stderr.setEncoding("utf8").on("data", (text: string) => {
			if (this.child === child) this.complaint = (this.complaint + text).slice(-2000);
		});
		child.on("error", (error) => {
			const what = `cannot start ${INSTALLED.server[0]} (${codeOf(error)})`;
			this.ended(child, `${what}; run \`longhaul install pi\``);
		});
		child.on("close", (code, killer) => {
			this.ended(child, `its server ended with ${killer ?? `exit code ${code}`}`);
		});
	}

	private ended(child: ChildProcessWithoutNullStreams, reason: string): void {
		if (this.child !== child) return;
		const lastWords = this.complaint.trim().split("\n").at(-1);
		this.forget(lastWords ? `${reason}: ${lastWords}` : reason);
	}

	private forget(reason: string): void {
		this.child = undefined;
		this.abandoned.clear();
		const requests = [...this.pending.values()];
		this.pending.clear();
		for (const request of requests) request.reject(new Error(reason));
	}

	private read(text: string): void {
		this.unread.push(text);
		this.nUnreadChars += text.length;
		if (this.nUnreadChars > MAX_LINE_CHARS) return this.stop("its answer is too long");
		if (!text.includes("\n")) return;
		const lines = this.unread.join("").split("\n");
		const rest = lines.pop() ?? "";
		this.unread = [rest];
		this.nUnreadChars = rest.length;
		for (const line of lines) this.receive(line);
	}

	private receive(line: string): void {
		const message = parseObject(line);
		const id = message?.id as number;
		if (message && this.abandoned.delete(id)) return;
		const request = this.pending.get(id);
		if (!message || !request) return this.stop("its answer is not one to our request");
		this.pending.delete(id);
		const error = asObject(message.error);
		const result = asObject(message.result);
		if (error) request.reject(new Refusal(String(error.message), error.code));
		else if (result) request.resolve(result);
		else request.reject(new Error("its answer holds no result"));
	}
}

function asObject(value: unknown): Json | undefined {
	const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
	return isObject ? (value as Json) : undefined;
}

function parseObject(text: string): Json | undefined {
	try {
		return asObject(JSON.parse(text));
	} catch {
		return undefined;
	}
}

function codeOf(error: Error): string {
	return (error as NodeJS.ErrnoException).code ?? error.message;
}

/** Tells the user, on stderr where there is no user interface; nothing in it moves the cursor. */
function tell(ctx: ExtensionContext, text: string, type: "info" | "warning" = "info"): void {
	const plain = text.replace(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
	if (ctx.hasUI) ctx.ui.notify(plain, type);
	else process.stderr.write(`${plain}\n`);
}

/** Says one line, whatever a process put into it. */
function say(ctx: ExtensionContext, text: string, type: "info" | "warning" = "info"): void {
	tell(ctx, `Longhaul: ${text.replace(/\s+/g, " ").slice(0, MAX_NOTICE_CHARS)}`, type);
}

/** `/longhaul off` and `on` are entries of the session, so that they follow its branches. */
function isEnabled(path: SessionEntry[]): boolean {
	for (const entry of path.toReversed()) {
		if (entry.type !== "custom" || entry.customType !== "longhaul") continue;
		const enabled = asObject(entry.data)?.enabled;
		if (typeof enabled === "boolean") return enabled;
	}
	return true;
}

/** Where the session is: its file, or for a session without one its entries. */
function whereabouts({ ctx, path }: Session): Json {
	return {
		sessionId: ctx.sessionManager.getSessionId(),
		sessionFile: ctx.sessionManager.getSessionFile() ?? null,
		leafId: path.at(-1)?.id ?? null,
		contextWindow: ctx.model?.contextWindow ?? null,
	};
}

/** Asks with the file's path; with the entries where no file holds them. */
async function askAbout(ask: Ask, params: Json, session: Session): Promise<Json> {
	const where = whereabouts(session);
	if (where.sessionFile !== null) {
		try {
			return await ask({ ...params, ...where });
		} catch (error) {
			if (!(error instanceof Refusal) || error.code !== SESSION_UNREADABLE) throw error;
		}
	}
	const records = [session.ctx.sessionManager.getHeader(), ...session.path];
	return ask({ ...params, ...where, sessionFile: null, records });
}

function realPath(path: string, base: string): string {
	const named = resolve(base, path.replace(/^~(?=$|[/\\])/, homedir()));
	try {
		return realpathSync(named);
	} catch {
		return named;
	}
}

function agentDir(): string {
	return realPath(process.env.PI_CODING_AGENT_DIR || join("~", ".pi", "agent"), process.cwd());
}

/** The folders that a `longhaul.json` names; undefined where it cannot be understood. */
function localOnlyRoots(folder: string, base: string): string[] | undefined {
	let text: string;
	try {
		text = readFileSync(join(folder, "longhaul.json"), "utf8");
	} catch (error) {
		return codeOf(error as Error) === "ENOENT" ? [] : undefined;
	}
	const roots = parseObject(text)?.localOnlyRoots ?? (parseObject(text) && []);
	if (!Array.isArray(roots) || !roots.every((root) => typeof root === "string")) return undefined;
	return roots.map((root) => realPath(root, base));
}

/** Whether what this session holds must not leave the machine; yes where that cannot be told. */
function isLocalOnly(ctx: ExtensionContext): boolean {
	const cwd = ctx.sessionManager.getHeader()?.cwd || ctx.cwd;
	const roots = [localOnlyRoots(agentDir(), homedir()), localOnlyRoots(join(cwd, ".pi"), cwd)];
	if (roots.includes(undefined)) return true;
	const named = [cwd, ctx.sessionManager.getSessionFile() ?? cwd];
	const places = named.map((place) => realPath(place, "/"));
	const isUnder = (place: string, root: string) => `${place}${sep}`.startsWith(join(root, sep));
	return roots.flat().some((root) => places.some((place) => isUnder(place, root as string)));
}

function isOnThisMachine(url: string | undefined): boolean {
	const host = URL.canParse(url ?? "") ? new URL(url as string).hostname : "";
	return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}

/** Returns an answer as what pi stores and what the user is told, or throws what is odd in it. */
function checkAnswer(answer: Json, asked: Json) {
	const { summary, details, usage, notice } = answer;
	if (answer.sessionId !== asked.sessionId || answer.leafId !== asked.leafId) {
		throw new Error("its answer is for another session");
	}
	const { firstKeptEntryId, tokensBefore } = asked;
	if (answer.firstKeptEntryId !== firstKeptEntryId || answer.tokensBefore !== tokensBefore) {
		throw new Error("its answer is for another cut");
	}
	const isText = typeof summary === "string" && summary.trim() !== "";
	const isSound = asObject(details) && (usage === undefined || isUsage(usage));
	if (!isText || !isSound || summary.length > MAX_SUMMARY_CHARS) {
		throw new Error("its answer is no compaction");
	}
	return { compaction: { summary, details, usage }, notice: String(notice) };
}

function isUsage(value: unknown): value is Usage {
	const usage = asObject(value);
	const cost = asObject(usage?.cost);
	const counts = ["input", "output", "cacheRead", "cacheWrite"];
	const areNumbers = (record: Json, last: string) =>
		[...counts, last].every((name) => Number.isFinite(record[name]));
	return !!usage && !!cost && areNumbers(usage, "totalTokens") && areNumbers(cost, "total");
}

async function askForCompaction(
	server: Server,
	event: SessionBeforeCompactEvent,
	ctx: ExtensionContext,
) {
	const { preparation, branchEntries: path, signal } = event;
	const { firstKeptEntryId, tokensBefore } = preparation;
	const instructions = event.customInstructions ?? "";
	const session = { ctx, path };
	const answer = await askAbout(
		(params) => server.ask("compact", params, signal),
		{ firstKeptEntryId, tokensBefore, instructions },
		session,
	);
	const asked = { ...whereabouts(session), firstKeptEntryId, tokensBefore };
	const { compaction, notice } = checkAnswer(answer, asked);
	return { compaction: { ...compaction, firstKeptEntryId, tokensBefore }, notice };
}

export default function longhaul(pi: ExtensionAPI): void {
	const server = new Server();
	/** What is to be said of the compaction that runs; with the summary that Longhaul answered. */
	let outcome: (Line & { summary?: string }) | undefined;

	function sayOutcome(ctx: ExtensionContext): void {
		const line = outcome;
		outcome = undefined;
		// The terminal's chat is drawn anew when the compaction ends, right after its last event.
		if (line && ctx.mode === "tui") setTimeout(() => say(ctx, line.text, line.type), 0);
		else if (line) say(ctx, line.text, line.type);
	}

	pi.on("session_before_compact", async (event, ctx) => {
		outcome = undefined;
		const started = performance.now();
		let reason: Line = { text: "off in this session (`/longhaul on` turns it on)", type: "info" };
		if (isEnabled(event.branchEntries)) {
			try {
				const { compaction, notice } = await askForCompaction(server, event, ctx);
				const text = `${notice} (${Math.round(performance.now() - started)} ms)`;
				outcome = { text, type: "info", summary: compaction.summary };
				return { compaction };
			} catch (error) {
				if (event.signal.aborted) return undefined;
				reason = { text: (error as Error).message, type: "warning" };
			}
		}
		const isKeptBack = !isOnThisMachine(ctx.model?.baseUrl) && isLocalOnly(ctx);
		const then = isKeptBack
			? "not compacted: this session is local only, pi's model is not"
			: "pi compacts without it";
		outcome = { ...reason, text: `${reason.text.slice(0, MAX_REASON_CHARS)}; ${then}` };
		if (ctx.mode !== "tui") sayOutcome(ctx);
		return isKeptBack ? { cancel: true } : undefined;
	});

	pi.on("session_compact", (event, ctx) => {
		if (outcome?.summary !== undefined && outcome.summary !== event.compactionEntry.summary) {
			const text = "another extension answered after it; that compaction was kept";
			outcome = { text, type: "warning" };
		}
		sayOutcome(ctx);
	});

	pi.on("session_compact_failed", (_event, ctx) => {
		if (outcome?.summary !== undefined) outcome = undefined; // it was not kept, and pi says why
		sayOutcome(ctx);
	});

	pi.on("session_shutdown", () => server.stop("pi ends"));

	pi.registerCommand("longhaul", {
		description: "Show the state that Longhaul carries; `off` or `on` for this session",
		getArgumentCompletions: (prefix) => {
			// A word that is typed whole is not offered: Enter would take the offer, not the command.
			const words = ["off", "on"].filter((word) => word.startsWith(prefix) && word !== prefix);
			return words.length > 0 ? words.map((word) => ({ value: word, label: word })) : null;
		},
		handler: async (args, ctx) => {
			const word = args.trim();
			if (word === "on" || word === "off") {
				pi.appendEntry("longhaul", { enabled: word === "on" });
				return say(ctx, `${word} in this session`);
			}
			if (word) return say(ctx, "usage: /longhaul [off|on]", "warning");
			try {
				const path = ctx.sessionManager.getBranch();
				if (path.length === 0) return say(ctx, "nothing has been said yet");
				const ask = (params: Json) => server.ask("show", params);
				const { text } = await askAbout(ask, {}, { ctx, path });
				tell(ctx, String(text));
			} catch (error) {
				say(ctx, (error as Error).message, "warning");
			}
		},
	});
}
