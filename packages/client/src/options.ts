/** What a client is told of its server and its caller. */
import type { WebSocketConstructor } from './platform';

export interface TokenAsk {
  /** The last one was refused, or is about to end: give another. */
  readonly refresh: boolean;
  readonly signal: AbortSignal;
}

export type TokenProvider = (ask: TokenAsk) => string | undefined | Promise<string | undefined>;

export interface AuthorizeAsk {
  readonly method: string;
  readonly url: string;
  readonly token: string;
  /** What the server sent last as `DPoP-Nonce`. */
  readonly nonce: string | undefined;
}

export interface ClientOptions {
  /** Where the API is; a path in it goes before every path. A page's own origin when left out. */
  readonly baseUrl?: string | URL;
  /** An access token, or what gives one: asked before every request, and once more when the server refuses one. */
  readonly token?: string | TokenProvider;
  /** The headers that show a token: `Authorization: Bearer` when left out. For tokens bound to keys (DPoP). */
  readonly authorize?: (
    ask: AuthorizeAsk,
  ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>);
  /** Whether a browser sends cookies; `same-origin` for a page of ours. */
  readonly credentials?: 'omit' | 'same-origin' | 'include';
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Node 20 has none of its own: give that of `ws` to follow streams on one socket. */
  readonly WebSocket?: WebSocketConstructor;
  /** For a call with all its retries; 30 seconds. */
  readonly timeoutMilliseconds?: number;
  /** For one try of it; 10 seconds. */
  readonly attemptMilliseconds?: number;
  /** Tries of one call; 6. */
  readonly attempts?: number;
  /** The most that is read of one answer, or of one event; 16 MiB. */
  readonly largestAnswerBytes?: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMilliseconds?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface CommandOptions extends CallOptions {
  /** Made up for each call when left out. The same one names the same command, also in another process. */
  readonly idempotencyKey?: string | undefined;
  /** The ETag that the resource must still have; `*` for any. */
  readonly ifMatch?: string | undefined;
}

export interface QueryOptions extends CallOptions {
  /** Waits for this position; what this client has done when left out; `none` takes what is there. */
  readonly minPosition?: string | undefined;
  /** An ETag: waits for this revision of the resource. */
  readonly minRevision?: string | undefined;
}

export interface ConditionalOptions extends QueryOptions {
  /** An ETag: answers `status: 304` without a body while the resource still has it. */
  readonly ifNoneMatch: string;
}

const pageUrl = (): string | undefined =>
  (globalThis as { readonly location?: { readonly href: string } }).location?.href;

/** Without a slash at its end. Throws where there is nothing to call. */
export const resolveBaseUrl = (baseUrl: string | URL | undefined): string => {
  const page = pageUrl();
  const url = new URL(String(baseUrl ?? '/'), page);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError('baseUrl must be http or https.');
  if (url.username !== '' || url.password !== '') throw new TypeError('baseUrl must hold no credentials.');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
};
