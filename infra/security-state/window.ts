/** How long a revocation has to be remembered. */

/** No token lives longer: what was revoked earlier than that has ended by itself. */
export const longestTokenMilliseconds = 3_600_000;
/** Clocks that differ, and a token that is still on its way to be signed while its principal is revoked. */
const marginMilliseconds = 600_000;
export const rememberMilliseconds = longestTokenMilliseconds + marginMilliseconds;
/** Clocks may be apart by a minute, and a token is accepted for ten seconds more. */
const denialMarginMilliseconds = 70_000;
/** A key that signed for others signs tokens of any age. */
export const forever = 8_640_000_000_000_000;

/** Without word of revocations for that long, nobody is let in and nothing goes on. */
export const longestStalenessMilliseconds = 60_000;

export const rememberedFrom = (moment: number): number => moment + rememberMilliseconds;
export const deniedUntil = (expiresAt: number): number => expiresAt + denialMarginMilliseconds;
