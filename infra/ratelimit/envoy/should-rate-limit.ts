/** `ShouldRateLimit`: a request in, an answer out, or a status that leaves it to the Envoy what then holds. */
import { status } from '@grpc/grpc-js';
import type { Metrics } from '../../ports/metrics';
import { responseOf } from './answering';
import { type Deciding, decideGroups } from './decisions';
import { type Keys, questionOf } from './descriptors';
import { groupsOf } from './groups';
import { type Descriptor, most, type RateLimitRequest, type RateLimitResponse } from './messages';
import { periodMillisecondsOf } from './overrides';
import { CallRefused } from './refused';

export interface Answering extends Deciding {
  readonly keys: Keys;
  /** Empty: all. */
  readonly domains: ReadonlySet<string>;
  readonly honoursOverrides: boolean;
  readonly hasPlan: (plan: string) => boolean;
  readonly metrics: Metrics;
}

const faultOf = ({ entries, limit }: Descriptor, honoursOverrides: boolean): string | undefined => {
  if (entries.length > most.entries) return `A descriptor has ${most.entries} entries at most.`;
  if (honoursOverrides && limit !== undefined && periodMillisecondsOf(limit) === undefined)
    return 'A limit of a descriptor cannot be counted.';
  return undefined;
};

const refuse = (why: string): never => {
  throw new CallRefused(status.INVALID_ARGUMENT, why);
};

const check = ({ domain, descriptors }: RateLimitRequest, honoursOverrides: boolean): void => {
  if (domain === '' || domain.length > 256) refuse('A request names a domain, of 256 characters at most.');
  if (descriptors.length === 0 || descriptors.length > most.descriptors)
    refuse(`A request has from 1 to ${most.descriptors} descriptors.`);
  const fault = descriptors.map((one) => faultOf(one, honoursOverrides)).find((one) => one !== undefined);
  if (fault !== undefined) refuse(fault);
};

export const shouldRateLimit = (answering: Answering) => {
  const { keys, domains, honoursOverrides, hasPlan, metrics } = answering;
  const unmatched = metrics.counter({
    name: 'ratelimit_descriptors_unmatched_total',
    help: 'Descriptors that no limit is for: they pass.',
  });
  return async (request: RateLimitRequest): Promise<RateLimitResponse> => {
    check(request, honoursOverrides);
    const { domain, descriptors, hits } = request;
    const isKnown = domains.size === 0 || domains.has(domain);
    const questions = descriptors.map((one) => (isKnown ? questionOf(one, keys, hits) : undefined));
    const plans = questions.flatMap((question) => question?.said.plan ?? []);
    if (!plans.every(hasPlan)) refuse('The policy has no such plan.');
    const passing = questions.filter((question) => question === undefined).length;
    if (passing > 0) unmatched({}, passing);
    const decided = await decideGroups(answering, groupsOf(questions), domain);
    if (decided.some(({ decision }) => decision.reason === 'store-unavailable'))
      throw new CallRefused(status.UNAVAILABLE, 'Nothing can be counted right now.');
    return responseOf(decided, descriptors.length);
  };
};
