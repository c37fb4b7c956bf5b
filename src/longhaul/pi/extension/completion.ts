// One call of the session's own model, with the session's login, for the server.

import { randomUUID } from "node:crypto";
import type { Api, AssistantMessage, Message, Model, ModelThinkingLevel } from "@earendil-works/pi-ai";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Json } from "./json.ts";
import { isLocalOnly, isModelLocal, isOnThisMachine } from "./local.ts";
import { Refusal } from "./server.ts";

/** More than any reply that can be used; a longer one is cut off where it comes in. */
const MAX_REPLY_CHARS = 400_000;

/** Where a server refused to hold its reply to a schema; it is not asked to again. */
const withoutSchema = new Set<string>();

/** Answers the server's `complete`; throws why there is no reply, with what the call took. */
export async function complete(
	ctx: ExtensionContext,
	params: Json,
	signal: AbortSignal,
): Promise<Json> {
	const { model } = ctx;
	if (!model) throw new Error("no model is chosen in pi");
	if (isLocalOnly(ctx) && !(await isModelLocal(ctx))) {
		throw new Error("this session is local only, pi's model is not");
	}
	let message = await call(ctx, model, params, signal);
	if (isSchemaRefused(model, message)) {
		withoutSchema.add(model.baseUrl);
		message = await call(ctx, model, params, signal);
	}
	const { usage, stopReason } = message;
	const name = `${message.provider}/${message.responseModel ?? message.model}`;
	const text = textOf(message);
	const isCut = stopReason === "length" || text.length > MAX_REPLY_CHARS;
	if (!isCut && stopReason !== "stop" && stopReason !== "toolUse") {
		const reason = message.errorMessage ?? stopReason;
		throw new Refusal(reason.slice(0, 1000), stopReason, { usage, model: name });
	}
	const shown = text.slice(0, MAX_REPLY_CHARS);
	return { text: shown, stopReason: isCut ? "length" : "stop", model: name, usage };
}

async function call(
	ctx: ExtensionContext,
	model: Model<Api>,
	params: Json,
	signal: AbortSignal,
): Promise<AssistantMessage> {
	const cut = new AbortController();
	const thinking = (params.thinking ?? ctx.thinkingLevel ?? "off") as ModelThinkingLevel;
	const stream = ctx.modelRegistry.streamSimple(model, contextOf(model, params), {
		signal: AbortSignal.any([signal, cut.signal]),
		maxTokens: Math.min(params.maxOutputTokens as number, model.maxTokens || Infinity),
		// As pi asks for its own summaries: nothing of this is asked again.
		cacheRetention: "none",
		sessionId: randomUUID(),
		disableContinuation: true,
		...(model.reasoning && thinking !== "off" && { reasoning: thinking }),
		...(canHoldToSchema(model) && { samplingParams: formatOf(params.schema) }),
	});
	let nChars = 0;
	for await (const event of stream) {
		if (event.type === "text_delta") nChars += event.delta.length;
		if (nChars > MAX_REPLY_CHARS) cut.abort();
	}
	return stream.result();
}

function contextOf(model: Model<Api>, params: Json): { systemPrompt: string; messages: Message[] } {
	const said = params.messages as { role: "system" | "user" | "assistant"; text: string }[];
	const systemPrompt = said.filter(({ role }) => role === "system").map(({ text }) => text);
	const messages = said
		.filter(({ role }) => role !== "system")
		.map(({ role, text }) => messageOf(model, role as "user" | "assistant", text));
	return { systemPrompt: systemPrompt.join("\n\n"), messages };
}

function messageOf(model: Model<Api>, role: "user" | "assistant", text: string): Message {
	const content = [{ type: "text" as const, text }];
	if (role === "user") return { role, content, timestamp: Date.now() };
	const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
	const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost };
	const { api, provider, id } = model;
	const stopReason = "stop";
	return { role, content, api, provider, model: id, usage, stopReason, timestamp: Date.now() };
}

function textOf(message: AssistantMessage): string {
	return message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/**
 * Whether the model's server is asked to hold the reply to the schema. Those on this machine can
 * (llama.cpp, Ollama, vLLM, LM Studio), and small models need it; a provider may refuse the call.
 */
function canHoldToSchema(model: Model<Api>): boolean {
	const isOffered = model.api === "openai-completions" && isOnThisMachine(model.baseUrl);
	return isOffered && !withoutSchema.has(model.baseUrl);
}

function formatOf(schema: unknown): Json {
	const json_schema = { name: "changes", schema };
	return { response_format: { type: "json_schema", json_schema } };
}

/** Whether a server on this machine, or one behind it, refused the request for its schema. */
function isSchemaRefused(model: Model<Api>, message: AssistantMessage): boolean {
	const isRefusal = /^\W*(400|415|422|501)\b/.test(message.errorMessage ?? "");
	return message.stopReason === "error" && isRefusal && canHoldToSchema(model);
}
