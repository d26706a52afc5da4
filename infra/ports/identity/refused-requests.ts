/** Requests that were refused in the last day: whose, which route and why, for operators. No address, token or secret. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';

/** Whose request it was, as far as it is known. */
export interface RefusedCaller {
  /** Null: unknown, also of callers who name a tenant and prove nothing. */
  readonly tenantId: string | null;
  readonly principalId: string | null;
  readonly clientId: string | null;
  /** False: the caller named the principal or client, and did not prove to be it. */
  readonly isProven: boolean;
}

export interface RefusedRequest extends RefusedCaller {
  readonly method: string;
  /** The template of the path, because a path may have secrets: `/v1/principals/{principalId}`. */
  readonly route: string;
  readonly status: number;
  /** `code` of the problem, or `error` of OAuth. */
  readonly code: string;
  /** A sentence for operators, which may hold more than the caller's. */
  readonly reason: string;
  /** `X-Request-Id` of the answer. */
  readonly requestId: string;
}

export interface RecordedRefusedRequest extends RefusedRequest {
  /** Orders refusals of all tenants by time. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Alike in all but the request id, since the one before, and not listed one by one. */
  readonly unlisted: number;
}

export interface RefusedRequestRecorder {
  /** Never waits. */
  readonly record: (refused: RefusedRequest) => void;
  /** Writes the rest. */
  readonly close: () => Promise<void>;
}

export interface RefusedRequestQuery {
  /** Of any of these. */
  readonly principalIds?: readonly string[] | undefined;
  readonly clientIds?: readonly string[] | undefined;
  readonly code?: string | undefined;
  readonly requestId?: string | undefined;
  /** The id of the last one before. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface RefusedRequestReader {
  /** The newest first, of these tenants; null: of requests whose tenant is unknown. */
  readonly find: (
    tenants: readonly (string | null)[],
    query: RefusedRequestQuery,
  ) => Promise<Either<Fault<'service-unavailable'>, readonly RecordedRefusedRequest[]>>;
  readonly close: () => Promise<void>;
}
