/**
 * Requests that fail before anybody is known by them: what one place sends of them is counted, after it was answered, and where that is
 * too much it is answered no further for a while. What succeeds costs nothing of it, and waits for nothing.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Decision } from '../ratelimit/decision';
import { normalised } from '../ratelimit/dimensions';
import { type Refusal, refusal } from '../ratelimit/refused';
import { athOf } from '../verify/dpop';
import type { KeptTokens } from '../verify/kept-tokens';
import { addressOf } from './client-address';
import type { RateLimit } from './rate-limit';
import { enteredAs } from './rate-limit-door';
import { isDiscovery } from './rate-limit-routes';

export interface Failures {
  /** Of a place that fails too often, whoever asks; undefined: go on. */
  readonly over: (request: IncomingMessage) => Refusal | undefined;
  /** The same before it is known who asks: whoever shares the place and has shown a good token before may go on. */
  readonly ahead: (request: IncomingMessage) => Refusal | undefined;
  /** Counts it when it has been answered, if it failed. */
  readonly watch: (response: ServerResponse) => void;
  readonly failed: (request: IncomingMessage) => void;
}

export interface FailuresOptions {
  readonly rateLimit: RateLimit;
  readonly kept: Pick<KeptTokens, 'find'>;
  /** Milliseconds that never go backward. */
  readonly now?: () => number;
  /** Places that are known to be over; 10,000 when left out. */
  readonly most?: number;
}

/** As rules call it. */
export const failureGroup = 'refused';

const mostPlaces = 10_000;

interface Over {
  readonly decision: Decision;
  readonly since: number;
}

/** What has been counted for somebody is theirs; of what is counted for a place, only what tries things out is counted here as well. */
const isFailure = ({ req, statusCode: status }: ServerResponse): boolean => {
  const entered = enteredAs(req);
  if (entered === 'known' || status === 429) return false;
  return status === 401 || (entered === undefined && status >= 400 && status < 500);
};

const untilOf = ({ decision, since }: Over): number => since + decision.retryAfterSeconds * 1_000;

/** As it would be said now. */
const refusalAt = ({ decision, since }: Over, now: number): Refusal => {
  const passed = Math.floor((now - since) / 1_000);
  const left = (seconds: number): number => Math.max(1, seconds - passed);
  const limits = decision.limits.map((one) => ({ ...one, resetSeconds: left(one.resetSeconds) }));
  return refusal({ ...decision, limits, retryAfterSeconds: left(decision.retryAfterSeconds) });
};

/** The oldest are let go of: they are found again by what they do next. */
const openPlaces = (most: number, now: () => number) => {
  const places = new Map<string, Over>();
  return {
    put: (place: string, over: Over): void => {
      const [oldest] = places.keys();
      places.delete(place);
      if (places.size >= most && oldest !== undefined) places.delete(oldest);
      places.set(place, over);
    },
    find: (place: string): Over | undefined => {
      const found = places.get(place);
      if (found === undefined || now() < untilOf(found)) return found;
      places.delete(place);
      return undefined;
    },
  };
};

const tokenIn = ({ headers: { authorization = '' } }: IncomingMessage): string | undefined =>
  /^(?:bearer|dpop) +(\S+) *$/i.exec(authorization)?.[1];

export const openFailures = (options: FailuresOptions): Failures => {
  const { rateLimit, kept, now = () => performance.now(), most = mostPlaces } = options;
  const places = openPlaces(most, now);
  // Without discovery and keys nobody behind that address could check a token any longer.
  const find = (request: IncomingMessage): Over | undefined =>
    isDiscovery(request.url ?? '') ? undefined : places.find(normalised('ip', addressOf(request)));
  const count = async (request: IncomingMessage, address: string): Promise<void> => {
    const place = normalised('ip', address);
    if (places.find(place) !== undefined) return;
    const { decision, over } = await rateLimit(request, { route: failureGroup, address });
    over?.();
    if (decision.outcome === 'deny') places.put(place, { decision, since: now() });
  };
  const counted = (request: IncomingMessage, address: string): void =>
    void count(request, address).catch(() => undefined);
  const over: Failures['over'] = (request) => {
    const found = find(request);
    return found === undefined ? undefined : refusalAt(found, now());
  };
  const isKnown = (request: IncomingMessage): boolean => {
    const token = tokenIn(request);
    return token !== undefined && kept.find(athOf(token)) !== undefined;
  };
  return {
    over,
    ahead: (request) => (find(request) === undefined || isKnown(request) ? undefined : over(request)),
    watch: (response) => {
      // Of a connection that is gone it is not known any more.
      const address = addressOf(response.req);
      response.once('close', () => (isFailure(response) ? counted(response.req, address) : undefined));
    },
    failed: (request) => counted(request, addressOf(request)),
  };
};
