/**
 * Calls that wait for the model. Questions come before passages; calls of passages take turns, a few texts each, so that none waits for all of
 * a large one. The process is started by the first call, restarted when it ends, and ended when it was idle for a while.
 */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fault } from '../../../../domain/kernel/rejection';
import type { EmbedderFault, EmbedOptions } from '../../../ports/files/embedder';
import { backoffMilliseconds, pause } from '../../../server/runtime/backoff';
import type { InferenceProcess } from './inference/inference-process';
import { mostCharactersOfText } from './tokenizer/word-piece';

export interface EmbeddingQueueOptions {
  /** Left: why the process does not start. */
  readonly start: () => Promise<Either<string, InferenceProcess>>;
  readonly mostCalls: number;
  readonly idleMilliseconds: number;
}

type Vectors = Either<EmbedderFault, readonly Float32Array[]>;

export interface EmbeddingQueue {
  readonly embed: (texts: readonly string[], options: EmbedOptions) => Promise<Vectors>;
  /** Why the last start failed. */
  readonly startFault: () => EmbedderFault | undefined;
  readonly close: () => Promise<void>;
}

interface Call {
  readonly texts: readonly string[];
  readonly kind: EmbedOptions['kind'];
  readonly vectors: Float32Array[];
  /** Processes that ended over the same texts. */
  endings: number;
  isSettled: boolean;
  readonly settle: (vectors: Vectors) => void;
}

/** At most a fifth of a second of the processor: as long as a question waits behind passages. */
const mostTextsOfTurn = 16;
const mostCharactersOfTurn = 2_000;
/** Texts that ended the process twice are not tried again. */
const mostEndings = 2;
const mostStarts = 3;

const unavailable = (detail: string, cause?: string): EmbedderFault => fault('embedder-unavailable', detail, cause);
const closed = unavailable('The embedder is closed.');
const aborted = fault('embedding-aborted', 'The embedding was canceled.');

const turnOf = ({ texts, vectors }: Call): readonly string[] => {
  const turn: string[] = [];
  let characters = 0;
  for (let at = vectors.length; at < texts.length && turn.length < mostTextsOfTurn; at += 1) {
    const text = (texts[at] as string).slice(0, mostCharactersOfText);
    characters += text.length;
    if (turn.length > 0 && characters > mostCharactersOfTurn) break;
    turn.push(text);
  }
  return turn;
};

export const openEmbeddingQueue = ({ start, mostCalls, idleMilliseconds }: EmbeddingQueueOptions): EmbeddingQueue => {
  const calls: Call[] = [];
  const closing = new AbortController();
  let running: InferenceProcess | undefined;
  let working: Promise<void> | undefined;
  let startFault: EmbedderFault | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let ending: Promise<void> | undefined;

  const settle = (call: Call, vectors: Vectors): void => {
    if (call.isSettled) return;
    call.isSettled = true;
    const at = calls.indexOf(call);
    if (at >= 0) calls.splice(at, 1);
    call.settle(vectors);
  };

  /** The next call goes to the end of the line. */
  const nextCall = (): Call | undefined => {
    const at = Math.max(
      0,
      calls.findIndex(({ kind }) => kind === 'query'),
    );
    const [call] = calls.splice(at, 1);
    if (call !== undefined) calls.push(call);
    return call;
  };

  const ensureRunning = async (): Promise<InferenceProcess | undefined> => {
    for (let attempt = 0; !closing.signal.aborted && attempt < mostStarts; attempt += 1) {
      if (running?.isRunning()) return running;
      if (attempt > 0) await pause(backoffMilliseconds(attempt, 200), closing.signal);
      const started = await start();
      startFault = isLeft(started)
        ? unavailable('The process of the embedding model does not start.', started.left)
        : undefined;
      running = isLeft(started) ? undefined : started.right;
    }
    return running?.isRunning() ? running : undefined;
  };

  const takeTurn = async (call: Call, { run }: InferenceProcess): Promise<void> => {
    const turn = turnOf(call);
    const result = await run(turn);
    if (!isLeft(result)) {
      call.endings = 0;
      call.vectors.push(...result.right);
      if (call.vectors.length === call.texts.length) settle(call, right(call.vectors));
      return;
    }
    const { kind, cause } = result.left;
    if (kind === 'refused') return settle(call, left(unavailable('The embedding model failed.', cause)));
    call.endings += 1;
    if (call.endings === mostEndings)
      settle(call, left(unavailable('The process of the embedding model ended twice over the same texts.', cause)));
  };

  const work = async (): Promise<void> => {
    while (calls.length > 0) {
      const process = await ensureRunning();
      if (process === undefined) {
        const reason = closing.signal.aborted ? closed : (startFault ?? closed);
        for (const call of [...calls]) settle(call, left(reason));
        return;
      }
      // Callers may have stopped waiting while it started.
      const call = nextCall();
      if (call !== undefined) await takeTurn(call, process);
    }
  };

  /** A call that comes meanwhile starts another one. */
  const endIdle = (): void => {
    ending = running?.end();
    running = undefined;
  };

  const wake = (): void => {
    clearTimeout(idleTimer);
    working ??= work().finally(() => {
      working = undefined;
      if (calls.length > 0) return wake();
      idleTimer = setTimeout(endIdle, idleMilliseconds).unref();
    });
  };

  return {
    embed: (texts, { kind, signal }) => {
      if (closing.signal.aborted) return Promise.resolve(left(closed));
      if (signal?.aborted) return Promise.resolve(left(aborted));
      if (texts.length === 0) return Promise.resolve(right([]));
      if (calls.length >= mostCalls)
        return Promise.resolve(left(unavailable('Too many texts wait for the embedding model.')));
      return new Promise((resolve) => {
        const abort = (): void => settle(call, left(aborted));
        const call: Call = {
          texts,
          kind,
          vectors: [],
          endings: 0,
          isSettled: false,
          settle: (vectors) => {
            signal?.removeEventListener('abort', abort);
            resolve(vectors);
          },
        };
        signal?.addEventListener('abort', abort, { once: true });
        calls.push(call);
        wake();
      });
    },
    startFault: () => startFault,
    close: async () => {
      closing.abort();
      clearTimeout(idleTimer);
      for (const call of [...calls]) settle(call, left(closed));
      await running?.end();
      // A start that was under way when it closed.
      await working;
      await running?.end();
      await ending;
    },
  };
};
