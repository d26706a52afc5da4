/** Copies of one service: each in turn, those that take work first; what was never sent to one is sent to the next. */
import { type Dispatcher, Pool } from 'undici';

export interface Copies {
  /** Whose turn it is. */
  readonly next: () => string;
  /** Sends to whoever's turn it is. */
  readonly dispatcher: Dispatcher;
  readonly close: () => Promise<void>;
}

interface Copy {
  readonly url: string;
  readonly pool: Pool;
  takesWork: boolean;
}

/** A copy that is about to stop says so for longer than that before it does. */
const lookMilliseconds = 500;
const longestLookMilliseconds = 1_000;

const look = async (copy: Copy): Promise<void> => {
  try {
    const signal = AbortSignal.timeout(longestLookMilliseconds);
    const { statusCode, body } = await copy.pool.request({ method: 'GET', path: '/readyz', signal });
    await body.dump();
    copy.takesWork = statusCode < 300;
  } catch {
    copy.takesWork = false;
  }
};

/** Where nobody takes work, each is asked: an answer that says why is better than none. */
const turns = (copies: readonly Copy[]): (() => readonly Copy[]) => {
  let turn = 0;
  return () => {
    turn = (turn + 1) % copies.length;
    const inTurn = [...copies.slice(turn), ...copies.slice(0, turn)];
    return [...inTurn.filter(({ takesWork }) => takesWork), ...inTurn.filter(({ takesWork }) => !takesWork)];
  };
};

const neverConnected = new Set(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);

const wasNeverSent = (error: Error): boolean => 'code' in error && neverConnected.has(String(error.code));

type Handler = Dispatcher.DispatchHandler;

/** Nothing was asked for yet where no connection came about, so a body is still whole. */
const send = (options: Dispatcher.DispatchOptions, handler: Handler, [copy, ...others]: readonly Copy[]): boolean => {
  if (copy === undefined) return false;
  if (others.length === 0) return copy.pool.dispatch(options, handler);
  return copy.pool.dispatch(options, {
    onRequestStart: (controller, context: unknown) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (...upgraded) => handler.onRequestUpgrade?.(...upgraded),
    onResponseStart: (...started) => handler.onResponseStart?.(...started),
    onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError: (controller, error) => {
      if (!wasNeverSent(error)) return handler.onResponseError?.(controller, error);
      copy.takesWork = false;
      send(options, handler, others);
    },
  });
};

const lookNowAndThen = (copies: readonly Copy[]): (() => void) => {
  let looking = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void Promise.all(copies.map(look)).finally(() => {
      looking = false;
    });
  }, lookMilliseconds);
  timer.unref();
  return () => clearInterval(timer);
};

export const openCopies = (urls: readonly [string, ...string[]], options: Pool.Options): Copies => {
  const copies = urls.map((url): Copy => ({ url, pool: new Pool(url, options), takesWork: true }));
  const [first, ...others] = copies as [Copy, ...Copy[]];
  if (others.length === 0) return { next: () => first.url, dispatcher: first.pool, close: () => first.pool.destroy() };
  const inTurn = turns(copies);
  const stop = lookNowAndThen(copies);
  return {
    next: () => (inTurn()[0] ?? first).url,
    dispatcher: first.pool.compose(() => (asked, handler) => send(asked, handler, inTurn())),
    close: async () => {
      stop();
      await Promise.all(copies.map(({ pool }) => pool.destroy()));
    },
  };
};
