/**
 * Rate limit headers of every response: `X-RateLimit-*` of the binding limit; `RateLimit-Policy` and `RateLimit`
 * (draft-ietf-httpapi-ratelimit-headers-10) of each limit; and `x-ratelimit-*-requests` and `-tokens` for clients of
 * model APIs. Limits are named by their unit, never by the policy's names.
 */
import type { Decision, LimitStatus } from '../decision/decision';
import type { Unit } from '../policy/policy';

type Headers = { [name: string]: string };

/** Largest integer of structured fields (RFC 9651 section 3.3.1). */
const maxInteger = 999_999_999_999_999;
const formatInteger = (number: number): string => String(Math.min(Math.max(Math.floor(number), 0), maxInteger));

/** Units that the draft names; without one, requests are meant. */
const quotaUnits: { readonly [unit: string]: string | undefined } = {
  bytes: ';qu="content-bytes"',
  'concurrent-requests': ';qu="concurrent-requests"',
} satisfies { readonly [unit in Unit]?: string };

/** A limit as the headers show it. Limits that no policy holds may count in units of their own. */
export interface HeaderLimit extends Pick<LimitStatus, 'limit' | 'remaining' | 'resetSeconds' | 'windowSeconds'> {
  readonly unit: string;
  readonly watched?: boolean;
}

interface NamedLimit extends HeaderLimit {
  readonly name: string;
}

const nameLimits = (limits: readonly HeaderLimit[]): readonly NamedLimit[] => {
  const counts = new Map<string, number>();
  return limits.map((limit) => {
    const count = (counts.get(limit.unit) ?? 0) + 1;
    counts.set(limit.unit, count);
    return { ...limit, name: count === 1 ? limit.unit : `${limit.unit}-${count}` };
  });
};

const policyItem = ({ name, unit, limit, windowSeconds }: NamedLimit): string => {
  const window = windowSeconds === 0 ? '' : `;w=${formatInteger(windowSeconds)}`;
  return `"${name}";q=${formatInteger(limit)}${quotaUnits[unit] ?? ''}${window}`;
};

const limitItem = ({ name, remaining, resetSeconds }: NamedLimit): string =>
  `"${name}";r=${formatInteger(remaining)};t=${formatInteger(resetSeconds)}`;

/** As OpenAI writes them: `6m0s`, `1h0m30s`, `20s`. */
const formatDuration = (seconds: number): string => {
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const rest = `${seconds % 60}s`;
  if (hours > 0) return `${hours}h${minutes}m${rest}`;
  return minutes > 0 ? `${minutes}m${rest}` : rest;
};

/** All header names that a response may carry, for proxies and CORS. */
export const limitHeaderNames: readonly string[] = [
  ...[
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'RateLimit-Policy',
    'RateLimit',
    'Retry-After',
  ],
  'X-RateLimit-Degrade',
  ...['requests', 'tokens'].flatMap((family) =>
    ['limit', 'remaining', 'reset'].map((part) => `x-ratelimit-${part}-${family}`),
  ),
];

const headerFamilies: { readonly [unit: string]: string | undefined } = {
  requests: 'requests',
  tokens: 'tokens',
  'input-tokens': 'tokens',
  'output-tokens': 'tokens',
} satisfies { readonly [unit in Unit]?: string };

/** The first limit of each family, which is the binding one. */
const familyHeaders = (limits: readonly HeaderLimit[]): Headers => {
  const headers: Headers = {};
  for (const { unit, limit, remaining, resetSeconds } of limits) {
    const family = headerFamilies[unit];
    if (family === undefined || headers[`x-ratelimit-limit-${family}`] !== undefined) continue;
    headers[`x-ratelimit-limit-${family}`] = formatInteger(limit);
    headers[`x-ratelimit-remaining-${family}`] = formatInteger(remaining);
    headers[`x-ratelimit-reset-${family}`] = formatDuration(resetSeconds);
  }
  return headers;
};

/** Percent-encodes everything but visible ASCII. */
const encodeHeaderText = (text: string): string =>
  text.replaceAll(/[^\x20-\x24\x26-\x7e]/gu, (letter) => encodeURIComponent(letter));

/** The hint of a soft limit that is over. */
export const degradeOf = ({ outcome, hint = 'yes' }: Pick<Decision, 'outcome' | 'hint'>): string | undefined =>
  outcome === 'degrade' ? encodeHeaderText(hint) : undefined;

interface LimitRefusal extends Pick<Decision, 'retryAfterSeconds' | 'hint'> {
  readonly outcome: 'deny';
  readonly limits: readonly HeaderLimit[];
}

/** Empty if nothing was counted. */
export const limitHeaders = (decision: Decision | LimitRefusal): { readonly [name: string]: string } => {
  const { retryAfterSeconds, outcome } = decision;
  const limits: readonly HeaderLimit[] = decision.limits;
  const visibleLimits = nameLimits(limits.filter(({ watched }) => watched !== true));
  const [binding] = visibleLimits;
  const retry: Headers =
    outcome === 'deny' && retryAfterSeconds > 0 ? { 'Retry-After': formatInteger(retryAfterSeconds) } : {};
  if (binding === undefined) return retry;
  const degrade = degradeOf(decision);
  return {
    'X-RateLimit-Limit': formatInteger(binding.limit),
    'X-RateLimit-Remaining': formatInteger(binding.remaining),
    'X-RateLimit-Reset': formatInteger(binding.resetSeconds),
    'RateLimit-Policy': visibleLimits.map(policyItem).join(', '),
    RateLimit: visibleLimits.map(limitItem).join(', '),
    ...familyHeaders(visibleLimits),
    ...(degrade === undefined ? {} : { 'X-RateLimit-Degrade': degrade }),
    ...retry,
  };
};
