/** The service that models run in: where it is, and what of a request and its answer is between it and the caller. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { openUpstream, type Upstream } from '../proxy/upstreams';

export interface ModelUpstream extends Upstream {
  /** What comes before its paths. */
  readonly base: string;
  readonly key: string | undefined;
}

/** Answers that are not streamed come when they are complete. */
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
  // Most are named with it; its paths begin with it here.
  return { ...upstream, base: pathname.replace(/(?:\/v1)?\/*$/, ''), key };
};

type Headers = Record<string, string | string[]>;

/** Whose account it is, and who asks, is not for callers to say: all that passes is named. */
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

/** What was used is read from the answer: it must come as it is. */
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

/** What it holds against our account is not the caller's business, nor is where else it might be. */
export const isOurFault = (status: number): boolean =>
  status === 401 || status === 403 || status === 407 || (status >= 300 && status < 400);
