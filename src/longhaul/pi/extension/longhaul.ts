// What pi loads.

import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { registerCommand } from "./command.ts";
import { registerCompaction } from "./compaction.ts";
import { registerRecall } from "./recall.ts";
import { Server } from "./server.ts";

export default function longhaul(pi: ExtensionAPI): void {
	const server = new Server();
	registerCompaction(pi, server);
	registerRecall(pi, server);
	registerCommand(pi, server);
	pi.on("session_shutdown", () => server.stop("pi ends"));
}
