/** Messages of a stream, over either transport, and how a connection can end. */
import type { RequestAuthorization } from '../authorization/token-source';

export type StreamMessage =
  /** `ready`: all events recorded so far were sent. `checkpoint`: only the position advanced. */
  | { readonly kind: 'mark'; readonly isReady: boolean; readonly id: string | undefined }
  | { readonly kind: 'event'; readonly id: string; readonly event: string; readonly data: unknown };

export type ConnectionEnd =
  /** `code`: the server's reason; undefined if the connection ended without one. */
  | { readonly kind: 'ended'; readonly code: string | undefined; readonly retryMilliseconds: number | undefined }
  /** Anything but a `ClientError` comes from the caller, such as its token provider. */
  | { readonly kind: 'failed'; readonly error: unknown };

export interface ConnectRequest {
  readonly after: string | undefined;
  readonly authorization: RequestAuthorization;
  readonly signal: AbortSignal;
}

/** One connection, or one subscription on a shared one. Throws only the signal's reason. */
export type Connect = (connecting: ConnectRequest) => AsyncGenerator<StreamMessage, ConnectionEnd, undefined>;
