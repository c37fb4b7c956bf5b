// The time that an answer may take.

import { offlineDeadlineMs } from "./local.ts";

/** How long a request may take: what needs no model, unless the server says otherwise. */
export class Deadline {
	isOver = false;
	/** Never resolves; rejects when the time is over. */
	readonly late: Promise<never>;
	private readonly giveUp: (reason: string) => void;
	private timer?: NodeJS.Timeout;

	constructor(onLate: (reason: string) => void) {
		let reject: (error: Error) => void = () => {};
		this.late = new Promise<never>((_, fail) => {
			reject = fail;
		});
		this.giveUp = (reason) => {
			this.isOver = true;
			reject(new Error(reason));
			onLate(reason);
		};
		this.allow(offlineDeadlineMs());
	}

	/** Sets anew how long it may take from now. */
	allow(ms: number): void {
		clearTimeout(this.timer);
		if (this.isOver) return;
		this.timer = setTimeout(() => this.giveUp(`no answer within ${ms / 1000} s`), ms);
	}

	end(): void {
		this.isOver = true;
		clearTimeout(this.timer);
	}
}
