/** Allocates ids of operations and nodes, unique by the client id. */
import type { ClientId, DocumentId, NodeId, OperationId } from '../../../../domain/editor/ids';
import type { Operation, OperationType, Payload } from '../../../../domain/editor/operation';
import type { Instant } from '../../../../domain/kernel/codec';
import type { StoredClient } from '../ports/document-store';

export interface IdAllocator {
  clientId: ClientId | undefined;
  readonly documentId: DocumentId;
  readonly actorId: string;
  readonly now: () => number;
  lastClientSeq: number;
  lastNode: number;
}

/** An operation before it has an id and a sequence. */
export type OperationDraft = {
  readonly [Type in Exclude<OperationType, 'restoreVersion'>]: {
    readonly type: Type;
    readonly targetIds: readonly NodeId[];
    readonly payload: Payload<Type>;
    readonly inverseOf?: OperationId;
    /** The version seen when the edit began; the default is the current one. */
    readonly baseVersion?: number;
  };
}[Exclude<OperationType, 'restoreVersion'>];

export interface OperationFields extends Pick<Operation, 'baseVersion'> {
  readonly undoGroupId: string | undefined;
  readonly atomicGroup: string | undefined;
}

/** Does not advance the sequence; that happens when the operation is accepted locally. */
export const createOperation = (
  ids: IdAllocator,
  clientId: ClientId,
  { draft, fields }: { readonly draft: OperationDraft; readonly fields: OperationFields },
): Operation => {
  const { type, targetIds, payload, inverseOf } = draft;
  const { undoGroupId, atomicGroup, baseVersion } = fields;
  const clientSeq = ids.lastClientSeq + 1;
  return {
    opId: `${clientId}-${clientSeq}` as OperationId,
    documentId: ids.documentId,
    actorId: ids.actorId,
    clientSeq,
    baseVersion: draft.baseVersion ?? baseVersion,
    type,
    targetIds: [...targetIds],
    payload,
    createdAt: new Date(ids.now()).toISOString() as Instant,
    ...(undoGroupId === undefined ? {} : { undoGroupId }),
    ...(inverseOf === undefined ? {} : { inverseOf }),
    ...(atomicGroup === undefined ? {} : { atomicGroup }),
  };
};

export const newNodeId = (ids: IdAllocator, clientId: ClientId): NodeId => {
  ids.lastNode += 1;
  return `${clientId}:${ids.lastNode}` as NodeId;
};

export const toStoredClient = ({ lastClientSeq, lastNode, now }: IdAllocator, clientId: ClientId): StoredClient => ({
  clientId,
  lastClientSeq,
  lastNode,
  usedAt: now(),
});
