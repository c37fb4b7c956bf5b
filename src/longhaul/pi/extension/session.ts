// The session as pi has it in memory, and how the server is told of it.

import type { ExtensionContext, SessionEntry } from "@earendil-works/pi-coding-agent";
import { type Json, asObject } from "./json.ts";
import { isLocalOnly, isModelLocal } from "./local.ts";
import { Refusal } from "./server.ts";

/** The server cannot read the session file as this pi sees it: send the entries. */
const SESSION_UNREADABLE = -32010;
/** The type of Longhaul's own entries. */
export const ENTRY_TYPE = "longhaul";
export const OFF = "off in this session (`/longhaul on` turns it on)";

/** From the root to the leaf. */
export type Session = { ctx: ExtensionContext; path: SessionEntry[] };
type Ask = (params: Json) => Promise<Json>;

/** `/longhaul off` and `on` are entries of the session, so that they follow its branches. */
export function isEnabled(path: SessionEntry[]): boolean {
	for (const entry of path.toReversed()) {
		if (entry.type !== "custom" || entry.customType !== ENTRY_TYPE) continue;
		const enabled = asObject(entry.data)?.enabled;
		if (typeof enabled === "boolean") return enabled;
	}
	return true;
}

/** Names the session and the leaf; an answer has to name the same. */
export function nameOf({ ctx, path }: Session): Json {
	return { sessionId: ctx.sessionManager.getSessionId(), leafId: path.at(-1)?.id ?? null };
}

/** Where the session is: its file, or for a session without one its entries. */
async function describe(session: Session): Promise<Json> {
	const { ctx } = session;
	return {
		...nameOf(session),
		sessionFile: ctx.sessionManager.getSessionFile() ?? null,
		contextWindow: ctx.model?.contextWindow ?? null,
		thinkingLevel: ctx.thinkingLevel ?? null,
		modelIsLocal: await isModelLocal(ctx),
		localOnly: isLocalOnly(ctx),
		projectTrusted: ctx.isProjectTrusted(),
	};
}

/** Asks with the file's path; with the entries where no file holds them. */
export async function askAbout(ask: Ask, params: Json, session: Session): Promise<Json> {
	const source = await describe(session);
	if (source.sessionFile !== null) {
		try {
			return await ask({ ...params, ...source });
		} catch (error) {
			if (!(error instanceof Refusal) || error.code !== SESSION_UNREADABLE) throw error;
		}
	}
	const records = [session.ctx.sessionManager.getHeader(), ...session.path];
	return ask({ ...params, ...source, sessionFile: null, records });
}
