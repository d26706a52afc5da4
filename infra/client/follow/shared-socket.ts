/** Streams that share one WebSocket: opened by a ticket, kept with fresh ones, closed when nobody is left on it. */
import type { WebSocketLike } from '../platform';
import type { Session } from '../session';
import { type Channel, deliver, left, subscribe } from './channel';
import { type Line, lineOn, type Words } from './line';
import type { End } from './message';

export interface SharedSocket {
  /** Answers how to leave. */
  readonly join: (channel: Channel) => () => void;
  readonly count: () => number;
  readonly close: () => void;
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

export const openShared = (options: SharedOptions): SharedSocket => {
  const channels = new Map<string, Channel>();
  const renewal = renewals(options);
  let line: Line | undefined;
  let open: Line | undefined;
  let names = 0;
  let isOver = false;
  const end = (how: End): void => {
    if (isOver) return;
    isOver = true;
    renewal.stop();
    for (const { mailbox } of channels.values()) mailbox.finish(how);
    channels.clear();
    options.over();
  };
  const close = (): void => {
    line?.close();
    end(left);
  };
  const remove = (id: string): void => {
    if (!channels.delete(id)) return;
    if (channels.size === 0) close();
    else open?.say({ type: 'unsubscribe', id });
  };
  const heard = (words: Words, size: number): void => {
    if (line === undefined) return;
    if (words.type === 'welcome' || words.type === 'authenticated') renewal.at(words.expires_at, line);
    if (words.type === 'welcome') {
      open = line;
      for (const [id, channel] of channels) line.say(subscribe(id, channel));
    }
    const id = String(words.subscription);
    const channel = channels.get(id);
    if (channel !== undefined && !deliver(channel, words, size)) remove(id);
  };
  const start = async (): Promise<void> => {
    const socket = await begin(options);
    if (isOver) socket.close();
    else line = lineOn(socket, [options.session, options.silenceMilliseconds], { heard, ended: end });
  };
  start().catch((error: unknown) => end({ kind: 'failed', error }));
  return {
    join: (channel) => {
      names += 1;
      const id = `s${names}`;
      channels.set(id, channel);
      open?.say(subscribe(id, channel));
      return () => remove(id);
    },
    count: () => channels.size,
    close,
  };
};
