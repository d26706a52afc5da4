/** What is known of revocations, change by change: each says what it makes worthless, and for how long that has to be remembered. */

/** Two that raise a floor for whole sets of tokens, one that raises a principal's epoch, and those that name a single thing. */
export type SecurityKind =
  | 'epoch'
  | 'tenantEpoch'
  | 'globalEpoch'
  | 'jti'
  | 'grant'
  | 'family'
  | 'client'
  | 'key'
  | 'session';

export interface SecurityChange {
  readonly kind: SecurityKind;
  /** Empty for `globalEpoch` and `key`, which are of no tenant. */
  readonly tenantId: string;
  /** The id of the principal, token, grant, family, client, key or session; empty for `tenantEpoch` and `globalEpoch`. */
  readonly subject: string;
  /**
   * `epoch`: the lowest `security_epoch` that counts. `tenantEpoch`, `globalEpoch`, `client`: the earliest `iat` that counts,
   * in milliseconds since 1970. 0 for the others, which end what they name for good.
   */
  readonly minimum: number;
  /** The position in the log: what comes later has a higher one. */
  readonly sequence: bigint;
  /** Milliseconds since 1970: when it was recorded. */
  readonly at: number;
  /** Milliseconds since 1970: no token that it revokes lives longer. */
  readonly until: number;
}

/** Every change recorded up to `sequence` has been delivered; without one for long, the follower's state is stale. */
export interface SecurityHeartbeat {
  readonly kind: 'heartbeat';
  /** Null: nothing is recorded. */
  readonly sequence: bigint | null;
}

export type SecuritySignal = SecurityChange | SecurityHeartbeat;
