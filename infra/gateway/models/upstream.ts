/** Connection to the model service, and the headers that pass in each direction. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { openUpstream, type Upstream } from '../proxy/upstreams';

export interface ModelUpstream extends Upstream {
  /** Path prefix of the service. */
  readonly base: string;
  readonly key: string | undefined;
}

/** Responses that are not streamed arrive only when complete. */
const maxAnswerMilliseconds = 600_000;
const maxSilenceMilliseconds = 300_000;

export const openModelUpstream = (url: string, key: string | undefined): ModelUpstream => {
  const { origin, pathname } = new URL(url);
  const upstream = openUpstream({
    title: 'model service',
    url: origin,
    headersMilliseconds: maxAnswerMilliseconds,
    silenceMilliseconds: maxSilenceMilliseconds,
  });
  // Base URLs usually end with /v1, which the paths here contain.
  return { ...upstream, base: pathname.replace(/(?:\/v1)?\/*$/, ''), key };
};

type Headers = Record<string, string | string[]>;

/** Allowlist: callers must not choose the account or claim an identity. */
const requestHeaderNames = ['accept', 'content-type', 'openai-beta'];
const responseHeaderNames = [
  'cache-control',
  'content-encoding',
  'content-type',
  'openai-processing-ms',
  'openai-version',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
];

const pickHeaders = (names: readonly string[], headers: IncomingHttpHeaders): Headers =>
  Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));

/** Requests an uncompressed response, because usage is read from it. */
export const modelRequestHeaders = (
  { headers }: IncomingMessage,
  { key }: ModelUpstream,
  requestId: string,
): Headers => ({
  ...pickHeaders(requestHeaderNames, headers),
  'accept-encoding': 'identity',
  'user-agent': 'septet',
  'x-request-id': requestId,
  ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
});

export const modelResponseHeaders = (headers: IncomingHttpHeaders): Headers =>
  pickHeaders(responseHeaderNames, headers);

/** Errors that concern the installation's account are hidden from callers. */
export const isOurFault = (status: number): boolean =>
  status === 401 || status === 403 || status === 407 || (status >= 300 && status < 400);
