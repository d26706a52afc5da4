/** Changes of the security state: what each voids, and how long it matters. */

/** Two not-before times of many tokens, one epoch, and single things by id. */
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
  /** Empty for `globalEpoch` and `key`. */
  readonly tenantId: string;
  /** The id of the principal, token, grant, family, client, key or session; empty for `tenantEpoch` and `globalEpoch`. */
  readonly subject: string;
  /**
   * `epoch`: lowest valid `security_epoch`. `tenantEpoch`, `globalEpoch`, `client`: earliest valid `iat` in milliseconds since 1970. 0 for
   * the others, which end what they name for good.
   */
  readonly minimum: number;
  /** Log position; later changes have higher ones. */
  readonly sequence: bigint;
  /** Recording time in milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds since 1970 until which the change matters. */
  readonly until: number;
}

/** All changes up to `sequence` were delivered. Missing heartbeats make the state stale. */
export interface SecurityHeartbeat {
  readonly kind: 'heartbeat';
  /** Null: an empty log. */
  readonly sequence: bigint | null;
}

export type SecuritySignal = SecurityChange | SecurityHeartbeat;
