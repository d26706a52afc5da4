/**
 * Requests that fail before anybody is known by them. They are counted after they were answered: for what the request presents at its
 * address first (a token, a client, a browser), and for the address as a whole only far above that, so that one broken client does not
 * shut out those who share its address. What succeeds neither counts nor resets a count. Callers who have proved themselves pass.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Decision, type DenialResponse, denialResponse } from '../../packages/ratelimit/src/index';
import { normaliseDimension } from '../../packages/ratelimit/src/server';
import type { Caller, Callers } from './callers';
import { addressOf } from './client-address';
import type { RateLimit } from './rate-limit';
import { enteredAs } from './rate-limit-door';
import { isDiscovery } from './rate-limit-routes';

export interface Failures {
  /** The refusal of a caller, or of its whole place, that fails too often, whoever it is; undefined: go on. */
  readonly over: (request: IncomingMessage) => DenialResponse | undefined;
  /** The same before it is known who asks: callers who have proved themselves go on, and a few of those who may turn out to be good. */
  readonly ahead: (request: IncomingMessage) => DenialResponse | undefined;
  /** Counts the request when it has been answered, if it failed. */
  readonly watch: (response: ServerResponse) => void;
  readonly failed: (request: IncomingMessage) => void;
}

export interface FailuresOptions {
  readonly rateLimit: RateLimit;
  readonly callers: Callers;
  /** The rules that count a caller apart from its place. */
  readonly callerRules: ReadonlySet<string>;
  /** Milliseconds that never go backward. */
  readonly now?: () => number;
  /** Callers and places that are known to be over; 10,000 when left out. */
  readonly most?: number;
}

/** As rules call it. */
export const failureGroup = 'refused';

const mostOver = 10_000;

/**
 * Of callers over their limit, so many a second are looked at all the same: a token or a session that this gateway has not seen yet may be
 * good, and only verifying it tells. The bound keeps a flood of made-up ones cheap.
 */
const trialsPerSecond = { caller: 1, place: 50 } as const;

interface Over {
  readonly level: keyof typeof trialsPerSecond;
  readonly decision: Decision;
  readonly since: number;
  /** Looked at all the same, within one second. */
  readonly trials: { second: number; taken: number };
}

/** What has been counted for somebody is theirs; of what is counted for a place, only what tries things out is counted here as well. */
const isFailure = ({ req, statusCode: status }: ServerResponse): boolean => {
  const entered = enteredAs(req);
  if (entered === 'known' || status === 429) return false;
  return status === 401 || (entered === undefined && status >= 400 && status < 500);
};

const untilOf = ({ decision, since }: Over): number => since + decision.retryAfterSeconds * 1_000;

const takeTrial = ({ level, trials }: Over, now: number): boolean => {
  const second = Math.floor(now / 1_000);
  if (trials.second !== second) Object.assign(trials, { second, taken: 0 });
  trials.taken += 1;
  return trials.taken <= trialsPerSecond[level];
};

/** As it would be said now. */
const refusalAt = ({ decision, since }: Over, now: number): DenialResponse => {
  const passed = Math.floor((now - since) / 1_000);
  const left = (seconds: number): number => Math.max(1, seconds - passed);
  const limits = decision.limits.map((one) => ({ ...one, resetSeconds: left(one.resetSeconds) }));
  return denialResponse({ ...decision, limits, retryAfterSeconds: left(decision.retryAfterSeconds) });
};

/** The oldest are let go of: they are found again by what they do next. */
const openOvers = (most: number, now: () => number) => {
  const overs = new Map<string, Over>();
  return {
    isEmpty: (): boolean => overs.size === 0,
    put: (name: string, over: Over): void => {
      const [oldest] = overs.keys();
      overs.delete(name);
      if (overs.size >= most && oldest !== undefined) overs.delete(oldest);
      overs.set(name, over);
    },
    find: (name: string): Over | undefined => {
      const found = overs.get(name);
      if (found === undefined || now() < untilOf(found)) return found;
      overs.delete(name);
      return undefined;
    },
  };
};

export const openFailures = (options: FailuresOptions): Failures => {
  const { rateLimit, callers, callerRules, now = () => performance.now(), most = mostOver } = options;
  const overs = openOvers(most, now);
  const namesOf = (address: string, { key }: Caller): readonly [place: string, caller: string | undefined] => {
    const place = normaliseDimension('ip', address);
    return [place, key === undefined ? undefined : `${place} ${key}`];
  };
  const find = (address: string, caller: Caller): readonly Over[] =>
    namesOf(address, caller)
      .flatMap((name) => (name === undefined ? [] : [overs.find(name)]))
      .filter((over) => over !== undefined);
  /** Without discovery and keys nobody behind that address could check a token any longer. */
  const isExempt = (request: IncomingMessage): boolean => overs.isEmpty() || isDiscovery(request.url ?? '');
  const count = async (request: IncomingMessage, address: string): Promise<void> => {
    const caller = callers.of(request);
    if (!overs.isEmpty() && find(address, caller).length > 0) return;
    const { decision, over } = await rateLimit(request, { route: failureGroup, address, key: caller.key });
    over?.();
    if (decision.outcome !== 'deny') return;
    const binding = decision.limits.filter((limit) => limit.over);
    const isCallers = binding.length > 0 && binding.every(({ rule }) => callerRules.has(rule));
    const [place, own] = namesOf(address, caller);
    const found = { decision, since: now(), trials: { second: -1, taken: 0 } };
    if (isCallers && own !== undefined) overs.put(own, { ...found, level: 'caller' });
    else overs.put(place, { ...found, level: 'place' });
  };
  const counted = (request: IncomingMessage, address: string): void =>
    void count(request, address).catch(() => undefined);
  const over: Failures['over'] = (request) => {
    if (isExempt(request)) return undefined;
    const [found] = find(addressOf(request), callers.of(request));
    return found === undefined ? undefined : refusalAt(found, now());
  };
  return {
    over,
    ahead: (request) => {
      if (isExempt(request)) return undefined;
      const caller = callers.of(request);
      if (callers.isProven(caller)) return undefined;
      // Only what is presented can turn out to be good, and what was refused before does not.
      const mayTry = caller.kind !== 'nobody' && !callers.wasRefused(caller);
      const found = find(addressOf(request), caller).find((one) => !(mayTry && takeTrial(one, now())));
      return found === undefined ? undefined : refusalAt(found, now());
    },
    watch: (response) => {
      // Of a connection that is gone it is not known any more.
      const address = addressOf(response.req);
      response.once('close', () => {
        callers.learn(response);
        if (isFailure(response)) counted(response.req, address);
      });
    },
    failed: (request) => counted(request, addressOf(request)),
  };
};
