/** Heartbeats of players on their way to being counted. Those of one video arrive, and are read, in one partition, in order. */
import type { Either } from 'fp-ts/Either';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Fault } from '../../../domain/kernel/rejection';
import type { VideoId } from '../../../domain/video/ids';
import type { Heartbeat } from '../../../domain/video/protocol/playback';

export interface SentHeartbeat extends Omit<Heartbeat, 'receivedAt'> {
  readonly tenant: TenantId;
  readonly videoId: VideoId;
  /** The principal, or what stands for a person who is not signed in. */
  readonly viewerId: string;
  readonly sessionId: string;
  /** When the playback's proof expires; milliseconds since 1970. */
  readonly expiresAt: number;
}

export type HeartbeatFault = Fault<'heartbeats-unavailable'>;

/** `repeated`: its sequence number is not beyond the last one of its playback. `too-soon`: after the one before. */
export type HeartbeatReceipt = 'received' | 'repeated' | 'too-soon';

export interface HeartbeatSink {
  readonly send: (heartbeat: SentHeartbeat) => Promise<Either<HeartbeatFault, HeartbeatReceipt>>;
}

export interface ReceivedHeartbeat extends SentHeartbeat {
  /** Orders the heartbeats of a partition. */
  readonly id: string;
  /** Milliseconds since 1970, by the clock of the store. */
  readonly receivedAt: number;
}

/** How far a partition was read. `epoch` differs after the store lost everything, and then the ids begin again. */
export interface HeartbeatPosition {
  readonly epoch: string;
  readonly id: string;
}

export interface HeartbeatPage {
  /** After the last heartbeat of the page; that of the request where there is none. Undefined: the partition is empty. */
  readonly position: HeartbeatPosition | undefined;
  readonly heartbeats: readonly ReceivedHeartbeat[];
}

export interface HeartbeatSource {
  readonly partitions: number;
  readonly read: (
    partition: number,
    after: HeartbeatPosition | undefined,
  ) => Promise<Either<HeartbeatFault, HeartbeatPage>>;
  /** Removes what was read up to the position. */
  readonly trim: (partition: number, position: HeartbeatPosition) => Promise<Either<HeartbeatFault, void>>;
}
