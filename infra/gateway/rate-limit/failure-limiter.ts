/**
 * Throttles failed requests before authentication. Counts per presented credential at an address, and per address only at a far higher
 * limit, so that one broken client does not block its neighbours. Successful requests neither count nor reset a counter; proven callers
 * pass.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { type Decision, type DenialResponse, denialResponse } from '../../../packages/ratelimit/src/index';
import { normaliseDimension } from '../../../packages/ratelimit/src/server';
import type { Upgrading } from '../../server/http/server/upgrade';
import { clientAddressOf } from '../authentication/client-address';
import type { GatewayMetrics } from '../metrics';
import { noteRefusal } from '../refusals/refusal-notes';
import type { CallerRegistry, UnverifiedCaller } from './caller-registry';
import { rateLimitSubject, refuseUpgrade, sendRateLimitRefusal } from './enforce';
import type { RateLimit } from './rate-limiter';
import { isDiscoveryPath } from './route-groups';

export interface FailureLimiter {
  /** The refusal of a caller or network with too many failures; undefined: not limited. */
  readonly over: (request: IncomingMessage) => DenialResponse | undefined;
  /** The same before authentication: lets proven callers pass, and a few probes of callers whose credential may be valid. */
  readonly findThrottled: (request: IncomingMessage) => DenialResponse | undefined;
  /** Counts the request when it has been answered, if it failed. */
  readonly observe: (response: ServerResponse) => void;
  /** Counts a WebSocket handshake that failed, and stops probes of a credential that it rejected. */
  readonly handshakeFailed: (request: IncomingMessage, status: number) => void;
  readonly handshakeSucceeded: (request: IncomingMessage) => void;
}

export interface FailureLimiterOptions {
  readonly rateLimit: RateLimit;
  readonly callers: CallerRegistry;
  /** Rules that count a caller separately from its address. */
  readonly callerRules: ReadonlySet<string>;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** Maximum number of throttled callers and addresses; default 10,000. */
  readonly most?: number;
}

/** Name of the route group in policies. */
export const failureRouteGroup = 'refused';

const maxThrottled = 10_000;

/**
 * Probes of throttled callers per second: a token or session that this gateway has not seen may be valid, which only verification shows.
 * The bound keeps floods of invalid ones cheap.
 */
const probesPerSecond = { caller: 1, place: 50 } as const;

interface Throttled {
  readonly level: keyof typeof probesPerSecond;
  readonly decision: Decision;
  readonly since: number;
  /** Probes within the current second. */
  readonly probes: { second: number; taken: number };
}

/** Failures of authenticated callers are theirs. For an address, only responses that indicate probing count. */
const isFailure = ({ req, statusCode: status }: ServerResponse): boolean => {
  const entered = rateLimitSubject(req);
  if (entered === 'known' || status === 429) return false;
  return status === 401 || (entered === undefined && status >= 400 && status < 500);
};

const throttledUntil = ({ decision, since }: Throttled): number => since + decision.retryAfterSeconds * 1_000;

const takeProbe = ({ level, probes: trials }: Throttled, now: number): boolean => {
  const second = Math.floor(now / 1_000);
  if (trials.second !== second) Object.assign(trials, { second, taken: 0 });
  trials.taken += 1;
  return trials.taken <= probesPerSecond[level];
};

/** The cached refusal, with the remaining time as of now. */
const throttleRefusal = ({ decision, since }: Throttled, now: number): DenialResponse => {
  const passed = Math.floor((now - since) / 1_000);
  const left = (seconds: number): number => Math.max(1, seconds - passed);
  const limits = decision.limits.map((one) => ({ ...one, resetSeconds: left(one.resetSeconds) }));
  return denialResponse({ ...decision, limits, retryAfterSeconds: left(decision.retryAfterSeconds) });
};

/** Drops the oldest entries; their next failure adds them again. */
const createThrottleTable = (most: number, now: () => number) => {
  const overs = new LRUCache<string, Throttled>({ max: most });
  return {
    isEmpty: (): boolean => overs.size === 0,
    put: (name: string, over: Throttled): void => void overs.set(name, over),
    find: (name: string): Throttled | undefined => {
      const found = overs.get(name);
      if (found === undefined || now() < throttledUntil(found)) return found;
      overs.delete(name);
      return undefined;
    },
  };
};

export const createFailureLimiter = (options: FailureLimiterOptions): FailureLimiter => {
  const { rateLimit, callers, callerRules, now = () => performance.now(), most = maxThrottled } = options;
  const overs = createThrottleTable(most, now);
  const namesOf = (
    address: string,
    { key }: UnverifiedCaller,
  ): readonly [place: string, caller: string | undefined] => {
    const place = normaliseDimension('ip', address);
    return [place, key === undefined ? undefined : `${place} ${key}`];
  };
  const find = (address: string, caller: UnverifiedCaller): readonly Throttled[] =>
    namesOf(address, caller)
      .flatMap((name) => (name === undefined ? [] : [overs.find(name)]))
      .filter((over) => over !== undefined);
  /** Exempts discovery and JWKS: without them no service behind the address could verify tokens. */
  const isExempt = (request: IncomingMessage): boolean => overs.isEmpty() || isDiscoveryPath(request.url ?? '');
  const count = async (request: IncomingMessage, address: string): Promise<void> => {
    const caller = callers.of(request);
    if (!overs.isEmpty() && find(address, caller).length > 0) return;
    const { decision, over } = await rateLimit(request, {
      route: failureRouteGroup,
      address,
      key: caller.key,
      client: callers.knownClientOf(caller),
    });
    over?.();
    if (decision.outcome !== 'deny') return;
    const binding = decision.limits.filter((limit) => limit.over);
    const isCallers = binding.length > 0 && binding.every(({ rule }) => callerRules.has(rule));
    const [place, own] = namesOf(address, caller);
    const found = { decision, since: now(), probes: { second: -1, taken: 0 } };
    if (isCallers && own !== undefined) overs.put(own, { ...found, level: 'caller' });
    else overs.put(place, { ...found, level: 'place' });
  };
  const counted = (request: IncomingMessage, address: string): void =>
    void count(request, address).catch(() => undefined);
  const over: FailureLimiter['over'] = (request) => {
    if (isExempt(request)) return undefined;
    const [found] = find(clientAddressOf(request), callers.of(request));
    return found === undefined ? undefined : throttleRefusal(found, now());
  };
  return {
    over,
    findThrottled: (request) => {
      if (isExempt(request)) return undefined;
      const caller = callers.of(request);
      if (callers.isProven(caller)) return undefined;
      // Only presented credentials can prove valid, and rejected ones cannot.
      const mayTry = caller.kind !== 'anonymous' && !callers.wasRejected(caller);
      const found = find(clientAddressOf(request), caller).find((one) => !(mayTry && takeProbe(one, now())));
      return found === undefined ? undefined : throttleRefusal(found, now());
    },
    observe: (response) => {
      // Read now: a closed connection has no address.
      const address = clientAddressOf(response.req);
      response.once('close', () => {
        callers.recordResponse(response);
        if (isFailure(response)) counted(response.req, address);
      });
    },
    handshakeFailed: (request, status) => {
      callers.recordHandshake(request, status);
      counted(request, clientAddressOf(request));
    },
    handshakeSucceeded: (request) => callers.recordHandshake(request, 101),
  };
};

export interface FailureLimitContext {
  readonly failures?: FailureLimiter | undefined;
  readonly callers?: Pick<CallerRegistry, 'of' | 'knownClientOf'> | undefined;
  readonly gatewayMetrics: Pick<GatewayMetrics, 'decided'>;
}

const throttledNote = {
  code: 'rate_limited',
  reason: 'Too many requests with this credential, or from this network, were refused before.',
};

const sendThrottled = (
  { gatewayMetrics, callers }: FailureLimitContext,
  response: ServerResponse,
  refusal: DenialResponse | undefined,
): boolean => {
  if (refusal === undefined) return false;
  gatewayMetrics.decided('refused', 'rate-limited');
  noteRefusal(response.req, { ...callers?.knownClientOf(callers.of(response.req)), ...throttledNote });
  sendRateLimitRefusal(response, refusal);
  return true;
};

/** Returns true when it sent the refusal. */
export const rejectThrottled = (context: FailureLimitContext, response: ServerResponse): boolean =>
  sendThrottled(context, response, context.failures?.findThrottled(response.req));

/** Replaces an error response by the refusal, for callers that were not throttled before. */
export const rejectFailedRequest = (context: FailureLimitContext, response: ServerResponse, status: number): boolean =>
  status < 500 && sendThrottled(context, response, context.failures?.over(response.req));

export const rejectThrottledUpgrade = (
  { gatewayMetrics, failures }: FailureLimitContext,
  upgrading: Upgrading,
): boolean => {
  const refusal = failures?.findThrottled(upgrading.request);
  if (refusal === undefined) return false;
  gatewayMetrics.decided('refused', 'rate-limited');
  noteRefusal(upgrading.request, throttledNote);
  refuseUpgrade(upgrading, refusal);
  return true;
};
