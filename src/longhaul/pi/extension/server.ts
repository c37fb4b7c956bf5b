// The Python process: started at need, and again after a crash.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { Deadline } from "./deadline.ts";
import { INSTALLED } from "./installed.ts";
import { type Json, asObject, codeOf, parseObject } from "./json.ts";
import { agentDir, offlineDeadlineMs } from "./local.ts";

const PROTOCOL = 2;
const MAX_LINE_CHARS = 4_000_000;
/** How long the server may take to stop what was aborted, before it is killed. */
const LINGER_MS = 1_000;
const MODEL_FAILED = -32020;

/** Answers what the server asks while it works on a request. */
export type Answer = (params: Json, signal: AbortSignal) => Promise<Json>;
export type Asking = { signal?: AbortSignal; complete?: Answer };
type Pending = {
	resolve: (result: Json) => void;
	reject: (error: Error) => void;
	deadline: Deadline;
	complete?: Answer;
};

/** An answer with an error in it; the one that gives it goes on. */
export class Refusal extends Error {
	readonly code: unknown;
	readonly data?: Json;

	constructor(message: string, code: unknown, data?: Json) {
		super(message);
		this.code = code;
		this.data = data;
	}
}

/** The file that pi loads, for a user who wants to be rid of it. */
function ownFile(): string {
	return fileURLToPath(import.meta.url);
}

export class Server {
	private child?: ChildProcessWithoutNullStreams;
	private readonly pending = new Map<number, Pending>();
	/** Requests the user aborted that the server has not answered yet. */
	private readonly abandoned = new Set<number>();
	/** What the server has asked and waits for, by its id; with the request that it is for. */
	private readonly calls = new Map<string, { controller: AbortController; request: number }>();
	/** Goes on with the requests that wait until nothing is abandoned. */
	private readonly waiting: (() => void)[] = [];
	private nCompactions = 0;
	private lastId = 0;
	private unread: string[] = [];
	private nUnreadChars = 0;
	private complaint = "";

	/** Whether a compaction is asked for; another request is answered after it. */
	get isCompacting(): boolean {
		return this.nCompactions > 0;
	}

	/** Returns the result of one request, or throws why there is none. */
	async ask(method: string, params: Json, asking: Asking = {}): Promise<Json> {
		const deadline = new Deadline((reason) => this.stop(reason));
		const nAdded = method === "compact" ? 1 : 0;
		this.nCompactions += nAdded;
		try {
			const answer = this.greetAndSend(method, params, asking, deadline);
			return await Promise.race([answer, deadline.late]);
		} finally {
			this.nCompactions -= nAdded;
			deadline.end();
		}
	}

	/** Ends the process at once, and every request with it. */
	stop(reason: string): void {
		const child = this.child;
		this.forget(reason);
		child?.kill("SIGKILL");
	}

	private async greetAndSend(
		method: string,
		params: Json,
		asking: Asking,
		deadline: Deadline,
	): Promise<Json> {
		await this.finishAborted();
		if (deadline.isOver) throw new Error("too late"); // and nobody waits for it any more
		if (!this.child) this.start();
		const { version } = INSTALLED;
		const { signal } = asking;
		const hello = await this.send("hello", { protocol: PROTOCOL, version }, { signal }, deadline);
		if (hello.protocol !== PROTOCOL) {
			const isNewer = Number(hello.protocol) > PROTOCOL;
			const mend = isNewer ? "run `longhaul install pi`" : "upgrade pi-longhaul";
			const halves = `extension ${version} does not fit longhaul ${hello.version}`;
			const reason = `${halves} (${mend})`;
			this.stop(reason);
			throw new Error(reason);
		}
		return this.send(method, params, asking, deadline);
	}

	private send(
		method: string,
		params: Json,
		{ signal, complete }: Asking,
		deadline: Deadline,
	): Promise<Json> {
		const id = ++this.lastId;
		return new Promise((resolve, reject) => {
			if (signal?.aborted) return reject(new Error("aborted"));
			this.pending.set(id, { resolve, reject, deadline, complete });
			signal?.addEventListener("abort", () => this.cancel(id), { once: true });
			this.write({ id, method, params });
		});
	}

	/** Ends the calls for an aborted request, and the server too if it works on. */
	private cancel(id: number): void {
		const request = this.pending.get(id);
		if (!request) return;
		this.pending.delete(id);
		this.abandoned.add(id);
		this.abortCalls(id);
		this.write({ method: "cancel", params: { id } });
		request.reject(new Error("aborted"));
		setTimeout(() => {
			if (this.abandoned.has(id)) this.stop("it was still busy with an aborted request");
		}, LINGER_MS).unref();
	}

	/** Waits until the server has let go of what was aborted; it is killed where it does not. */
	private async finishAborted(): Promise<void> {
		if (this.abandoned.size > 0) await new Promise<void>((free) => this.waiting.push(free));
	}

	private settle(): void {
		if (this.abandoned.size > 0) return;
		for (const free of this.waiting.splice(0)) free();
	}

	private abortCalls(request?: number): void {
		for (const call of this.calls.values()) {
			if (request === undefined || call.request === request) call.controller.abort();
		}
	}

	private write(message: Json): void {
		this.child?.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
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
			const mend = `install longhaul again and run \`longhaul install pi\`, or delete ${ownFile()}`;
			this.ended(child, `cannot start ${INSTALLED.server[0]} (${codeOf(error)}): ${mend}`);
		});
		child.on("close", (code, killer) => {
			this.ended(child, `its server ended with ${killer ?? `exit code ${code}`}`);
		});
	}

	private ended(child: ChildProcessWithoutNullStreams, reason: string): void {
		if (this.child !== child) return;
		const lastWords = this.complaint.trim().split("\n").at(-1);
		if (/ModuleNotFoundError: No module named 'longhaul['.]/.test(lastWords ?? "")) {
			const what = `longhaul is no longer installed for ${INSTALLED.server[0]}`;
			return this.forget(`${what}: install it again there, or delete ${ownFile()}`);
		}
		this.forget(lastWords ? `${reason}: ${lastWords}` : reason);
	}

	private forget(reason: string): void {
		this.child = undefined;
		this.abandoned.clear();
		this.settle();
		this.abortCalls();
		this.calls.clear();
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
		if (typeof message?.method === "string") return this.receiveAsked(message);
		const id = message?.id as number;
		if (message && this.abandoned.delete(id)) return this.settle();
		const request = this.pending.get(id);
		if (!message || !request) return this.stop("its answer is not one to our request");
		this.pending.delete(id);
		const error = asObject(message.error);
		const result = asObject(message.result);
		if (error) request.reject(new Refusal(String(error.message), error.code));
		else if (result) request.resolve(result);
		else request.reject(new Error("its answer holds no result"));
	}

	/** Takes in what the server asks or says while it works on a request of ours. */
	private receiveAsked(message: Json): void {
		const params = asObject(message.params) ?? {};
		const request = this.pending.get(params.request as number);
		if (message.method === "deadline") {
			const ms = params.milliseconds;
			request?.deadline.allow(typeof ms === "number" && ms > 0 ? ms : offlineDeadlineMs());
		} else if (message.method === "cancel") {
			this.calls.get(String(params.id))?.controller.abort();
		} else if (message.method === "complete") {
			void this.complete(String(message.id), params, request?.complete);
		}
	}

	private async complete(id: string, params: Json, answer?: Answer): Promise<void> {
		const child = this.child;
		const controller = new AbortController();
		this.calls.set(id, { controller, request: params.request as number });
		let outcome: Json;
		try {
			if (!answer) throw new Error("nobody waits for it any more");
			outcome = { result: await answer(params, controller.signal) };
		} catch (error) {
			const { message, data } = error as Refusal;
			outcome = { error: { code: MODEL_FAILED, message, data } };
		}
		this.calls.delete(id);
		if (this.child === child) this.write({ id, ...outcome });
	}
}
