/**
 * Calls a model service and reads its answer as it comes: to the configured address only, bounded in time and size. Neither the key, nor the
 * prompt, nor the answer is in what this returns as a fault.
 */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { Agent, fetch } from 'undici';
import { fault } from '../../../../domain/kernel/rejection';
import type { AnswerModelFault } from '../../../ports/files/answer-model';
import { pause } from '../../../server/runtime/backoff';
import { retryAfterMilliseconds } from '../../remote/retry-after';
import { readEvents } from './read-events';

export interface ServiceOptions {
  /** Usually ends with `/v1`. */
  readonly url: string;
  /** Of the operation, below it. */
  readonly path: string;
  /** Of this kind of service: its version, its key. */
  readonly headers: Readonly<Record<string, string>>;
  /** From the request to the end of the answer. */
  readonly wholeMilliseconds?: number;
  /** Until the answer begins, and between two pieces of it. */
  readonly idleMilliseconds?: number;
}

/** The part of the answer in one event; the whole answer, of a service that does not stream. */
export interface ModelPiece {
  readonly text: string;
  /** `ended`: the answer is whole. `refused`: the service will not write it. */
  readonly state: 'going' | 'ended' | 'refused';
}

/** Undefined: no part of the answer is in it. */
export type PieceReader = (event: unknown) => ModelPiece | undefined;

export interface ModelService {
  readonly call: (
    body: object,
    options: { readonly readPiece: PieceReader; readonly signal: AbortSignal },
  ) => AsyncGenerator<string, Either<AnswerModelFault, void>>;
  readonly close: () => Promise<void>;
}

/** An answer has some thousand characters; each comes in an event of some hundred. */
const largestBytes = 4 * 1024 * 1024;
const wholeMilliseconds = 60_000;
const idleMilliseconds = 20_000;
const mostAttempts = 2;
/** A person waits. */
const longestPause = 3_000;
const shortestPause = 250;
/** After that, a service is called again whatever it wanted. */
const longestRest = 60_000;

const unavailable = (detail: string, cause?: string): AnswerModelFault =>
  fault('answer-model-unavailable', detail, cause);
const aborted: AnswerModelFault = fault('answer-aborted', 'The answer was canceled.');
const incomplete = unavailable('The answer of the model service broke off.');
const refused = unavailable('The model does not answer the question.');

const faultOfStatus = (status: number): AnswerModelFault => {
  if (status === 401 || status === 403) return unavailable(`The model service refuses the key (HTTP ${status}).`);
  if (status === 404) return unavailable('The model service does not have the model or the address (HTTP 404).');
  if (status === 429) return unavailable('The model service limits requests (HTTP 429).');
  return unavailable(`The model service does not answer as it should (HTTP ${status}).`);
};

const isTransient = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/** Codes and names only: messages may hold the address, with what is secret in it. */
const causeOf = (error: unknown): string => {
  const { code, cause, name } = error as NodeJS.ErrnoException & { readonly cause?: NodeJS.ErrnoException };
  return String(cause?.code ?? code ?? name);
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

async function* bounded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > largestBytes) throw new Error('the answer is too large');
    yield chunk;
  }
}

const textOf = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bounded(body)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

type Received = Awaited<ReturnType<typeof fetch>>;

async function* piecesOf(answer: Received, readPiece: PieceReader): AsyncGenerator<ModelPiece, void> {
  if (answer.body === null) return;
  const body = answer.body as AsyncIterable<Uint8Array>;
  if (answer.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    const piece = readPiece(parse(await textOf(body)));
    if (piece !== undefined) yield piece;
    return;
  }
  for await (const event of readEvents(bounded(body))) {
    if (event === '[DONE]') {
      yield { text: '', state: 'ended' };
      return;
    }
    const piece = readPiece(parse(event));
    if (piece !== undefined) yield piece;
  }
}

export const openModelService = (options: ServiceOptions): ModelService => {
  const { wholeMilliseconds: whole = wholeMilliseconds } = options;
  const address = `${options.url.replace(/\/+$/, '')}/${options.path}`;
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream, application/json',
    'user-agent': 'septet',
    ...options.headers,
  };
  const idle = options.idleMilliseconds ?? idleMilliseconds;
  const dispatcher = new Agent({ connect: { timeout: idle }, headersTimeout: idle, bodyTimeout: idle });
  const closing = new AbortController();
  /** The service named a time before which it is not called again. */
  let restsUntil = 0;

  const request = async (body: string, signal: AbortSignal): Promise<Either<AnswerModelFault, Received>> => {
    for (let tried = 1; ; tried += 1) {
      if (performance.now() < restsUntil) return left(faultOfStatus(429));
      let wait = shortestPause;
      let why: AnswerModelFault;
      try {
        const answer = await fetch(address, { method: 'POST', headers, body, redirect: 'manual', dispatcher, signal });
        if (answer.status === 200) return right(answer);
        await answer.body?.cancel();
        why = faultOfStatus(answer.status);
        wait = retryAfterMilliseconds(new Headers([...answer.headers]), Date.now()) ?? shortestPause;
        if (!isTransient(answer.status)) return left(why);
      } catch (error) {
        if (signal.aborted) return left(aborted);
        why = unavailable('The model service cannot be reached.', causeOf(error));
      }
      if (wait > longestPause) restsUntil = performance.now() + Math.min(wait, longestRest);
      if (tried === mostAttempts || wait > longestPause) return left(why);
      await pause(wait, signal);
      if (signal.aborted) return left(aborted);
    }
  };

  return {
    call: async function* (body, { readPiece, signal: canceled }) {
      const inTime = AbortSignal.timeout(whole);
      const signal = AbortSignal.any([inTime, canceled, closing.signal]);
      const faultNow = (otherwise: AnswerModelFault): AnswerModelFault => {
        if (canceled.aborted || closing.signal.aborted) return aborted;
        return inTime.aborted ? unavailable('The model service took too long.') : otherwise;
      };
      const answer = await request(JSON.stringify(body), signal);
      if (isLeft(answer)) return left(faultNow(answer.left));
      let isEnded = false;
      try {
        for await (const { text, state } of piecesOf(answer.right, readPiece)) {
          if (state === 'refused') return left(refused);
          if (text !== '') yield text;
          isEnded ||= state === 'ended';
        }
      } catch (error) {
        return left(faultNow(unavailable('The answer of the model service broke off.', causeOf(error))));
      } finally {
        if (!isEnded) await answer.right.body?.cancel().catch(() => undefined);
      }
      return isEnded ? right(undefined) : left(faultNow(incomplete));
    },
    close: async () => {
      closing.abort();
      await dispatcher.destroy();
    },
  };
};
