/** Copies of one service: each in turn, those that take work first; what was never sent to one is sent to the next. */
import { createHash } from 'node:crypto';
import { type Dispatcher, Pool } from 'undici';

export interface Choice {
  /** Whose turn it is. */
  readonly next: () => string;
  /** Nobody listens at that one: the others come first until it is seen to take work again. */
  readonly missed: (url: string) => void;
  /** Sends to whoever's turn it is. */
  readonly dispatcher: Dispatcher;
}

export interface Copies extends Choice {
  /** The same copy for the same key as long as it takes work. */
  readonly of: (key: string) => Choice;
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

type Order = () => readonly Copy[];

/** Where nobody takes work, each is asked: an answer that says why is better than none. */
const thoseThatTakeWorkFirst = (copies: readonly Copy[]): readonly Copy[] => [
  ...copies.filter(({ takesWork }) => takesWork),
  ...copies.filter(({ takesWork }) => !takesWork),
];

const turns = (copies: readonly Copy[]): Order => {
  let turn = 0;
  return () => {
    turn = (turn + 1) % copies.length;
    return thoseThatTakeWorkFirst([...copies.slice(turn), ...copies.slice(0, turn)]);
  };
};

const scoreOf = ({ url }: Copy, key: string): string => createHash('sha1').update(`${key}\n${url}`).digest('hex');

/** Rendezvous hashing (Thaler and Ravishankar, 1996): a copy that comes or goes moves its own keys only. */
const byScore = (copies: readonly Copy[], key: string): Order => {
  const scored = copies.map((copy) => ({ copy, score: scoreOf(copy, key) }));
  const ordered = scored.toSorted((one, other) => (one.score < other.score ? -1 : 1)).map(({ copy }) => copy);
  return () => thoseThatTakeWorkFirst(ordered);
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

const onlyOne = ({ url, pool }: Copy): Copies => {
  const choice = { next: () => url, missed: () => undefined, dispatcher: pool };
  return { ...choice, of: () => choice, close: () => pool.destroy() };
};

export const openCopies = (urls: readonly [string, ...string[]], options: Pool.Options): Copies => {
  const copies = urls.map((url): Copy => ({ url, pool: new Pool(url, options), takesWork: true }));
  const [first, ...others] = copies as [Copy, ...Copy[]];
  if (others.length === 0) return onlyOne(first);
  const stop = lookNowAndThen(copies);
  const missed = (url: string): void => {
    for (const copy of copies) if (copy.url === url) copy.takesWork = false;
  };
  const choice = (order: Order): Choice => ({
    next: () => (order()[0] ?? first).url,
    missed,
    dispatcher: first.pool.compose(() => (asked, handler) => send(asked, handler, order())),
  });
  return {
    ...choice(turns(copies)),
    of: (key) => choice(byScore(copies, key)),
    close: async () => {
      stop();
      await Promise.all(copies.map(({ pool }) => pool.destroy()));
    },
  };
};
