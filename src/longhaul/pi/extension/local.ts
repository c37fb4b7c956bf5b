// What must not leave the machine, and the settings that this half has to know by itself.

import { readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve, sep } from "node:path";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { type Json, codeOf, parseObject } from "./json.ts";

const OFFLINE_DEADLINE_MS = 20_000;
const MAX_DEADLINE_SECONDS = 600;
const MAX_SETTINGS_BYTES = 1 << 20;

/** A path as it is written and as its symbolic links lead, absolute. */
function readings(path: string, base: string): string[] {
	const written = resolve(base, path.replace(/^~(?=$|[/\\])/, homedir()));
	try {
		return [written, realpathSync(written)];
	} catch {
		return [written];
	}
}

export function agentDir(): string {
	const named = process.env.PI_CODING_AGENT_DIR || join("~", ".pi", "agent");
	return readings(named, process.cwd()).at(-1) as string;
}

/** What a `longhaul.json` holds, nothing where there is none; undefined where it is no object. */
function readSettings(folder: string): Json | undefined {
	const file = join(folder, "longhaul.json");
	try {
		// A link in somebody's project may lead to a pipe or a device: pi would wait for it for good.
		const found = statSync(file);
		if (!found.isFile() || found.size > MAX_SETTINGS_BYTES) return undefined;
		return parseObject(readFileSync(file, "utf8"));
	} catch (error) {
		return codeOf(error as Error) === "ENOENT" ? {} : undefined;
	}
}

/** How long the server may take for what needs no model, its start included. */
export function offlineDeadlineMs(): number {
	const tested = Number(process.env.LONGHAUL_DEADLINE_MS);
	if (tested) return tested;
	const seconds = readSettings(agentDir())?.offlineDeadlineSeconds;
	const isOne = typeof seconds === "number" && seconds >= 1 && seconds <= MAX_DEADLINE_SECONDS;
	return isOne ? seconds * 1000 : OFFLINE_DEADLINE_MS;
}

/** The folders that a `longhaul.json` names; undefined where it cannot be understood. */
function localOnlyRoots(folder: string, base: string): string[] | undefined {
	const settings = readSettings(folder);
	const roots = settings && (settings.localOnlyRoots ?? []);
	if (!Array.isArray(roots) || !roots.every((root) => typeof root === "string")) return undefined;
	return roots.flatMap((root) => readings(root, base));
}

/** Whether what this session holds must not leave the machine; yes where that cannot be told. */
export function isLocalOnly(ctx: ExtensionContext): boolean {
	const cwd = ctx.sessionManager.getHeader()?.cwd || ctx.cwd;
	const roots = [localOnlyRoots(agentDir(), homedir()), localOnlyRoots(join(cwd, ".pi"), cwd)];
	if (roots.includes(undefined)) return true;
	const named = [cwd, ctx.sessionManager.getSessionFile() ?? cwd];
	const places = named.flatMap((place) => readings(place, "/"));
	const isUnder = (place: string, root: string) => `${place}${sep}`.startsWith(join(root, sep));
	return roots.flat().some((root) => places.some((place) => isUnder(place, root as string)));
}

export function isOnThisMachine(url: string | undefined): boolean {
	const host = URL.canParse(url ?? "") ? new URL(url as string).hostname : "";
	return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}

/** Whether a request to `url` goes through a proxy, as pi reads the environment; if in doubt, yes. */
function isProxied(url: string): boolean {
	const { protocol, hostname } = new URL(url);
	const setting = (name: string) => process.env[name.toLowerCase()] || process.env[name];
	if (!setting(protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY")) return false;
	const spared = (setting("NO_PROXY") ?? "").split(/[\s,]+/);
	return !spared.includes("*") && !spared.includes(hostname);
}

/** Whether pi asks the session's model on this machine, wherever its login sends the request. */
export async function isModelLocal(ctx: ExtensionContext): Promise<boolean> {
	if (!ctx.model || !isOnThisMachine(ctx.model.baseUrl)) return false;
	try {
		const login = await ctx.modelRegistry.getProviderAuth(ctx.model.provider);
		const url = login?.auth.baseUrl ?? ctx.model.baseUrl;
		return isOnThisMachine(url) && !isProxied(url);
	} catch {
		return false;
	}
}
