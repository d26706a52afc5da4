/** Sends committed operations to all subscribers, then acknowledges the batches that contained them. */
import { right } from 'fp-ts/Either';
import type { ClientBatch } from '../commit/append-builder';
import type { QueuedBatch } from '../commit/queued-batch';
import type { Broadcast, OperationFrame, SceneReplaced } from '../document-handle';
import type { OwnedDocument } from '../owned-document';
import { mergeFrames } from './operation-frames';

const broadcast = ({ listeners }: OwnedDocument, serialized: Broadcast): void => {
  for (const listener of [...listeners]) listener(serialized);
};

const frameOf = ({ fromVersion, serialized }: ClientBatch): OperationFrame => ({
  kind: 'operations',
  fromVersion,
  toVersion: fromVersion + serialized.length - 1,
  operations: serialized,
});

export const broadcastCommitted = (owned: OwnedDocument, parts: readonly ClientBatch[]): void => {
  for (const frame of mergeFrames(parts.map(frameOf))) {
    owned.backlog.add(frame);
    owned.committedVersion = frame.toVersion;
    broadcast(owned, frame);
  }
};

export const broadcastSceneReplaced = (owned: OwnedDocument, { snapshot }: SceneReplaced): void => {
  owned.backlog.restart(snapshot.version);
  owned.committedVersion = snapshot.version;
  broadcast(owned, { kind: 'rebased', snapshot });
};

export const acknowledgeAll = ({ committedVersion }: OwnedDocument, finished: readonly QueuedBatch[]): void => {
  for (const { answer, results } of finished) answer(right({ committedVersion, results }));
};
