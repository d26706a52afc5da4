/** How far in the log each gateway knows revocations, as gateways report it. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';

export interface GatewayPosition {
  readonly gatewayId: string;
  readonly sequence: bigint;
  /** Since its last report. */
  readonly ageMilliseconds: number;
}

export interface GatewayPositions {
  /** Replaces the gateway's earlier report. */
  readonly report: (gatewayId: string, sequence: bigint) => Promise<Either<Fault<'service-unavailable'>, void>>;
  /** Of gateways that reported within the time; others are forgotten. */
  readonly reportedWithin: (
    milliseconds: number,
  ) => Promise<Either<Fault<'service-unavailable'>, readonly GatewayPosition[]>>;
  readonly close: () => Promise<void>;
}
