/** The service that models run in: where it is, and what of a request and its answer is between it and the caller. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { openUpstream, type Upstream } from './upstream';

export interface ModelsUpstream extends Upstream {
  /** What comes before its paths. */
  readonly base: string;
  readonly key: string | undefined;
}

/** Answers that are not streamed come when they are complete. */
const longestAnswerMilliseconds = 600_000;
const longestSilenceMilliseconds = 300_000;

export const openModelsUpstream = (url: string, key: string | undefined): ModelsUpstream => {
  const { origin, pathname } = new URL(url);
  const upstream = openUpstream({
    title: 'model service',
    url: origin,
    headersMilliseconds: longestAnswerMilliseconds,
    silenceMilliseconds: longestSilenceMilliseconds,
  });
  // Most are named with it; its paths begin with it here.
  return { ...upstream, base: pathname.replace(/(?:\/v1)?\/*$/, ''), key };
};

type Headers = Record<string, string | string[]>;

/** Whose account it is, and who asks, is not for callers to say: all that passes is named. */
const passedOn = ['accept', 'content-type', 'openai-beta'];
const passedBack = [
  'cache-control',
  'content-encoding',
  'content-type',
  'openai-processing-ms',
  'openai-version',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
];

const only = (names: readonly string[], headers: IncomingHttpHeaders): Headers =>
  Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));

/** What was used is read from the answer: it must come as it is. */
export const modelsRequestHeaders = (
  { headers }: IncomingMessage,
  { key }: ModelsUpstream,
  requestId: string,
): Headers => ({
  ...only(passedOn, headers),
  'accept-encoding': 'identity',
  'user-agent': 'septet',
  'x-request-id': requestId,
  ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
});

export const modelsAnswerHeaders = (headers: IncomingHttpHeaders): Headers => only(passedBack, headers);

/** What it holds against our account is not the caller's business, nor is where else it might be. */
export const isOurFault = (status: number): boolean =>
  status === 401 || status === 403 || status === 407 || (status >= 300 && status < 400);
