// Compactions: the server's answer, checked; or pi's own, with a line that says why.

import type { Usage } from "@earendil-works/pi-ai";
import type {
	ExtensionAPI,
	ExtensionContext,
	SessionBeforeCompactEvent,
} from "@earendil-works/pi-coding-agent";
import { complete } from "./completion.ts";
import { type Json, asObject } from "./json.ts";
import { isLocalOnly, isModelLocal } from "./local.ts";
import { type Line, say } from "./say.ts";
import type { Server } from "./server.ts";
import { OFF, askAbout, isEnabled, nameOf } from "./session.ts";

const MAX_SUMMARY_CHARS = 400_000;
const MAX_REASON_CHARS = 380;

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

function timeText(ms: number): string {
	return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
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
	const asking = {
		signal,
		complete: (params: Json, stop: AbortSignal) => complete(ctx, params, stop),
	};
	const answer = await askAbout(
		(params) => server.ask("compact", params, asking),
		{ firstKeptEntryId, tokensBefore, instructions },
		session,
	);
	const asked = { ...nameOf(session), firstKeptEntryId, tokensBefore };
	const { compaction, notice } = checkAnswer(answer, asked);
	return { compaction: { ...compaction, firstKeptEntryId, tokensBefore }, notice };
}

export function registerCompaction(pi: ExtensionAPI, server: Server): void {
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
		let reason: Line = { text: OFF, type: "info" };
		if (isEnabled(event.branchEntries)) {
			try {
				const { compaction, notice } = await askForCompaction(server, event, ctx);
				const text = `${notice} (${timeText(performance.now() - started)})`;
				outcome = { text, type: "info", summary: compaction.summary };
				return { compaction };
			} catch (error) {
				if (event.signal.aborted) return undefined;
				reason = { text: (error as Error).message, type: "warning" };
			}
		}
		const isKeptBack = isLocalOnly(ctx) && !(await isModelLocal(ctx));
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
}
