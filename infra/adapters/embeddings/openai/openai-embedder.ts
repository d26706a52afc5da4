/** A service that speaks as OpenAI's embeddings do: `POST {url}/embeddings`. Neither texts, nor the key, nor its answers are in what this returns as a fault. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fault } from '../../../../domain/kernel/rejection';
import type { Embedder, EmbedderFault } from '../../../ports/files/embedder';
import { backoffMilliseconds, pause } from '../../../server/runtime/backoff';
import { createGuardedFetch } from '../../remote/guarded-fetch';
import { retryAfterMilliseconds } from '../../remote/retry-after';
import { readVectors } from './read-vectors';
import { serviceModel } from './service-model';

export interface OpenAiOptions {
  /** Usually ends with `/v1`. */
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
  /** Of the model; vectors of another size are refused. */
  readonly dimensions: number;
  /** PEM of an authority to trust besides Node's own list. */
  readonly authority?: string;
  readonly requestMilliseconds?: number;
  /** The first pause before a retry; it doubles. */
  readonly pauseMilliseconds?: number;
}

type Vectors = Either<EmbedderFault, readonly Float32Array[]>;
/** `retry`: the service may answer later. */
type Attempt = Either<
  { readonly retry: boolean; readonly after?: number | undefined; readonly fault: EmbedderFault },
  readonly Float32Array[]
>;

const mostTextsOfRequest = 64;
const mostCharactersOfRequest = 100_000;
/** Below the 8,191 tokens of OpenAI's models, unless each character is a token of its own. */
const mostCharactersOfText = 8_000;
const mostAttempts = 5;
const longestPauseMilliseconds = 60_000;
/** 64 vectors of 4,096 numbers with 25 characters each. */
const largestBytes = 8 * 1024 * 1024;

const unavailable = (detail: string, cause?: string): EmbedderFault => fault('embedder-unavailable', detail, cause);
const aborted = fault('embedding-aborted', 'The embedding was canceled.');

/** Services refuse empty texts. */
const sent = (text: string): string => (text.trim() === '' ? '.' : text.slice(0, mostCharactersOfText));

const requestsOf = (texts: readonly string[]): readonly (readonly string[])[] => {
  const requests: string[][] = [];
  let characters = 0;
  for (const text of texts.map(sent)) {
    const request = requests.at(-1);
    characters += text.length;
    if (request !== undefined && request.length < mostTextsOfRequest && characters <= mostCharactersOfRequest)
      request.push(text);
    else {
      requests.push([text]);
      characters = text.length;
    }
  }
  return requests;
};

const faultOfStatus = (status: number): EmbedderFault => {
  if (status === 401 || status === 403) return unavailable(`The embedding service refuses the key (HTTP ${status}).`);
  if (status === 404) return unavailable('The embedding service does not have the model or the address (HTTP 404).');
  if (status === 429) return unavailable('The embedding service limits requests (HTTP 429).');
  return unavailable(`The embedding service does not answer as it should (HTTP ${status}).`);
};

const isTransient = (status: number): boolean => status === 408 || status === 409 || status === 429 || status >= 500;

/** Codes such as `ECONNREFUSED` and names such as `TimeoutError`: messages may hold the address, with what is secret in it. */
const causeOf = (error: unknown): string => {
  const { code, cause, name } = error as NodeJS.ErrnoException & { readonly cause?: NodeJS.ErrnoException };
  return [cause?.code ?? code ?? name].map(String).join();
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const openOpenAiEmbedder = (options: OpenAiOptions): Embedder => {
  const { model, key, dimensions, authority, requestMilliseconds = 60_000, pauseMilliseconds = 500 } = options;
  const address = `${options.url.replace(/\/+$/, '')}/embeddings`;
  // An operator names the address, often of a service in the same network.
  const fetch = createGuardedFetch({
    allowPrivate: true,
    milliseconds: requestMilliseconds,
    largestBytes,
    ...(authority === undefined ? {} : { authority }),
  });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'septet',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  const closing = new AbortController();
  let lastFault: EmbedderFault | undefined;

  const attempt = async (input: readonly string[], signal: AbortSignal): Promise<Attempt> => {
    const body = JSON.stringify({ model, input, encoding_format: 'float' });
    let answer: Response;
    try {
      answer = await fetch(address, { method: 'POST', headers, body, signal });
    } catch (error) {
      if (signal.aborted) return left({ retry: false, fault: aborted });
      return left({ retry: true, fault: unavailable('The embedding service cannot be reached.', causeOf(error)) });
    }
    if (answer.status !== 200) {
      const after = retryAfterMilliseconds(answer.headers, Date.now());
      return left({ retry: isTransient(answer.status), after, fault: faultOfStatus(answer.status) });
    }
    const vectors = readVectors(parse(await answer.text()), input.length, dimensions);
    if (vectors !== undefined) return right(vectors);
    const detail = `The embedding service does not return a vector of ${dimensions} dimensions for each text.`;
    return left({ retry: false, fault: unavailable(detail) });
  };

  const request = async (input: readonly string[], signal: AbortSignal): Promise<Vectors> => {
    for (let tried = 1; !signal.aborted; tried += 1) {
      const result = await attempt(input, signal);
      if (!isLeft(result)) {
        lastFault = undefined;
        return result;
      }
      const { retry, after = 0, fault: why } = result.left;
      if (why !== aborted) lastFault = why;
      if (!retry || tried === mostAttempts || after > longestPauseMilliseconds) return left(why);
      await pause(Math.max(after, backoffMilliseconds(tried - 1, pauseMilliseconds, longestPauseMilliseconds)), signal);
    }
    return left(aborted);
  };

  return {
    model: serviceModel(model, dimensions),
    dimensions,
    description: `The model ${model} of an embedding service, to which texts of files and questions are sent.`,
    embed: async (texts, { signal: canceled }) => {
      const signal = canceled === undefined ? closing.signal : AbortSignal.any([closing.signal, canceled]);
      if (signal.aborted) return left(aborted);
      const vectors: Float32Array[] = [];
      for (const input of requestsOf(texts)) {
        const result = await request(input, signal);
        if (isLeft(result)) return result;
        vectors.push(...result.right);
      }
      return right(vectors);
    },
    // Requests cost money: what the last one returned is what is known.
    check: async () => (lastFault === undefined ? right(undefined) : left(lastFault)),
    close: async () => closing.abort(),
  };
};
