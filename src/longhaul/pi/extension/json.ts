// JSON that comes from elsewhere, and errors as they come.

export type Json = Record<string, unknown>;

export function asObject(value: unknown): Json | undefined {
	const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
	return isObject ? (value as Json) : undefined;
}

export function parseObject(text: string): Json | undefined {
	try {
		return asObject(JSON.parse(text));
	} catch {
		return undefined;
	}
}

export function codeOf(error: Error): string {
	return (error as NodeJS.ErrnoException).code ?? error.message;
}
