/** Checks requests with the limiter and reports the remaining limits in headers. */
import type { IncomingMessage } from 'node:http';
import {
  type Decision,
  type DenialResponse,
  denialResponse,
  type Limiter,
  type LimitRequest,
  limitHeaders,
  type Settlement,
} from '../../../packages/ratelimit/src/index';
import { decisionLabels, labelsOf } from '../../../packages/ratelimit/src/server';
import type { Refusal, RefusalRecorder } from '../../ports/rate-limit-reports';
import type { Log } from '../../ports/runtime/log';
import type { Metrics } from '../../ports/runtime/metrics';
import type { Identity } from '../../server/http/routing/route';
import { clientAddressOf } from '../authentication/client-address';
import { noteRefusal, verifiedCallerNote } from '../refusals/refusal-notes';
import { requestIdOf } from '../security-headers';
import { claimedClient, type KnownClient } from './claimed-client';
import { type LimitGroupOf, provenSuffix } from './route-groups';

export type LimitedIdentity = Pick<Identity, 'tenantId' | 'principalId' | 'clientId'>;

export interface RateLimitRequest {
  /** Undefined: before authentication. */
  readonly identity?: LimitedIdentity | undefined;
  /** Limit group of the matched route. */
  readonly limitGroup?: string | undefined;
  /** Route group of a check request, whose path belongs to another service. */
  readonly route?: string;
  /** Client address, when the connection may be closed. */
  readonly address?: string;
  /** Separates callers at one address before authentication; default: the claimed client. */
  readonly key?: string | undefined;
  /** The presented credential succeeded before: it counts in the group of proven callers, if the policy has one. */
  readonly isProven?: boolean;
  /** Before authentication: the client that the request names, if it is known to exist. */
  readonly client?: KnownClient | undefined;
}

export interface RateLimitResult {
  readonly decision: Decision;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: it may go on. */
  readonly refusal?: DenialResponse;
  /** Called when the request ends: releases what it took only for its duration. */
  readonly over?: () => void;
}

/** Checks the limits of one request. Called before routing; cheap static routes skip it. */
export type RateLimit = (request: IncomingMessage, limited: RateLimitRequest) => Promise<RateLimitResult>;

export interface RateLimitOptions {
  readonly limiter: Pick<Limiter, 'check' | 'reserve' | 'settle'>;
  /** Whether the policy limits concurrency. */
  readonly holds?: boolean;
  readonly groupOf: LimitGroupOf;
  /** Route groups that the policy's rules refer to. */
  readonly limitedGroups: ReadonlySet<string>;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  /** For operators; never waits. */
  readonly recordRefusal?: RefusalRecorder['record'];
}

const refusalOf = (
  { reason = 'limited', limits, retryAfterSeconds }: Decision,
  { identity, client }: RateLimitRequest,
  group: string,
): Omit<Refusal, 'requestId'> => ({
  enforcedBy: 'gateway',
  // Callers that only name a client take no room in its tenant's list.
  tenantId: identity?.tenantId ?? (client?.isProven === true ? client.tenantId : null),
  principalId: (identity ?? client)?.principalId ?? null,
  clientId: (identity ?? client)?.clientId ?? null,
  group,
  reason,
  rules: limits.filter(({ over, watched }) => over && !watched).map(({ rule }) => rule),
  retryAfterSeconds,
});

const reasonOf = ({ reason, rules }: Pick<Refusal, 'reason' | 'rules'>): string => {
  const named = rules.length === 0 ? 'a rate limit' : `the rate limit ${rules.join(' and ')}`;
  if (reason === 'blocked') return `Blocked by ${named}.`;
  return reason === 'too-large' ? `The request costs more than the whole of ${named}.` : `Over ${named}.`;
};

const storeUnavailable: Decision = {
  outcome: 'deny',
  reason: 'store-unavailable',
  limits: [],
  retryAfterSeconds: 1,
  turnMilliseconds: 0,
  policyVersion: '',
  source: 'policy',
};

const dimensionsOf = (
  request: IncomingMessage,
  { identity, key: presented, address = clientAddressOf(request) }: RateLimitRequest,
  route: string,
): LimitRequest['dimensions'] => {
  const key = identity === undefined ? (presented ?? claimedClient(request.headers.authorization)) : identity.clientId;
  return {
    ip: address,
    method: request.method ?? '',
    route,
    ...(identity === undefined ? {} : { tenant: identity.tenantId, user: identity.principalId }),
    ...(key === undefined ? {} : { key }),
  };
};

const tenantOf = ({ identity }: RateLimitRequest) => (identity === undefined ? {} : { tenant: identity.tenantId });

const createMetrics = (metrics: Metrics) => ({
  decided: metrics.counter({
    name: 'gateway_ratelimit_decisions_total',
    help: 'Decisions of the limiter, by route group; `local` and `policy`: while the store did not answer.',
    labels: [...decisionLabels, 'group'],
  }),
  took: metrics.histogram({
    name: 'gateway_ratelimit_seconds',
    help: 'Time to decide.',
    buckets: [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 1],
  }),
});

/** Larger announcements are not credible and count as no weight. */
const maxBytes = 2 ** 40;

const contentLengthOf = ({ headers }: IncomingMessage): number => {
  const bytes = Number(headers['content-length'] ?? 0);
  return Number.isSafeInteger(bytes) && bytes >= 0 ? Math.min(bytes, maxBytes) : 0;
};

/**
 * Delays before the gateway repeats a rate-limit check that the counter store did not answer; most outages of the store are shorter than
 * their sum.
 */
const retryDelays = [50, 250, 500];

const isStoreUnavailable = ({ outcome, reason }: Decision): boolean =>
  outcome === 'deny' && reason === 'store-unavailable';

const checkWithRetry = ({ limiter, holds = false, log, pause }: RateLimitOptions) => ({
  decide: async (limitRequest: LimitRequest): Promise<Decision> => {
    const once = () => (holds ? limiter.reserve(limitRequest) : limiter.check(limitRequest));
    try {
      let decision = await once();
      for (const milliseconds of retryDelays) {
        if (!isStoreUnavailable(decision)) break;
        await pause(milliseconds);
        decision = await once();
      }
      return decision;
    } catch (error) {
      // Fails closed: a request that triggers a defect must not bypass the limits.
      log.error({ error }, 'defect in the limiter');
      return storeUnavailable;
    }
  },
  /** Reservations that are not released expire with their lease. */
  overOf: ({ reservationId }: Decision, settled: Omit<Settlement, 'reservationId'>): Pick<RateLimitResult, 'over'> =>
    reservationId === undefined
      ? {}
      : { over: () => void limiter.settle({ ...settled, reservationId }).catch(() => undefined) },
});

export const createRateLimit = (options: RateLimitOptions): RateLimit => {
  const { groupOf, limitedGroups, metrics, pause, recordRefusal } = options;
  const groupFor = (
    { url = '', method = '' }: IncomingMessage,
    { route, identity, limitGroup, isProven = false }: RateLimitRequest,
  ): string => {
    const group = route ?? groupOf({ target: url, method, limitGroup });
    const apart = `${group}${provenSuffix}`;
    return isProven && identity === undefined && limitedGroups.has(apart) ? apart : group;
  };
  const { decided, took } = createMetrics(metrics);
  const { decide, overOf } = checkWithRetry(options);
  return async (request, limited) => {
    const began = performance.now();
    const group = groupFor(request, limited);
    const dimensions = dimensionsOf(request, limited, group);
    const weight = { requests: 1, bytes: contentLengthOf(request) };
    const decision = await decide({ dimensions, weight });
    took((performance.now() - began) / 1_000, {});
    const { outcome, turnMilliseconds } = decision;
    decided({ ...labelsOf(decision), group });
    const headers = limitHeaders(decision);
    if (outcome === 'deny') {
      const refusal = refusalOf(decision, limited, group);
      recordRefusal?.({ ...refusal, requestId: requestIdOf(request) });
      if (limited.client !== undefined) noteRefusal(request, limited.client);
      if (limited.identity !== undefined) noteRefusal(request, verifiedCallerNote(limited.identity));
      noteRefusal(request, { code: 'rate_limited', reason: reasonOf(refusal) });
      return { decision, headers, refusal: denialResponse(decision) };
    }
    if (turnMilliseconds > 0) await pause(turnMilliseconds);
    return { decision, headers, ...overOf(decision, { ...tenantOf(limited), actual: weight }) };
  };
};
