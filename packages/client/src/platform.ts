/** `@septet/client/platform`: the client's dependencies on its runtime. */

/** The used part of a WebSocket: of browsers, of Node, or of `ws`. */
export interface WebSocketLike {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  onerror: ((event: never) => void) | null;
  send(text: string): void;
  close(code?: number, reason?: string): void;
}

export type WebSocketConstructor = new (url: string, protocols: string[]) => WebSocketLike;
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Platform {
  readonly fetch: Fetch;
  /** Undefined where there is none: streams then come as server-sent events only. */
  readonly WebSocket: WebSocketConstructor | undefined;
  /** Milliseconds that only go forward. */
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly uuid: () => string;
  /** Rejects with the signal's reason. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', leave);
      resolve();
    }, milliseconds);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

/** Pages that are not served by https have no `crypto.randomUUID`. */
const uuid = (): string => {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return [...bytes]
    .map(hex)
    .join('')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

export const defaultPlatform = (): Platform => ({
  fetch: (url, init) => globalThis.fetch(url, init),
  WebSocket: (globalThis as { readonly WebSocket?: WebSocketConstructor }).WebSocket,
  now: () => performance.now(),
  random: Math.random,
  uuid,
  sleep,
});
