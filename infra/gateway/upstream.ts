/** A service behind the gateway: its connections, and questions of our own to it. */
import { type Either, left, right } from 'fp-ts/Either';
import type { Dispatcher } from 'undici';
import type { CallerSigner } from '../http/caller-signer';
import { identityHeader, signCaller } from '../http/identity';
import { type Choice, openCopies } from './copies';

export interface Upstream {
  /** As people call it, in details. */
  readonly title: string;
  /** Of the copy whose turn it is. */
  readonly next: () => string;
  /** Nobody listens at that one. */
  readonly missed: (url: string) => void;
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
  const { next, missed, dispatcher, of, close } = openCopies(url.split(',') as [string, ...string[]], {
    connections: null,
    pipelining: 1,
    connect: { timeout: 2_000 },
    headersTimeout: headersMilliseconds,
    bodyTimeout: silenceMilliseconds,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 60_000,
  });
  const upstream = (choice: Choice): Upstream => ({
    ...{ title, next: choice.next, missed: choice.missed, pool: choice.dispatcher, close },
    of: (key) => upstream(of(key)),
  });
  return upstream({ next, missed, dispatcher });
};

const questionMilliseconds = 2_000;

/** Asks without an identity: public paths and the service's own documents. */
export const askJson = async (
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
      signal: AbortSignal.timeout(questionMilliseconds),
    });
    const content = await body.json();
    return statusCode < 300 ? right(content) : left(`${upstream.title} answered ${statusCode}`);
  } catch {
    return left(`${upstream.title} does not answer`);
  }
};
