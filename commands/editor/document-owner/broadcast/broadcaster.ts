/** Sends committed operations to all subscribers, and retains them for clients that reconnect. */
import type { Snapshot } from '../../../../domain/editor/snapshot/snapshot';
import type { Broadcast, OperationFrame } from '../document-handle';
import { mergeFrames } from './operation-frames';
import { type BacklogBounds, createReplicationBacklog, type ReplicationBacklog } from './replication-backlog';

/** Consecutive operations of an append. */
interface CommittedOperations {
  readonly fromVersion: number;
  /** JSON of each operation. */
  readonly serialized: readonly string[];
}

export interface Broadcaster {
  /** The version that subscribers have. */
  readonly committedVersion: () => number;
  readonly backlog: ReplicationBacklog;
  readonly broadcastCommitted: (parts: readonly CommittedOperations[]) => void;
  readonly broadcastSceneReplaced: (snapshot: Snapshot) => void;
  /** Returns the function that ends it. */
  readonly subscribe: (listener: (broadcast: Broadcast) => void) => () => void;
  readonly hasSubscribers: () => boolean;
  readonly unsubscribeAll: () => void;
}

const frameOf = ({ fromVersion, serialized }: CommittedOperations): OperationFrame => ({
  kind: 'operations',
  fromVersion,
  toVersion: fromVersion + serialized.length - 1,
  operations: serialized,
});

export interface BroadcasterOptions {
  readonly committedVersion: number;
  /** Version of the newest snapshot; 0 without one. */
  readonly snapshotVersion: number;
  /** Operations after the snapshot. */
  readonly frames: readonly OperationFrame[];
  readonly bounds: BacklogBounds;
}

export const createBroadcaster = (options: BroadcasterOptions): Broadcaster => {
  let { committedVersion } = options;
  const listeners = new Set<(broadcast: Broadcast) => void>();
  const backlog = createReplicationBacklog(options.snapshotVersion, options.bounds);
  for (const frame of options.frames) backlog.add(frame);
  const broadcast = (message: Broadcast): void => {
    for (const listener of [...listeners]) listener(message);
  };
  return {
    committedVersion: () => committedVersion,
    backlog,
    broadcastCommitted: (parts) => {
      for (const frame of mergeFrames(parts.map(frameOf))) {
        backlog.add(frame);
        committedVersion = frame.toVersion;
        broadcast(frame);
      }
    },
    broadcastSceneReplaced: (snapshot) => {
      backlog.restart(snapshot.version);
      committedVersion = snapshot.version;
      broadcast({ kind: 'rebased', snapshot });
    },
    subscribe: (listener) => {
      // Wrapped, so that the same function can subscribe twice.
      const subscriber = (message: Broadcast): void => listener(message);
      listeners.add(subscriber);
      return () => listeners.delete(subscriber);
    },
    hasSubscribers: () => listeners.size > 0,
    unsubscribeAll: () => listeners.clear(),
  };
};
