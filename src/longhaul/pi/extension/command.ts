// `/longhaul`: the state, the switch, and the user's corrections.

import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { type Json, asObject } from "./json.ts";
import { offerRecall } from "./recall.ts";
import { say, tell } from "./say.ts";
import type { Server } from "./server.ts";
import { ENTRY_TYPE, askAbout } from "./session.ts";

const USAGE = "usage: /longhaul [off | on | drop RULE | restore RULE | pin TEXT]";
const SWITCHES = ["off", "on"];
const CORRECTIONS = ["drop", "restore", "pin"];

type Offer = { value: string; label: string; description?: string };

/** Asks the server about the session as it stands; undefined where it is still empty. */
async function askNow(server: Server, ctx: ExtensionContext, method: string, params: Json) {
	const path = ctx.sessionManager.getBranch();
	if (path.length === 0) return undefined;
	// It would wait for a model's reply, and its deadline would end the compaction.
	if (server.isBusy) throw new Error("busy with a compaction; ask again when it is done");
	return askAbout((about) => server.ask(method, about), params, { ctx, path });
}

async function show(server: Server, ctx: ExtensionContext): Promise<void> {
	const answer = await askNow(server, ctx, "show", {});
	if (answer) tell(ctx, String(answer.text));
	else say(ctx, "nothing has been said yet");
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

/** The rules that each verb may name at one leaf. */
class Rules {
	private leafId?: string | null;
	private readonly known = new Map<string, Promise<Json[]>>();

	constructor(private readonly server: Server) {}

	/** Asked once for a leaf: while a name is typed, what is offered must not lag behind the keys. */
	of(verb: string, ctx: ExtensionContext): Promise<Json[]> {
		const leafId = ctx.sessionManager.getLeafId();
		if (leafId !== this.leafId) this.known.clear();
		this.leafId = leafId;
		const rules = this.known.get(verb) ?? this.ask(verb, ctx);
		this.known.set(verb, rules);
		return rules;
	}

	private async ask(verb: string, ctx: ExtensionContext): Promise<Json[]> {
		try {
			const answer = await askNow(this.server, ctx, "rules", { verb });
			return (answer?.rules ?? []) as Json[];
		} catch {
			this.known.delete(verb); // the command itself will say what is wrong
			return [];
		}
	}
}

/** The rules that fit what is typed, by the names that the state shows. */
async function offerRules(rules: Promise<Json[]>, verb: string, typed: string) {
	const named = (await rules) as { name: string; quote: string }[];
	const fitting = named.filter(({ name }) => name.startsWith(typed) && name !== typed);
	return orNull(
		fitting.map(({ name, quote }) => {
			return { value: `${verb} ${name}`, label: name, description: quote };
		}),
	);
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

	/** Offers words at once: what arrives late would be put in place of what is typed meanwhile. */
	function offer(prefix: string): Offer[] | null | Promise<Offer[] | null> {
		const [, verb, typed] = /^(drop|restore) (\S*)$/.exec(prefix) ?? [];
		if (!verb) return orNull(offerWords(prefix));
		return latest ? offerRules(rules.of(verb, latest), verb, typed) : null;
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
