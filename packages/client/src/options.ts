/** Options of a client and of its calls. */
import type { WebSocketConstructor } from './platform';

export interface TokenRequest {
  /** The last token was refused or is about to expire: return another one. */
  readonly refresh: boolean;
  readonly signal: AbortSignal;
}

export type TokenProvider = (request: TokenRequest) => string | undefined | Promise<string | undefined>;

export interface AuthorizationRequest {
  readonly method: string;
  readonly url: string;
  readonly token: string;
  /** The server's last `DPoP-Nonce`. */
  readonly nonce: string | undefined;
}

export interface ClientOptions {
  /** The API's URL; its path is a prefix of every path. By default the page's origin. */
  readonly baseUrl?: string | URL;
  /** An access token, or a provider, which is called before every request and again when the server refuses a token. */
  readonly token?: string | TokenProvider;
  /** Makes the headers of a token, for key-bound tokens (DPoP). By default `Authorization: Bearer`. */
  readonly authorize?: (
    request: AuthorizationRequest,
  ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>);
  /** Whether a browser sends cookies; `same-origin` for a page of ours. */
  readonly credentials?: 'omit' | 'same-origin' | 'include';
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Node 20 has none: pass that of `ws` to follow streams on one socket. */
  readonly WebSocket?: WebSocketConstructor;
  /** For a call with all its retries; 30 seconds by default. */
  readonly timeoutMilliseconds?: number;
  /** For one attempt; 10 seconds by default. */
  readonly attemptMilliseconds?: number;
  /** Attempts of one call; 6 by default. */
  readonly attempts?: number;
  /** Maximum size of one response or one event; 16 MiB by default. */
  readonly maxResponseBytes?: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMilliseconds?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface CommandOptions extends CallOptions {
  /** By default a new one for each call. The same key names the same command, also in another process. */
  readonly idempotencyKey?: string | undefined;
  /** The ETag that the resource must still have; `*` for any. */
  readonly ifMatch?: string | undefined;
}

export interface QueryOptions extends CallOptions {
  /** Waits for this position; by default for that of this client's last command. `none` does not wait. */
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

/** Without a trailing slash. Throws if the URL is unusable. */
export const resolveBaseUrl = (baseUrl: string | URL | undefined): string => {
  const page = pageUrl();
  const url = new URL(String(baseUrl ?? '/'), page);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError('baseUrl must be http or https.');
  if (url.username !== '' || url.password !== '') throw new TypeError('baseUrl must hold no credentials.');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
};
