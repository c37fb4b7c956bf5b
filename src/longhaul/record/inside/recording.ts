/** What a recording needs of pi beyond RPC: a note on who made the session, and the way back in its tree. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const RECORDING = {};

export default function (pi: ExtensionAPI) {
	pi.on("session_start", () => {
		pi.appendEntry("recording", RECORDING);
	});

	pi.registerCommand("recording-go-back", {
		description: "Go back to before the message with this entry id",
		handler: async (entryId, ctx) => {
			const result = await ctx.navigateTree(entryId.trim(), { summarize: false });
			if (result.cancelled) throw new Error("another extension keeps pi from going back");
		},
	});
}
