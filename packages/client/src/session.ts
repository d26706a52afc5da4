/** State that all calls of one client share. */

import { createTokenSource, type TokenSource } from './authorization/token-source';
import { type ClientOptions, resolveBaseUrl } from './options';
import { defaultPlatform, type Platform } from './platform';

export interface Session {
  readonly base: string;
  readonly platform: Platform;
  readonly tokens: TokenSource;
  readonly positions: KnownPosition;
  /** Options of every request, without the token. */
  readonly init: () => Pick<RequestInit, 'credentials' | 'redirect'>;
  readonly headers: () => Readonly<Record<string, string>>;
  /** Calls back when the client is closed. Returns the function that unsubscribes. */
  readonly whenClosed: (leave: (reason: unknown) => void) => () => void;
  readonly close: () => void;
  readonly timeoutMilliseconds: number;
  readonly attemptMilliseconds: number;
  readonly attempts: number;
  readonly maxResponseBytes: number;
}

const definedOnly = <Value extends object>(value: Value): Partial<Value> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Partial<Value>;

export const openSession = (options: ClientOptions, changed: Partial<Platform> = {}): Session => {
  const { fetch, WebSocket, credentials, headers = {} } = options;
  const platform = { ...defaultPlatform(), ...definedOnly({ fetch, WebSocket }), ...changed } as Platform;
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
    base: resolveBaseUrl(options.baseUrl),
    platform,
    tokens: createTokenSource(options),
    positions: createKnownPosition(),
    // The API never redirects, and a token must not be sent to another address.
    init: () => ({ redirect: 'manual', ...(credentials === undefined ? {} : { credentials }) }),
    headers: () => (typeof headers === 'function' ? headers() : headers),
    timeoutMilliseconds: options.timeoutMilliseconds ?? 30_000,
    attemptMilliseconds: options.attemptMilliseconds ?? 10_000,
    attempts: options.attempts ?? 6,
    maxResponseBytes: options.maxResponseBytes ?? 16_777_216,
  };
};

/** Read your writes: the highest position of this client's commands. */

export interface KnownPosition {
  readonly highest: () => string | undefined;
  /** Ignores malformed positions. */
  readonly observe: (position: string | undefined) => void;
}

const positionShape = /^\d{1,20}$/;

const createKnownPosition = (): KnownPosition => {
  let highest: bigint | undefined;
  return {
    highest: () => highest?.toString(),
    observe: (position) => {
      if (position === undefined || !positionShape.test(position)) return;
      const seen = BigInt(position);
      if (highest === undefined || seen > highest) highest = seen;
    },
  };
};
