import { type OperationLogEvent, operationLog } from '../../../domain/editor/operation-log/events';
import { projection, putRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { type NodeActivityRow, nodeActivityView, wholeDocument } from './view';

type Committed = RecordedEvent<Extract<OperationLogEvent, { type: 'OperationsCommitted' }>>;

/** An operation on more nodes counts as one of the whole document. */
const maxNodesPerOperation = 200;
/** The same for a batch, which is written at once. */
const maxNodesPerBatch = 2_000;

interface Touch {
  readonly operation: CommittedOperation;
  readonly version: number;
}

/** The last operation of a batch on a node counts. */
const lastTouches = ({ data }: Committed): ReadonlyMap<string, Touch> => {
  const last = new Map<string, Touch>();
  for (const [index, operation] of data.operations.entries()) {
    const touched = touchedNodeIds(operation);
    const isNarrow =
      touched.size > 0 && touched.size <= maxNodesPerOperation && last.size + touched.size <= maxNodesPerBatch;
    const touch = { operation, version: data.fromVersion + index };
    for (const nodeId of isNarrow ? touched : [wholeDocument]) last.set(nodeId, touch);
  }
  return last;
};

const activityRows = (committed: Committed) =>
  [...lastTouches(committed)].flatMap(([nodeId, { operation, version }]) => {
    const { documentId } = committed.data;
    const { opId, type, actorId } = operation;
    const at = committed.event.occurredAt;
    return putRow<NodeActivityRow>({ documentId, nodeId, version, opId, type, actorId, at, ...committed.at });
  });

export const nodeActivityProjection = projection(nodeActivityView, [
  streamsOf(operationLog, {
    ignored: ['OwnershipTaken', 'SnapshotTaken', 'ContentCopied'],
    OperationsCommitted: activityRows,
  }),
]);

export type CommittedOperation = Extract<
  OperationLogEvent,
  { type: 'OperationsCommitted' }
>['data']['operations'][number];

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const idsIn = (list: unknown): readonly string[] =>
  Array.isArray(list)
    ? list.flatMap((one: unknown) => {
        const id = typeof one === 'string' ? one : fieldOf(one, 'id');
        return typeof id === 'string' ? [id] : [];
      })
    : [];

const keysOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];

const referencedIds = ({ type, payload }: CommittedOperation): readonly string[] => {
  switch (type) {
    case 'createNode':
      return idsIn(fieldOf(payload, 'nodes'));
    case 'deleteNode':
      return [...idsIn(fieldOf(payload, 'deleted')), ...idsIn(fieldOf(payload, 'moves'))];
    case 'setProperties':
      return keysOf(fieldOf(payload, 'nodes'));
    case 'transformNodes':
      return keysOf(fieldOf(payload, 'transforms'));
    case 'moveChild':
      return idsIn(fieldOf(payload, 'moves'));
    case 'textOperation':
    case 'restoreVersion':
      return [];
  }
};

/** Committed operations are facts: unreadable parts are skipped. */
const touchedNodeIds = (operation: CommittedOperation): ReadonlySet<string> =>
  new Set([...operation.targetIds, ...referencedIds(operation)].filter((id) => id.length > 0 && id.length <= 64));
