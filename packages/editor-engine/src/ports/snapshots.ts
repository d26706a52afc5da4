/** Where the scenes come from that are told as snapshots. */
import type { FromServer } from '../../../../domain/editor/messages/from-server';
import type { Scene } from '../../../../domain/editor/scene/scene';

/** Rejects when it cannot be had as it was written. */
export type LoadSnapshot = (message: FromServer<'snapshot'>, into: Scene, signal: AbortSignal) => Promise<void>;
