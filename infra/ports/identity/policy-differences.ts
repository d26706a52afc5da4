/** Where the version in shadow would have decided otherwise: for administrators, for a day. No path, address or token. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';

export interface PolicyDifference {
  readonly principalId: string;
  readonly method: string;
  /** Name of the route in the API document; null: unknown. */
  readonly operation: string | null;
  /** Null: no version is enforced. */
  readonly enforced: number | null;
  readonly enforcedEffect: string;
  readonly shadowEffect: string;
  /** Of the version in shadow. */
  readonly ruleId: string | null;
}

export interface ShadowOutcome {
  readonly tenantId: string;
  readonly version: number;
  /** Undefined: both decide alike. */
  readonly difference: PolicyDifference | undefined;
}

export interface ShadowRecorder {
  /** Never waits. */
  readonly record: (outcome: ShadowOutcome) => void;
  /** Writes the rest. */
  readonly close: () => Promise<void>;
}

export interface RecordedDifference extends PolicyDifference {
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface ShadowReport {
  readonly evaluated: number;
  readonly different: number;
  /** The newest first; not all of them. */
  readonly items: readonly RecordedDifference[];
}

export interface ShadowReader {
  readonly find: (tenantId: string, version: number) => Promise<Either<Fault<'service-unavailable'>, ShadowReport>>;
}
