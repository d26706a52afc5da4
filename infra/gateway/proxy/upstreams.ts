/** A service behind the gateway: its connections, and questions of our own to it. */
import { type Either, left, right } from 'fp-ts/Either';
import type { Dispatcher } from 'undici';
import type { CallerSigner } from '../../http/caller-signer';
import { identityHeader, signCaller } from '../../http/identity';
import { contextServices, type SystemService, serviceNamed } from '../../services';
import { type GatewayContext, urlOf } from '../config';
import type { Destination } from '../routing';
import { type EndpointSelector, openLoadBalancer } from './load-balancer';

export interface Upstream {
  /** As people call it, in details. */
  readonly title: string;
  /** Of the copy whose turn it is. */
  readonly next: () => string;
  /** Nobody listens at that one. */
  readonly markUnavailable: (url: string) => void;
  readonly pool: Dispatcher;
  /** The same, always by way of the copy that the key belongs to. */
  readonly of: (key: string) => Upstream;
  readonly close: () => Promise<void>;
}

export interface UpstreamOptions {
  readonly title: string;
  /** Of one copy, or of each of several with commas between. */
  readonly url: string;
  readonly headersMilliseconds?: number;
  /** Longest silence within an answer; streams send heartbeats more often. */
  readonly silenceMilliseconds?: number;
}

export const openUpstream = ({ title, url, ...limits }: UpstreamOptions): Upstream => {
  const { headersMilliseconds = 30_000, silenceMilliseconds = 60_000 } = limits;
  const {
    next,
    markUnavailable: missed,
    dispatcher,
    of,
    close,
  } = openLoadBalancer(url.split(',') as [string, ...string[]], {
    connections: null,
    pipelining: 1,
    connect: { timeout: 2_000 },
    headersTimeout: headersMilliseconds,
    bodyTimeout: silenceMilliseconds,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 60_000,
  });
  const upstream = (choice: EndpointSelector): Upstream => ({
    ...{ title, next: choice.next, markUnavailable: choice.markUnavailable, pool: choice.dispatcher, close },
    of: (key) => upstream(of(key)),
  });
  return upstream({ next, markUnavailable: missed, dispatcher });
};

const maxQueryMilliseconds = 2_000;

/** Asks without an identity: public paths and the service's own documents. */
export const fetchServiceJson = async (
  upstream: Upstream,
  signer: CallerSigner,
  path: string,
): Promise<Either<string, unknown>> => {
  const line = { method: 'GET', target: path };
  const header = signCaller({ identity: undefined, requestId: 'gateway' }, { signer, line, now: Date.now() });
  try {
    const { statusCode, body } = await upstream.pool.request({
      method: 'GET',
      path,
      headers: { [identityHeader]: header },
      signal: AbortSignal.timeout(maxQueryMilliseconds),
    });
    const content = await body.json();
    return statusCode < 300 ? right(content) : left(`${upstream.title} answered ${statusCode}`);
  } catch {
    return left(`${upstream.title} does not answer`);
  }
};

/** The services behind the gateway. */

/** By the service's name. Undefined: it does not run, or, as blobs in a bucket, has an address of its own. */
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
  // Without an address of theirs, the command API answers that what processes serve is not there.
  const processes = open(serviceNamed('processes')) ?? commands;
  const blobs = open(serviceNamed('blobs'));
  const ofContexts = contextServices.map((service) => [service.name, open(service)] as const);
  const documented = [commands, readApi, processes, ...ofContexts.map(([, upstream]) => upstream)];
  const isOpen = (upstream: Upstream | undefined): upstream is Upstream => upstream !== undefined;
  const all = [...new Set(documented.filter(isOpen))];
  const connected = [...all, blobs].filter(isOpen);
  closing.add('connections', async () => void (await Promise.all(connected.map(({ close }) => close()))));
  const named: Upstreams = { commands, 'read-api': readApi, processes, blobs, ...Object.fromEntries(ofContexts) };
  return { all, open: connected, named };
};
