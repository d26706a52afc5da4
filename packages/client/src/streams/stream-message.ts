/** What comes on a stream, whichever way it came, and how a connection can end. */
import type { RequestAuthorization } from '../token-source';

export type StreamMessage =
  /** Everything recorded so far was sent (`ready`), or nothing happened that is wanted (`checkpoint`). */
  | { readonly kind: 'mark'; readonly isReady: boolean; readonly id: string | undefined }
  | { readonly kind: 'event'; readonly id: string; readonly event: string; readonly data: unknown };

export type ConnectionEnd =
  /** `code`: what the server said; undefined when the connection just ended. */
  | { readonly kind: 'ended'; readonly code: string | undefined; readonly retryMilliseconds: number | undefined }
  /** Anything but a `ClientError` is the caller's own, as of its token provider. */
  | { readonly kind: 'failed'; readonly error: unknown };

export interface ConnectRequest {
  readonly after: string | undefined;
  readonly authorization: RequestAuthorization;
  readonly signal: AbortSignal;
}

/** One connection, or one subscription on a shared one. Throws the signal's reason, nothing else. */
export type Connect = (connecting: ConnectRequest) => AsyncGenerator<StreamMessage, ConnectionEnd, undefined>;
