/** Decisions as an Envoy takes them: a status for each descriptor, and what goes to whoever asked it. */
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

/** No wait helps what is too large, or blocked. */
const waitOf = ({ decision: { retryAfterSeconds } }: DecidedGroup): number =>
  retryAfterSeconds === 0 ? Number.POSITIVE_INFINITY : retryAfterSeconds;

/** What refuses for the longest time, or else where the least is left. */
const bindingOf = (decided: readonly DecidedGroup[]): DecidedGroup | undefined => {
  const refused = decided.filter(isDenied);
  if (refused.length > 0) return refused.reduce((one, other) => (waitOf(other) > waitOf(one) ? other : one));
  return [...decided].sort((one, other) => shareLeft(one) - shareLeft(other))[0];
};

/** For the service behind: it may serve less, or wait for the request's turn. */
const requestHeadersFor = (decided: readonly DecidedGroup[]): readonly Header[] => {
  const hints = decided.flatMap(({ decision }): readonly Header[] => {
    const hint = degradeOf(decision);
    return hint === undefined ? [] : [['x-ratelimit-degrade', hint]];
  });
  const maxDelay = Math.max(0, ...decided.map(({ decision }) => decision.turnMilliseconds));
  return maxDelay === 0 ? hints.slice(0, 1) : [...hints.slice(0, 1), ['x-ratelimit-turn-ms', String(maxDelay)]];
};

const buildDenial = (decision: Decision): Pick<RateLimitResponse, 'responseHeaders' | 'body'> => {
  const { headers, body } = denialResponse(decision);
  return {
    responseHeaders: Object.entries({ ...headers, 'Content-Type': 'application/json' }),
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
  const responseHeaders = binding === undefined ? [] : Object.entries(limitHeaders(binding.decision));
  return { code: codes.ok, statuses, responseHeaders, requestHeaders: requestHeadersFor(decided), body: '' };
};
