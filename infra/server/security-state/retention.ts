/** Retention times of revocations. */

/** Maximum token lifetime: older revocations are moot. */
export const maxTokenMilliseconds = 3_600_000;
/** Margin for clock skew and tokens being signed during a revocation. */
const marginMilliseconds = 600_000;
export const retentionMilliseconds = maxTokenMilliseconds + marginMilliseconds;
/** A minute of clock skew plus ten seconds of tolerance. */
const denialMarginMilliseconds = 70_000;
/** A stolen key can sign tokens of any age. */
export const forever = 8_640_000_000_000_000;

/** Maximum staleness: above it all requests are refused and streams end. */
export const maxStalenessMilliseconds = 60_000;

export const retainSince = (moment: number): number => moment + retentionMilliseconds;
export const deniedUntil = (expiresAt: number): number => expiresAt + denialMarginMilliseconds;
