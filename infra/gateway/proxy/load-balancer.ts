/** Load balancer over the endpoints of one service: round robin, rendezvous hashing for keys, and active health checks. */
import { createHash } from 'node:crypto';
import { type Dispatcher, Pool } from 'undici';

export interface EndpointSelector {
  /** URL of the next endpoint. */
  readonly next: () => string;
  /** Moves the endpoint to the end until a health check succeeds again. */
  readonly markUnavailable: (url: string) => void;
  /** Sends a request to the next endpoint. */
  readonly dispatcher: Dispatcher;
}

export interface LoadBalancer extends EndpointSelector {
  /** Selects the same endpoint for the same key while it is healthy. */
  readonly of: (key: string) => EndpointSelector;
  readonly close: () => Promise<void>;
}

interface Endpoint {
  readonly url: string;
  readonly pool: Pool;
  isReady: boolean;
}

/** Shorter than the time for which a stopping endpoint reports not ready. */
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

/** Without a healthy endpoint all are tried: an error of one explains more than none. */
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

/** Rendezvous hashing (Thaler and Ravishankar, 1996): adding or removing an endpoint moves only its own keys. */
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

/** Tries the next endpoint when no connection was established: no byte of the body was sent, so the request can be repeated. */
const dispatchToNext = (
  options: Dispatcher.DispatchOptions,
  handler: Handler,
  endpoints: readonly Endpoint[],
): boolean => {
  const [endpoint, ...others] = endpoints;
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

export const openLoadBalancer = (urls: readonly string[], options: Pool.Options): LoadBalancer => {
  const endpoints = urls.map((url): Endpoint => ({ url, pool: new Pool(url, options), isReady: true }));
  const [first, ...others] = endpoints;
  if (first === undefined) throw new Error('A load balancer needs at least one URL.');
  if (others.length === 0) return singleEndpoint(first);
  const stop = startHealthChecks(endpoints);
  const markUnavailable = (url: string): void => {
    for (const endpoint of endpoints) if (endpoint.url === url) endpoint.isReady = false;
  };
  const choice = (order: Order): EndpointSelector => ({
    next: () => (order()[0] ?? first).url,
    markUnavailable,
    dispatcher: first.pool.compose(
      () => (dispatchOptions, handler) => dispatchToNext(dispatchOptions, handler, order()),
    ),
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
