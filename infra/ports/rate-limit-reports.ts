/** What gateways and the limiter's service report of rate limits, for operators: recent refusals, and the policies in force. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../domain/kernel/rejection';

/** Who enforces a policy. */
export type Enforcer = 'gateway' | 'service';

/** Refusals of one second that have all of this in common. No address, and of callers of the service no user or key. */
export interface RefusalKind {
  readonly enforcedBy: Enforcer;
  /** Null before authentication. */
  readonly tenantId: string | null;
  /** At the gateway. */
  readonly principalId: string | null;
  readonly clientId: string | null;
  /** Route group. */
  readonly group: string | null;
  readonly reason: string;
  /** Rules that were over their limit. */
  readonly rules: readonly string[];
}

export interface Refusal extends RefusalKind {
  readonly retryAfterSeconds: number;
  /** Of the last of them: as in the answer's `X-Request-Id`, or as the service's caller named it. */
  readonly requestId: string | null;
}

export interface RecordedRefusals extends Refusal {
  /** Orders refusals of a tenant. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly refusals: number;
}

export interface RefusalRecorder {
  /** Never waits. */
  readonly record: (refusal: Refusal) => void;
  /** Writes the rest. */
  readonly close: () => Promise<void>;
}

export interface PolicyRule {
  readonly name: string;
  /** `defaults`, `override`, or the plan. */
  readonly set: string;
  /** Values of dimensions that a request must have; the first of long lists. */
  readonly match: { readonly [dimension: string]: readonly string[] };
  readonly by: readonly string[];
  readonly algorithm: string;
  readonly unit: string;
  readonly limit: number;
  /** Null: by calendar, or as long as requests last. */
  readonly periodMilliseconds: number | null;
  readonly burst: number | null;
  readonly strictness: 'hard' | 'soft' | 'watched';
  /** While the store is unavailable. */
  readonly onStoreError: 'deny' | 'allow' | 'local';
}

/** Where the rules come from: the program, or the text or file of an environment variable. */
export type PolicyOrigin = 'built-in' | 'variable' | 'file';

export interface ReportedPolicy {
  readonly enforcedBy: Enforcer;
  readonly version: string;
  readonly origin: PolicyOrigin;
  /** That the process was started with. Null: the policy is in no file. */
  readonly file: string | null;
  readonly rules: readonly PolicyRule[];
}

export type ReportFault = Fault<'service-unavailable'>;

export interface RefusalQuery {
  readonly principalId?: string | undefined;
  /** The id of the last one before. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface RateLimitReports {
  /** The newest first. Null: of requests without a tenant. */
  readonly refusals: (
    tenantId: string | null,
    query: RefusalQuery,
  ) => Promise<Either<ReportFault, readonly RecordedRefusals[]>>;
  /** As gateways wrote it when they started. */
  readonly gatewayPolicy: () => Promise<Either<ReportFault, ReportedPolicy | undefined>>;
}
