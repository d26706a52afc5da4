/** Snapshots of documents in object storage: none is ever removed. */
import { isLeft } from 'fp-ts/Either';
import { noReferences, type OpenReferenceReader } from '../kernel/references';
import { operationLog, snapshotOfEvent } from './operation-log/events';

const types = new Set(operationLog.storedTypes);

export const references: OpenReferenceReader =
  () =>
  ({ stream, type, data }) => {
    const event = types.has(type) ? operationLog.decode(type, data) : undefined;
    const snapshot = event === undefined || isLeft(event) ? undefined : snapshotOfEvent(event.right);
    if (snapshot === undefined) return noReferences;
    return { added: [{ kind: 'blob', name: snapshot.compressedSceneKey, owner: stream }] };
  };
