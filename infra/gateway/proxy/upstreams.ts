/** Connections to the services, and the gateway's own queries to them. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Dispatcher } from 'undici';
import type { CallerSigner } from '../../server/http/identity/caller-signer';
import { identityHeader, signCaller } from '../../server/http/identity/identity-header';
import { contextServices, type SystemService, serviceNamed } from '../../server/services';
import { type GatewayContext, urlOf } from '../config';
import type { Destination } from '../routing/destinations';
import { type EndpointSelector, openLoadBalancer } from './load-balancer';

export interface Upstream {
  /** Name in problem details. */
  readonly title: string;
  /** URL of the next endpoint. */
  readonly next: () => string;
  /** Marks the endpoint as unavailable. */
  readonly markUnavailable: (url: string) => void;
  readonly pool: Dispatcher;
  /** The same service, pinned to the endpoint of a key. */
  readonly of: (key: string) => Upstream;
  readonly close: () => Promise<void>;
}

export interface UpstreamOptions {
  readonly title: string;
  /** One endpoint, or several separated by commas. */
  readonly url: string;
  readonly headersMilliseconds?: number;
  /** Maximum pause within a response; streams send heartbeats more often. */
  readonly silenceMilliseconds?: number;
}

/**
 * Four reads of a client's socket may wait for the service. With undici's 64 KiB every read filled the buffer, so each one paused the
 * client's stream and resumed it: a quarter of the gateway's own time in uploads. What services answer is buffered as before: many
 * followers of events are slow.
 */
const uploadBuffer = { highWaterMark: undefined, readableHighWaterMark: 65_536, writableHighWaterMark: 262_144 };

export const openUpstream = ({ title, url, ...limits }: UpstreamOptions): Upstream => {
  const { headersMilliseconds = 30_000, silenceMilliseconds = 60_000 } = limits;
  const {
    next,
    markUnavailable: missed,
    dispatcher,
    of,
    close,
  } = openLoadBalancer(url.split(','), {
    connections: null,
    pipelining: 1,
    // Redirects return a state of 8,192 characters, percent-encoded.
    maxHeaderSize: 65_536,
    connect: { timeout: 2_000, ...uploadBuffer },
    headersTimeout: headersMilliseconds,
    bodyTimeout: silenceMilliseconds,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 60_000,
  });
  const upstream = (choice: EndpointSelector): Upstream => ({
    title,
    next: choice.next,
    markUnavailable: choice.markUnavailable,
    pool: choice.dispatcher,
    close,
    of: (key) => upstream(of(key)),
  });
  return upstream({ next, markUnavailable: missed, dispatcher });
};

const maxQueryMilliseconds = 2_000;

export interface ServiceQuery {
  readonly path: string;
  /** Of an answer that is known. */
  readonly etag?: string | undefined;
}

export interface ServiceAnswer {
  readonly content: unknown;
  readonly etag: string | undefined;
}

/** Fetches JSON without a caller's identity: public paths and internal documents. `unchanged`: the answer with that `etag` is still right. */
export const fetchServiceAnswer = async (
  upstream: Upstream,
  signer: CallerSigner,
  { path, etag }: ServiceQuery,
): Promise<Either<string, ServiceAnswer | 'unchanged'>> => {
  const line = { method: 'GET', target: path };
  const header = signCaller({ identity: undefined, requestId: 'gateway' }, { signer, line, now: Date.now() });
  try {
    const { statusCode, headers, body } = await upstream.pool.request({
      method: 'GET',
      path,
      headers: { [identityHeader]: header, ...(etag === undefined ? {} : { 'if-none-match': etag }) },
      signal: AbortSignal.timeout(maxQueryMilliseconds),
    });
    if (statusCode === 304) {
      await body.dump();
      return right('unchanged');
    }
    const content = await body.json();
    if (statusCode >= 300) return left(`${upstream.title} answered ${statusCode}`);
    return right({ content, etag: typeof headers.etag === 'string' ? headers.etag : undefined });
  } catch {
    return left(`${upstream.title} does not answer`);
  }
};

export const fetchServiceJson = async (
  upstream: Upstream,
  signer: CallerSigner,
  path: string,
): Promise<Either<string, unknown>> => {
  const answer = await fetchServiceAnswer(upstream, signer, { path });
  if (isLeft(answer)) return answer;
  return answer.right === 'unchanged' ? left(`${upstream.title} answered 304`) : right(answer.right.content);
};

/** By service name. Undefined: the service does not run or, like a blob bucket, has its own address. */
export interface Upstreams {
  readonly commands: Upstream;
  readonly 'read-api': Upstream;
  readonly [service: string]: Upstream | undefined;
}

export const upstreamFor = (upstreams: Upstreams, { upstream, key }: Destination): Upstream | undefined =>
  key === undefined ? upstreams[upstream] : upstreams[upstream]?.of(key);

export const openUpstreams = ({ config, closing }: GatewayContext) => {
  const open = ({ name, title, answerMilliseconds }: SystemService): Upstream | undefined => {
    const url = urlOf(config, name);
    const waits =
      answerMilliseconds === undefined
        ? {}
        : { headersMilliseconds: answerMilliseconds, silenceMilliseconds: answerMilliseconds };
    return url === undefined ? undefined : openUpstream({ title, url, ...waits });
  };
  const commands = open(serviceNamed('commands')) as Upstream;
  const readApi = open(serviceNamed('read-api')) as Upstream;
  // Without their own address, the command API answers for processes.
  const processes = open(serviceNamed('processes')) ?? commands;
  const projections = open(serviceNamed('projections'));
  const blobs = open(serviceNamed('blobs'));
  const ofContexts = contextServices.map((service) => [service.name, open(service)] as const);
  const documented = [commands, readApi, processes, projections, ...ofContexts.map(([, upstream]) => upstream)];
  const isOpen = (upstream: Upstream | undefined): upstream is Upstream => upstream !== undefined;
  const all = [...new Set(documented.filter(isOpen))];
  const connected = [...all, blobs].filter(isOpen);
  closing.add('connections', async () => void (await Promise.all(connected.map(({ close }) => close()))));
  const named: Upstreams = {
    commands,
    'read-api': readApi,
    processes,
    projections,
    blobs,
    ...Object.fromEntries(ofContexts),
  };
  return { all, open: connected, named };
};
