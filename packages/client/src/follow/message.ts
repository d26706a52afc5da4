/** What comes on a stream, whichever way it came, and how a connection can end. */
import type { Shown } from '../tokens';

export type Message =
  /** Everything recorded so far was sent (`ready`), or nothing happened that is wanted (`checkpoint`). */
  | { readonly kind: 'mark'; readonly isReady: boolean; readonly id: string | undefined }
  | { readonly kind: 'event'; readonly id: string; readonly event: string; readonly data: unknown };

export type End =
  /** `code`: what the server said; undefined when the connection just ended. */
  | { readonly kind: 'ended'; readonly code: string | undefined; readonly retryMilliseconds: number | undefined }
  /** Anything but a `ClientError` is the caller's own, as of its token provider. */
  | { readonly kind: 'failed'; readonly error: unknown };

export interface Connecting {
  readonly after: string | undefined;
  readonly shown: Shown;
  readonly signal: AbortSignal;
}

/** One connection, or one subscription on a shared one. Throws the signal's reason, nothing else. */
export type Connect = (connecting: Connecting) => AsyncGenerator<Message, End, undefined>;
