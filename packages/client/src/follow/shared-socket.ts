/** Streams that share one WebSocket: opened by a ticket, kept with fresh ones, closed when nobody is left on it. */
import type { WebSocketLike } from '../platform';
import type { Session } from '../session';
import { type Channel, left, subscribe } from './channel';
import { openChannels } from './channels';
import { type Line, lineOn, type Words } from './line';
import type { End } from './message';

export interface SharedSocket {
  /** Answers how to leave. */
  readonly join: (channel: Channel) => () => void;
  readonly count: () => number;
}

interface Listener {
  readonly heard: (words: Words, size: number, line: Line) => void;
  readonly ended: (how: End) => void;
}

export interface SharedOptions {
  readonly session: Session;
  readonly silenceMilliseconds: number;
  readonly ticket: () => Promise<string>;
  readonly over: () => void;
}

const protocol = 'septet.streams.v1';
const earlyMilliseconds = 20_000;
const shortestMilliseconds = 1_000;
/** Timers take no more. */
const longestMilliseconds = 2_000_000_000;

/** How long a token is shown for that ends then. */
const renewalIn = (expiresAt: unknown): number => {
  const rest = Date.parse(String(expiresAt)) - Date.now();
  if (Number.isNaN(rest)) return longestMilliseconds;
  return Math.min(
    Math.max(rest - earlyMilliseconds, Math.min(rest / 2, earlyMilliseconds), shortestMilliseconds),
    longestMilliseconds,
  );
};

/** Shows a fresh token on an open socket. */
const renew = async ({ session, ticket }: SharedOptions, line: Line): Promise<void> => {
  const { signal } = new AbortController();
  await session.tokens.mend(await session.tokens.show({ method: 'GET', url: session.base }, signal), signal);
  line.say({ type: 'authenticate', ticket: await ticket() });
};

const begin = async (options: SharedOptions): Promise<WebSocketLike> => {
  const { session, ticket } = options;
  const { WebSocket } = session.platform;
  if (WebSocket === undefined)
    throw new TypeError('There is no WebSocket here: give one in the options, or follow by sse.');
  const protocols = [protocol, `septet.ticket.${await ticket()}`];
  return new WebSocket(`${session.base.replace(/^http/, 'ws')}/v1/streams`, protocols);
};

/** Renews in time, again and again; one that fails shows when the server ends the socket. */
const renewals = (options: SharedOptions) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  const at = (expiresAt: unknown, line: Line): void => {
    stop();
    timer = setTimeout(() => void renew(options, line).catch(() => undefined), renewalIn(expiresAt));
  };
  return { at, stop };
};

/** Makes the socket and hears what is said on it; answers how to close it, whether it is made or not. */
const openLine = (options: SharedOptions, listener: Listener): (() => void) => {
  const { session, silenceMilliseconds } = options;
  let line: Line | undefined;
  let isClosed = false;
  const start = async (): Promise<void> => {
    const socket = await begin(options);
    if (isClosed) return socket.close();
    line = lineOn(socket, [session, silenceMilliseconds], {
      heard: (words, size) => line !== undefined && listener.heard(words, size, line),
      ended: listener.ended,
    });
  };
  start().catch((error: unknown) => listener.ended({ kind: 'failed', error }));
  return () => {
    isClosed = true;
    line?.close();
  };
};

export const openShared = (options: SharedOptions): SharedSocket => {
  const channels = openChannels();
  const renewal = renewals(options);
  let open: Line | undefined;
  let isOver = false;
  const ended = (how: End): void => {
    if (isOver) return;
    isOver = true;
    renewal.stop();
    channels.finish(how);
    options.over();
  };
  const leave = (): void => {
    closeLine();
    ended(left);
  };
  const remove = (id: string): void => {
    if (!channels.remove(id)) return;
    if (channels.count() > 0) open?.say({ type: 'unsubscribe', id });
    else leave();
  };
  const heard = (words: Words, size: number, line: Line): void => {
    if (words.type === 'welcome' || words.type === 'authenticated') renewal.at(words.expires_at, line);
    if (words.type === 'welcome') {
      open = line;
      for (const one of channels.beginnings()) line.say(one);
    }
    const over = channels.tell(words, size);
    if (over !== undefined) remove(over);
  };
  const closeLine = openLine(options, { heard, ended });
  return {
    join: (channel) => {
      const id = channels.add(channel);
      open?.say(subscribe(id, channel));
      return () => remove(id);
    },
    count: channels.count,
  };
};
