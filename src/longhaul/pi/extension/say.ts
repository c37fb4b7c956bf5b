// What the user is told.

import type { ExtensionContext } from "@earendil-works/pi-coding-agent";

const MAX_NOTICE_CHARS = 480;

export type Line = { text: string; type: "info" | "warning" };

/** Tells the user, on stderr where there is no user interface; nothing in it moves the cursor. */
export function tell(
	ctx: ExtensionContext,
	text: string,
	type: "info" | "warning" = "info",
): void {
	const plain = text.replace(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
	if (ctx.hasUI) ctx.ui.notify(plain, type);
	else process.stderr.write(`${plain}\n`);
}

/** Says one line, whatever a process put into it. */
export function say(
	ctx: ExtensionContext,
	text: string,
	type: "info" | "warning" = "info",
): void {
	tell(ctx, `Longhaul: ${text.replace(/\s+/g, " ").slice(0, MAX_NOTICE_CHARS)}`, type);
}
