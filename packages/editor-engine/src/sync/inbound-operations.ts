/** Applies committed operations in version order. While a snapshot loads, later frames wait. */

import type { Operation } from '../../../../domain/editor/operation';
import type { ServerMessage } from '../../../../domain/editor/protocol/server-messages';
import { emptyScene, type Scene } from '../../../../domain/editor/scene/scene';
import type { VersionStamp } from '../ports/document-store';
import type { LoadSnapshot } from '../ports/transport';
import { type OperationTracker, settleDue, trackCommitted } from '../replica/operation-tracker';
import { pendingOperations, replaceCommittedScene } from '../replica/replica';

type SentSnapshot = ServerMessage<'snapshot'>;
type ReceivedFrame = Pick<ServerMessage<'operations'>, 'fromVersion' | 'operations'>;

export interface InboundOperations {
  readonly tracker: OperationTracker;
  readonly load: LoadSnapshot;
  /** Reconnects and joins again. */
  readonly restart: (reason: string) => void;
  readonly fault: (error: unknown) => void;
  /** The scene was replaced. */
  readonly replaced: () => void;
  /** Aborted when another snapshot arrives. */
  loading: AbortController | undefined;
  waiting: ReceivedFrame[];
  /** Version stamp of the last join. */
  head: VersionStamp;
}

/** Resets the replica to an empty scene. */
export const resetReplica = ({ tracker }: InboundOperations): void => {
  for (const item of pendingOperations(tracker.replica)) item.isPerhapsSeen ||= item.isSent;
  replaceCommittedScene(tracker.replica, emptyScene(), { version: 0 });
  tracker.writeQueue.enqueue({ replacesScene: true });
};

const isRestore = ({ type }: Operation): boolean => type === 'restoreVersion';

export const receiveFrame = (inbound: InboundOperations, frame: ReceivedFrame): void => {
  const { tracker, restart } = inbound;
  if (inbound.loading !== undefined) {
    inbound.waiting.push(frame);
    return;
  }
  const known = tracker.replica.version + 1 - frame.fromVersion;
  const fresh = frame.operations.slice(known);
  if (known < 0) restart('gap');
  else if (fresh.some(isRestore)) {
    // The operation does not contain the restored scene; a snapshot does.
    resetReplica(inbound);
    restart('restored');
  } else trackCommitted(tracker, fresh);
};

const installSnapshot = (inbound: InboundOperations, { snapshot, operationTail }: SentSnapshot, scene: Scene): void => {
  const { tracker, waiting, replaced, head } = inbound;
  Object.assign(inbound, { loading: undefined, waiting: [] });
  for (const item of pendingOperations(tracker.replica)) item.isPerhapsSeen ||= item.isSent;
  replaceCommittedScene(
    tracker.replica,
    scene,
    head.version === snapshot.version ? head : { version: snapshot.version },
  );
  for (const frame of [{ fromVersion: snapshot.version + 1, operations: operationTail }, ...waiting])
    receiveFrame(inbound, frame);
  settleDue(tracker);
  replaced();
};

/** Returns without effect if another snapshot arrived meanwhile. */
export const receiveSnapshot = async (inbound: InboundOperations, message: SentSnapshot): Promise<void> => {
  inbound.loading?.abort();
  const loading = new AbortController();
  inbound.loading = loading;
  const scene = emptyScene();
  try {
    await inbound.load(message, scene, loading.signal);
  } catch (error) {
    if (inbound.loading !== loading) return;
    Object.assign(inbound, { loading: undefined, waiting: [] });
    inbound.fault(error);
    return inbound.restart('snapshot-unreadable');
  }
  if (inbound.loading === loading) installSnapshot(inbound, message, scene);
};
