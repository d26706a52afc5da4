/** Keys of the reports of rate limits. */

/** One day. */
export const retentionMilliseconds = 86_400_000;

/** Tenants have no colon. */
export const refusalsKey = (tenantId: string | null): string => `ratelimit:refusals:${tenantId ?? ':strangers'}`;

export const gatewayPolicyKey = 'ratelimit:gateway-policy';
