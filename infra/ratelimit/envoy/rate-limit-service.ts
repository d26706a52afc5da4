/** The gRPC endpoint for Envoy: `ShouldRateLimit` over the configured limiters. */

import { status } from '@grpc/grpc-js';
import type { Log } from '../../ports/runtime/log';
import type { Metrics } from '../../ports/runtime/metrics';
import type { DecisionDeps } from '../service/decision-service';
import type { LimiterSet } from '../service/limiter-set';
import { buildResponse } from './build-response';
import { decideGroups, type GroupDecisionDeps } from './decide-groups';
import { createKeyMeanings, decodeDescriptor, groupDescriptors, isUsageReport, type KeyMeanings } from './descriptors';
import { GrpcError, type GrpcServer, type GrpcTls, openGrpcServer } from './grpc-server';
import { createLimitOverrides, periodMillisecondsOf } from './limit-overrides';
import { type Descriptor, maxSizes, type RateLimitRequest, type RateLimitResponse } from './messages';

export interface EnvoyEndpointOptions {
  readonly host: string;
  readonly port: number;
  readonly secured?: GrpcTls | undefined;
  /** Pairs as configured: `x-team=project`. */
  readonly keys: readonly string[];
  readonly domains: readonly string[];
  readonly honoursOverrides: boolean;
  readonly limiters: LimiterSet;
  readonly onDecision: DecisionDeps['onDecision'];
  readonly metrics: Metrics;
  readonly log: Log;
}

export const openEnvoyEndpoint = async (options: EnvoyEndpointOptions): Promise<GrpcServer> => {
  const { limiters, onDecision, honoursOverrides, metrics } = options;
  const overrides = createLimitOverrides(limiters.limiterOf);
  const answer = createShouldRateLimit({
    limiterFor: (group) => {
      const own = honoursOverrides ? overrides.limiterFor(group) : undefined;
      return own ?? (isUsageReport(group) && !group.isNegative ? limiters.usageOnly() : limiters.envoy());
    },
    onDecision,
    keys: createKeyMeanings(options.keys),
    domains: new Set(options.domains),
    honoursOverrides,
    hasPlan: limiters.hasPlan,
    metrics,
  });
  const server = await openGrpcServer({ ...options, answer });
  return {
    port: server.port,
    close: async () => {
      await server.close();
      await overrides.close();
    },
  };
};

export interface RateLimitServiceDeps extends GroupDecisionDeps {
  readonly keys: KeyMeanings;
  /** Empty: all domains are known. */
  readonly domains: ReadonlySet<string>;
  readonly honoursOverrides: boolean;
  readonly hasPlan: (plan: string) => boolean;
  readonly metrics: Metrics;
}

const descriptorProblem = ({ entries, limit }: Descriptor, honoursOverrides: boolean): string | undefined => {
  if (entries.length > maxSizes.entries) return `A descriptor has ${maxSizes.entries} entries at most.`;
  if (honoursOverrides && limit !== undefined && periodMillisecondsOf(limit) === undefined)
    return 'A limit of a descriptor cannot be counted.';
  return undefined;
};

const throwInvalid = (why: string): never => {
  throw new GrpcError(status.INVALID_ARGUMENT, why);
};

const validateRequest = ({ domain, descriptors }: RateLimitRequest, honoursOverrides: boolean): void => {
  if (domain === '' || domain.length > 256) throwInvalid('A request must name a domain, of at most 256 characters.');
  if (descriptors.length === 0 || descriptors.length > maxSizes.descriptors)
    throwInvalid(`A request has from 1 to ${maxSizes.descriptors} descriptors.`);
  const problem = descriptors.map((one) => descriptorProblem(one, honoursOverrides)).find((one) => one !== undefined);
  if (problem !== undefined) throwInvalid(problem);
};

/** Handler of `ShouldRateLimit`. An error status makes Envoy apply its own failure mode. */
const createShouldRateLimit = (deps: RateLimitServiceDeps) => {
  const { keys, domains, honoursOverrides, hasPlan, metrics } = deps;
  const unmatched = metrics.counter({
    name: 'ratelimit_descriptors_unmatched_total',
    help: 'Descriptors without a limit, which pass.',
  });
  return async (request: RateLimitRequest): Promise<RateLimitResponse> => {
    validateRequest(request, honoursOverrides);
    const { domain, descriptors, hits } = request;
    const isKnown = domains.size === 0 || domains.has(domain);
    const requests = descriptors.map((one) => (isKnown ? decodeDescriptor(one, keys, hits) : undefined));
    const plans = requests.flatMap((descriptorRequest) => descriptorRequest?.values.plan ?? []);
    if (!plans.every(hasPlan)) throwInvalid('The policy has no such plan.');
    const passing = requests.filter((descriptorRequest) => descriptorRequest === undefined).length;
    if (passing > 0) unmatched({}, passing);
    const decided = await decideGroups(deps, groupDescriptors(requests), domain);
    if (decided.some(({ decision }) => decision.reason === 'store-unavailable'))
      throw new GrpcError(status.UNAVAILABLE, 'The counters cannot be reached right now.');
    return buildResponse(decided, descriptors.length);
  };
};
