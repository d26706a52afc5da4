/** How long a revocation has to be remembered. */

/** No token lives longer: what was revoked earlier than that has ended by itself. */
export const maxTokenMilliseconds = 3_600_000;
/** Clocks that differ, and a token that is still on its way to be signed while its principal is revoked. */
const marginMilliseconds = 600_000;
export const retentionMilliseconds = maxTokenMilliseconds + marginMilliseconds;
/** Clocks may be apart by a minute, and a token is accepted for ten seconds more. */
const denialMarginMilliseconds = 70_000;
/** A key that signed for others signs tokens of any age. */
export const forever = 8_640_000_000_000_000;

/** Without word of revocations for that long, nobody is let in and nothing goes on. */
export const maxStalenessMilliseconds = 60_000;

export const retainSince = (moment: number): number => moment + retentionMilliseconds;
export const deniedUntil = (expiresAt: number): number => expiresAt + denialMarginMilliseconds;
