import { type LogEvent, log } from '../../../domain/editor/log/events';
import { on, projection, put } from '../../kernel/projection';
import type { Recorded } from '../../kernel/recorded';
import { type CommittedOperation, touchedBy } from './touched';
import { type NodeActivityRow, nodeActivityView, wholeDocument } from './view';

type Committed = Recorded<Extract<LogEvent, { type: 'OperationsCommitted' }>>;

/** Of more nodes than that an operation is one of the document: a paste of thousands is no news of each. */
const mostOfOperation = 200;
/** The same for a batch as a whole, which is written at once. */
const mostOfBatch = 2_000;

interface Touch {
  readonly operation: CommittedOperation;
  readonly version: number;
}

/** Of several operations of a batch on one node the last counts. */
const touches = ({ data }: Committed): ReadonlyMap<string, Touch> => {
  const last = new Map<string, Touch>();
  for (const [index, operation] of data.operations.entries()) {
    const touched = touchedBy(operation);
    const isNarrow = touched.size > 0 && touched.size <= mostOfOperation && last.size + touched.size <= mostOfBatch;
    const touch = { operation, version: data.fromVersion + index };
    for (const nodeId of isNarrow ? touched : [wholeDocument]) last.set(nodeId, touch);
  }
  return last;
};

const rows = (committed: Committed) =>
  [...touches(committed)].flatMap(([nodeId, { operation, version }]) => {
    const { documentId } = committed.data;
    const { opId, type, actorId } = operation;
    const at = committed.event.occurredAt;
    return put<NodeActivityRow>({ documentId, nodeId, version, opId, type, actorId, at, ...committed.at });
  });

export const nodeActivityProjection = projection(nodeActivityView, [
  on(log, 'log', {
    ignored: ['OwnershipTaken', 'SnapshotTaken', 'ContentCopied'],
    OperationsCommitted: rows,
  }),
]);
