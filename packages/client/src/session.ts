/** What all calls of one client share. */
import type { ClientOptions } from './options';
import { baseOf } from './options';
import { here, type Platform } from './platform';
import { openPositions, type Positions } from './positions';
import { openTokens, type Tokens } from './tokens';

export interface Session {
  readonly base: string;
  readonly platform: Platform;
  readonly tokens: Tokens;
  readonly positions: Positions;
  /** What every request carries, but for the token. */
  readonly init: () => Pick<RequestInit, 'credentials' | 'redirect'>;
  readonly headers: () => Readonly<Record<string, string>>;
  /** Calls back when the client is closed; answers how to take it back. */
  readonly whenClosed: (leave: (reason: unknown) => void) => () => void;
  readonly close: () => void;
  readonly timeoutMilliseconds: number;
  readonly attemptMilliseconds: number;
  readonly attempts: number;
  readonly largestAnswerBytes: number;
}

const given = <Value extends object>(value: Value): Partial<Value> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Partial<Value>;

export const openSession = (options: ClientOptions, changed: Partial<Platform> = {}): Session => {
  const { fetch, WebSocket, credentials, headers = {} } = options;
  const platform = { ...here(), ...given({ fetch, WebSocket }), ...changed } as Platform;
  const open = new Set<(reason: unknown) => void>();
  return {
    whenClosed: (leave) => {
      open.add(leave);
      return () => void open.delete(leave);
    },
    close: () => {
      const reason = new DOMException('The client was closed.', 'AbortError');
      for (const leave of open) leave(reason);
    },
    base: baseOf(options.baseUrl),
    platform,
    tokens: openTokens(options),
    positions: openPositions(),
    // An API sends nobody elsewhere, and a token must not follow.
    init: () => ({ redirect: 'manual', ...(credentials === undefined ? {} : { credentials }) }),
    headers: () => (typeof headers === 'function' ? headers() : headers),
    timeoutMilliseconds: options.timeoutMilliseconds ?? 30_000,
    attemptMilliseconds: options.attemptMilliseconds ?? 10_000,
    attempts: options.attempts ?? 6,
    largestAnswerBytes: options.largestAnswerBytes ?? 16_777_216,
  };
};
