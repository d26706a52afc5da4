/** Keys of heartbeats: those of one partition lie in one slot of a cluster. */
import { hash } from 'node:crypto';

/** Fixed: the heartbeats of a video keep their order only while they stay in one partition. */
export const heartbeatPartitions = 8;

export const partitionOf = (videoId: string): number =>
  Number.parseInt(hash('sha1', videoId, 'hex').slice(0, 8), 16) % heartbeatPartitions;

const keyOf = (partition: number, name: string): string => `video:{heartbeats-${partition}}:${name}`;

export const heartbeatsKey = (partition: number): string => keyOf(partition, 'stream');
/** Made with the stream: when Redis has lost both, ids begin again. */
export const epochKey = (partition: number): string => keyOf(partition, 'epoch');
export const playbackKey = (partition: number, sessionId: string): string => keyOf(partition, `playback:${sessionId}`);
