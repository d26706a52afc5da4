/** Builds the response to Envoy: a status per descriptor, and headers and body for the client. */
import { type Decision, denialResponse, limitHeaders } from '../../../packages/ratelimit/src/index';
import { degradeOf } from '../../../packages/ratelimit/src/server';
import { type DecidedGroup, isDenied } from './decide-groups';
import { codes, type DescriptorStatus, type Header, periodOf, type RateLimitResponse } from './messages';

const buildStatus = (decided: DecidedGroup): DescriptorStatus => {
  const code = isDenied(decided) ? codes.overLimit : codes.ok;
  const binding = decided.decision.limits.find(({ watched }) => !watched);
  if (binding === undefined) return { code };
  const { unit, limit, remaining, resetSeconds, windowSeconds } = binding;
  const period = periodOf(windowSeconds);
  return { code, limit: { name: unit, requestsPerUnit: limit, period, remaining, resetSeconds } };
};

const shareLeft = ({ decision }: DecidedGroup): number => {
  const binding = decision.limits.find(({ watched }) => !watched);
  return binding === undefined ? 1 : binding.remaining / binding.limit;
};

/** Denials without a retry time (too large, blocked) bind most. */
const waitOf = ({ decision: { retryAfterSeconds } }: DecidedGroup): number =>
  retryAfterSeconds === 0 ? Number.POSITIVE_INFINITY : retryAfterSeconds;

/** The denial with the longest wait, else the group with the smallest share left. */
const bindingOf = (decided: readonly DecidedGroup[]): DecidedGroup | undefined => {
  const refused = decided.filter(isDenied);
  if (refused.length > 0) return refused.reduce((one, other) => (waitOf(other) > waitOf(one) ? other : one));
  return [...decided].sort((one, other) => shareLeft(one) - shareLeft(other))[0];
};

const headersOf = (values: { readonly [name: string]: string }): readonly Header[] =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

/** Headers for the upstream service: it may serve less, or delay the request. */
const requestHeadersFor = (decided: readonly DecidedGroup[]): readonly Header[] => {
  const hints = decided.flatMap(({ decision }): readonly Header[] => {
    const hint = degradeOf(decision);
    return hint === undefined ? [] : [{ name: 'x-ratelimit-degrade', value: hint }];
  });
  const maxDelay = Math.max(0, ...decided.map(({ decision }) => decision.turnMilliseconds));
  if (maxDelay === 0) return hints.slice(0, 1);
  return [...hints.slice(0, 1), { name: 'x-ratelimit-turn-ms', value: String(maxDelay) }];
};

const buildDenial = (decision: Decision): Pick<RateLimitResponse, 'responseHeaders' | 'body'> => {
  const { headers, body } = denialResponse(decision);
  return {
    responseHeaders: headersOf({ ...headers, 'Content-Type': 'application/json' }),
    body: JSON.stringify(body),
  };
};

export const buildResponse = (decided: readonly DecidedGroup[], descriptors: number): RateLimitResponse => {
  const unlimited: DescriptorStatus = { code: codes.ok };
  const statuses = Array.from({ length: descriptors }, () => unlimited);
  for (const one of decided) for (const index of one.group.descriptorIndexes) statuses[index] = buildStatus(one);
  const binding = bindingOf(decided);
  if (binding !== undefined && isDenied(binding))
    return { code: codes.overLimit, statuses, requestHeaders: [], ...buildDenial(binding.decision) };
  const responseHeaders = binding === undefined ? [] : headersOf(limitHeaders(binding.decision));
  return { code: codes.ok, statuses, responseHeaders, requestHeaders: requestHeadersFor(decided), body: '' };
};
