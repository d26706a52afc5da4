/** Copies of one service: each in turn, those that take work first; what was never sent to one is sent to the next. */
import { createHash } from 'node:crypto';
import { type Dispatcher, Pool } from 'undici';

export interface EndpointSelector {
  /** Whose turn it is. */
  readonly next: () => string;
  /** Nobody listens at that one: the others come first until it is seen to take work again. */
  readonly markUnavailable: (url: string) => void;
  /** Sends to whoever's turn it is. */
  readonly dispatcher: Dispatcher;
}

export interface LoadBalancer extends EndpointSelector {
  /** The same copy for the same key as long as it takes work. */
  readonly of: (key: string) => EndpointSelector;
  readonly close: () => Promise<void>;
}

interface Endpoint {
  readonly url: string;
  readonly pool: Pool;
  isReady: boolean;
}

/** A copy that is about to stop says so for longer than that before it does. */
const healthCheckMilliseconds = 500;
const maxHealthCheckMilliseconds = 1_000;

const checkHealth = async (endpoint: Endpoint): Promise<void> => {
  try {
    const signal = AbortSignal.timeout(maxHealthCheckMilliseconds);
    const { statusCode, body } = await endpoint.pool.request({ method: 'GET', path: '/readyz', signal });
    await body.dump();
    endpoint.isReady = statusCode < 300;
  } catch {
    endpoint.isReady = false;
  }
};

type Order = () => readonly Endpoint[];

/** Where nobody takes work, each is asked: an answer that says why is better than none. */
const readyFirst = (endpoints: readonly Endpoint[]): readonly Endpoint[] => [
  ...endpoints.filter(({ isReady: takesWork }) => takesWork),
  ...endpoints.filter(({ isReady: takesWork }) => !takesWork),
];

const roundRobin = (endpoints: readonly Endpoint[]): Order => {
  let turn = 0;
  return () => {
    turn = (turn + 1) % endpoints.length;
    return readyFirst([...endpoints.slice(turn), ...endpoints.slice(0, turn)]);
  };
};

const rendezvousScore = ({ url }: Endpoint, key: string): string =>
  createHash('sha1').update(`${key}\n${url}`).digest('hex');

/** Rendezvous hashing (Thaler and Ravishankar, 1996): a copy that comes or goes moves its own keys only. */
const rendezvousOrder = (endpoints: readonly Endpoint[], key: string): Order => {
  const scored = endpoints.map((endpoint) => ({ copy: endpoint, score: rendezvousScore(endpoint, key) }));
  const ordered = scored
    .toSorted((one, other) => (one.score < other.score ? -1 : 1))
    .map(({ copy: endpoint }) => endpoint);
  return () => readyFirst(ordered);
};

const connectErrorCodes = new Set([
  'ECONNREFUSED',
  'UND_ERR_CONNECT_TIMEOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

const isConnectFailure = (error: Error): boolean => 'code' in error && connectErrorCodes.has(String(error.code));

type Handler = Dispatcher.DispatchHandler;

/** Nothing was asked for yet where no connection came about, so a body is still whole. */
const dispatchToNext = (
  options: Dispatcher.DispatchOptions,
  handler: Handler,
  [endpoint, ...others]: readonly Endpoint[],
): boolean => {
  if (endpoint === undefined) return false;
  if (others.length === 0) return endpoint.pool.dispatch(options, handler);
  return endpoint.pool.dispatch(options, {
    onRequestStart: (controller, context: unknown) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (...upgraded) => handler.onRequestUpgrade?.(...upgraded),
    onResponseStart: (...started) => handler.onResponseStart?.(...started),
    onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError: (controller, error) => {
      if (!isConnectFailure(error)) return handler.onResponseError?.(controller, error);
      endpoint.isReady = false;
      dispatchToNext(options, handler, others);
    },
  });
};

const startHealthChecks = (endpoints: readonly Endpoint[]): (() => void) => {
  let looking = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void Promise.all(endpoints.map(checkHealth)).finally(() => {
      looking = false;
    });
  }, healthCheckMilliseconds);
  timer.unref();
  return () => clearInterval(timer);
};

const singleEndpoint = ({ url, pool }: Endpoint): LoadBalancer => {
  const choice = { next: () => url, markUnavailable: () => undefined, dispatcher: pool };
  return { ...choice, of: () => choice, close: () => pool.destroy() };
};

export const openLoadBalancer = (urls: readonly [string, ...string[]], options: Pool.Options): LoadBalancer => {
  const endpoints = urls.map((url): Endpoint => ({ url, pool: new Pool(url, options), isReady: true }));
  const [first, ...others] = endpoints as [Endpoint, ...Endpoint[]];
  if (others.length === 0) return singleEndpoint(first);
  const stop = startHealthChecks(endpoints);
  const markUnavailable = (url: string): void => {
    for (const endpoint of endpoints) if (endpoint.url === url) endpoint.isReady = false;
  };
  const choice = (order: Order): EndpointSelector => ({
    next: () => (order()[0] ?? first).url,
    markUnavailable,
    dispatcher: first.pool.compose(() => (asked, handler) => dispatchToNext(asked, handler, order())),
  });
  return {
    ...choice(roundRobin(endpoints)),
    of: (key) => choice(rendezvousOrder(endpoints, key)),
    close: async () => {
      stop();
      await Promise.all(endpoints.map(({ pool }) => pool.destroy()));
    },
  };
};
