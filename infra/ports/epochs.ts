/** Security epochs as gateways hear of them: a principal's tokens below its epoch are revoked. */
export interface EpochBump {
  readonly kind: 'bump';
  readonly tenantId: string;
  readonly principalId: string;
  readonly securityEpoch: number;
  /** Milliseconds since 1970: when it was raised. */
  readonly at: number;
}

export type EpochSignal =
  | EpochBump
  /** Every bump recorded up to now has been delivered; without one for long, the follower's state is stale. */
  | { readonly kind: 'heartbeat' };

export interface EpochFeed {
  /** May repeat and reorder bumps. Reconnects by itself; ends when the signal aborts. */
  readonly follow: (signal: AbortSignal) => AsyncIterable<EpochSignal>;
}
