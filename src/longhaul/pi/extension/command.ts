// `/longhaul`: the state, the switch, and the user's corrections.

import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { type Json, asObject } from "./json.ts";
import { offerRecall } from "./recall.ts";
import { say, tell } from "./say.ts";
import type { Server } from "./server.ts";
import { ENTRY_TYPE, OFF, askAbout, isEnabled } from "./session.ts";

const USAGE = "usage: /longhaul [off | on | drop RULE | restore RULE | pin TEXT]";
const SWITCHES = ["off", "on"];
const NAMING = ["drop", "restore"];
const CORRECTIONS = [...NAMING, "pin"];

type Offer = { value: string; label: string; description?: string };

/** Asks the server about the session as it stands; undefined where it is still empty. */
async function askNow(server: Server, ctx: ExtensionContext, method: string, params: Json) {
	const path = ctx.sessionManager.getBranch();
	if (path.length === 0) return undefined;
	function ask(about: Json): Promise<Json> {
		// It would wait for a model's reply, and its deadline would end the compaction. Whatever else
		// the server works on (its start, what a completion offers, a search) is soon done.
		if (server.isCompacting) throw new Error("busy with a compaction; ask again when it is done");
		return server.ask(method, about);
	}
	return askAbout(ask, params, { ctx, path });
}

async function show(server: Server, ctx: ExtensionContext): Promise<void> {
	const answer = await askNow(server, ctx, "show", {});
	const text = String(answer?.text ?? "") || "Longhaul: nothing has been said yet";
	const isOn = isEnabled(ctx.sessionManager.getBranch());
	tell(ctx, isOn ? text : `Longhaul is ${OFF}.\n\n${text}`);
}

async function correct(
	pi: ExtensionAPI,
	server: Server,
	ctx: ExtensionContext,
	verb: string,
	argument: string,
): Promise<void> {
	const answer = await askNow(server, ctx, "correct", { verb, argument });
	if (!answer) return say(ctx, "nothing has been said yet");
	const entry = asObject(answer.entry);
	if (entry) pi.appendEntry(ENTRY_TYPE, entry);
	say(ctx, String(answer.notice), entry ? "info" : "warning");
}

/** The words that may follow; one that is typed whole is not offered: Enter would take the offer. */
function offerWords(prefix: string): Offer[] {
	const words = [...SWITCHES, ...CORRECTIONS];
	const fitting = words.filter((word) => word.startsWith(prefix) && word !== prefix);
	return fitting.map((word) => {
		const isWhole = SWITCHES.includes(word);
		return { value: isWhole ? word : `${word} `, label: word };
	});
}

/** The rules that each verb may name at one leaf, as far as they are known. */
class Rules {
	private leafId?: string | null;
	private readonly known = new Map<string, Json[]>();

	constructor(private readonly server: Server) {}

	/**
	 * Looked up once for a leaf, and offered from the next key on: while pi waits for offers, it
	 * keeps older ones on the screen, and Enter would take one of those.
	 */
	of(verb: string, ctx: ExtensionContext): Json[] {
		const leafId = ctx.sessionManager.getLeafId();
		if (leafId !== this.leafId) this.known.clear();
		this.leafId = leafId;
		const rules = this.known.get(verb);
		if (!rules) {
			this.known.set(verb, []);
			void this.lookUp(verb, ctx, leafId);
		}
		return rules ?? [];
	}

	private async lookUp(verb: string, ctx: ExtensionContext, leafId: string | null) {
		try {
			const answer = await askNow(this.server, ctx, "rules", { verb });
			if (leafId === this.leafId) this.known.set(verb, (answer?.rules ?? []) as Json[]);
		} catch {
			if (leafId === this.leafId) this.known.delete(verb); // the command says what is wrong
		}
	}
}

/** The rules that fit what is typed, by the names that the state shows. */
function offerRules(rules: Json[], verb: string, typed: string): Offer[] {
	const named = rules as { name: string; quote: string }[];
	const fitting = named.filter(({ name }) => name.startsWith(typed) && name !== typed);
	return fitting.map(({ name, quote }) => {
		return { value: `${verb} ${name}`, label: name, description: quote };
	});
}

function orNull(offers: Offer[]): Offer[] | null {
	return offers.length > 0 ? offers : null;
}

export function registerCommand(pi: ExtensionAPI, server: Server): void {
	const rules = new Rules(server);
	/** Completions come without a context; the session's stays good until the session ends. */
	let latest: ExtensionContext | undefined;
	pi.on("session_start", (_event, ctx) => {
		latest = ctx;
	});

	function offer(prefix: string): Offer[] | null {
		if (!latest) return orNull(offerWords(prefix));
		const [, verb, typed] = /^(drop|restore) (\S*)$/.exec(prefix) ?? [];
		if (verb) return orNull(offerRules(rules.of(verb, latest), verb, typed));
		for (const begun of NAMING.filter((word) => prefix && word.startsWith(prefix))) {
			rules.of(begun, latest); // so that they are known by the time that one is named
		}
		return orNull(offerWords(prefix));
	}

	async function run(args: string, ctx: ExtensionContext): Promise<void> {
		const [, word, argument] = /^(\S*)\s*(.*)$/s.exec(args.trim()) ?? [];
		if (SWITCHES.includes(word) && !argument) {
			pi.appendEntry(ENTRY_TYPE, { enabled: word === "on" });
			offerRecall(pi, ctx);
			return say(ctx, `${word} in this session`);
		}
		if (CORRECTIONS.includes(word)) return correct(pi, server, ctx, word, argument);
		if (word) return say(ctx, USAGE, "warning");
		return show(server, ctx);
	}

	pi.registerCommand("longhaul", {
		description: "Show the state that Longhaul carries; switch it, or correct its rules",
		getArgumentCompletions: offer,
		handler: async (args, ctx) => {
			try {
				await run(args, ctx);
			} catch (error) {
				say(ctx, (error as Error).message, "warning");
			}
		},
	});
}
