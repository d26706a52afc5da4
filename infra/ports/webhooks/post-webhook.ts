import type { Either } from 'fp-ts/Either';

export interface WebhookAnswer {
  readonly statusCode: number;
  /** The beginning of the body. */
  readonly excerpt: string;
}

export interface WebhookRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the request before its time. */
  readonly signal: AbortSignal;
}

/**
 * Posts to an address that a tenant named, on the public network only, within limits of time and size; redirects are not followed. A failure
 * has no further reason, which would reveal our network.
 */
export type PostWebhook = (
  address: string,
  request: WebhookRequest,
) => Promise<Either<'no-answer' | 'timed-out' | 'address-refused', WebhookAnswer>>;
