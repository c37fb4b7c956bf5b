/** A tool by which the agent asks the user: a choice from a list, or an answer in words. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";

export default function (pi: ExtensionAPI) {
	pi.registerTool({
		name: "question",
		label: "Question",
		description: "Ask the user a question. Give options to choose from, or none for an answer in words.",
		parameters: Type.Object({
			question: Type.String({ description: "The question" }),
			options: Type.Optional(Type.Array(Type.String(), { description: "What to choose from" })),
		}),
		executionMode: "sequential",
		async execute(_id, params, _signal, _update, ctx) {
			const options = params.options ?? [];
			const answer = options.length
				? await ctx.ui.select(params.question, options)
				: await ctx.ui.input(params.question);
			const details = { question: params.question, options, answer: answer ?? null };
			const text = answer === undefined ? "User cancelled the question" : `User answered: ${answer}`;
			return { content: [{ type: "text", text }], details };
		},
	});
}
