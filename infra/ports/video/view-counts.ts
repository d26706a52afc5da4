/** What is known of playbacks and viewers while their views are counted, and sums on their way to the log. */
import type { Either } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Fault } from '../../../domain/kernel/rejection';
import type { VideoId } from '../../../domain/video/ids';
import type { PlaybackCount } from '../../../domain/video/protocol/playback';
import type { ViewSums } from '../../../domain/video/views/events';
import type { HeartbeatPosition, ReceivedHeartbeat } from './heartbeats';

export type ViewCountFault = Fault<'view-counts-unavailable'>;

export interface VideoName {
  readonly tenant: TenantId;
  readonly videoId: VideoId;
}

export interface ViewerName extends VideoName {
  readonly viewerId: string;
}

export interface KnownPlayback {
  readonly sessionId: string;
  /** When no further heartbeat of it can come. */
  readonly expiresAt: number;
  readonly count: PlaybackCount;
}

/** Milliseconds since 1970: when the viewer's last view of the video was counted. */
export interface CountedViewer extends ViewerName {
  readonly viewedAt: number;
}

export interface WatchPosition extends ViewerName {
  readonly positionMilliseconds: number;
  readonly durationMilliseconds: number;
  readonly watchedAt: number;
}

/** What arrived of a video within a minute, and is not in the log yet. */
export interface MinuteViews extends VideoName {
  readonly minute: Instant;
  readonly sums: ViewSums;
}

export interface KnownCounts {
  readonly playbacks: readonly KnownPlayback[];
  readonly viewers: readonly CountedViewer[];
}

/** What changed by a page of heartbeats. */
export interface CountedPage extends KnownCounts {
  readonly positions: readonly WatchPosition[];
  /** To be added to what waits of the minute. */
  readonly minutes: readonly MinuteViews[];
}

export interface CountedRead {
  readonly after: HeartbeatPosition | undefined;
  readonly position: HeartbeatPosition;
  readonly heartbeats: readonly ReceivedHeartbeat[];
}

/** Sums that no longer change. Appended under its id, it is in the log once, however often it is appended. */
export interface ViewBatch extends MinuteViews {
  readonly batchId: string;
  /** A revision of the video's stream that is not after the batch's; 0 where none is known. */
  readonly revision: number;
}

export interface AppendedBatch {
  readonly batchId: string;
  /** Of the stream's last event that was read or written. */
  readonly revision: number;
}

export interface PurgedBefore {
  /** Playbacks that expired. */
  readonly expiredAt: number;
  /** Viewers whose last view was counted. */
  readonly viewedAt: number;
  /** Positions of videos that were watched. */
  readonly watchedAt: number;
}

export interface ViewCounts {
  readonly positionOf: (partition: number) => Promise<Either<ViewCountFault, HeartbeatPosition | undefined>>;
  /**
   * One transaction: known counts in, changes and the position out. `count` is pure. False: another consumer has the partition, or read on;
   * nothing was changed then.
   */
  readonly count: (
    partition: number,
    read: CountedRead,
    count: (known: KnownCounts) => CountedPage,
  ) => Promise<Either<ViewCountFault, boolean>>;
  /** Appends the sums that have waited for so long, in order; those which `append` answers are removed. How many that were. */
  readonly publish: (
    partition: number,
    waitedMilliseconds: number,
    append: (batches: readonly ViewBatch[]) => Promise<readonly AppendedBatch[]>,
  ) => Promise<Either<ViewCountFault, number>>;
  /** Removes what is older, in milliseconds since 1970. How much that was. */
  readonly purge: (before: PurgedBefore) => Promise<Either<ViewCountFault, number>>;
  /** Removes what is known of a person, by the person's hash in the log. */
  readonly forget: (subjects: readonly string[]) => Promise<Either<ViewCountFault, void>>;
  /** Position of the log up to which persons were forgotten; null: from the beginning. */
  readonly forgottenTo: () => Promise<Either<ViewCountFault, bigint | null>>;
  readonly recordForgottenTo: (position: bigint) => Promise<Either<ViewCountFault, void>>;
}
