/** Who edits here: gives operations and nodes their ids, which nobody else can give. */
import type { ClientId, DocumentId, NodeId, OperationId } from '../../../../domain/editor/ids';
import type { Operation, OperationType, Payload } from '../../../../domain/editor/operation';
import type { Instant } from '../../../../domain/kernel/codec';
import type { KeptClient } from '../ports/store';

export interface Author {
  clientId: ClientId | undefined;
  readonly documentId: DocumentId;
  readonly actorId: string;
  readonly now: () => number;
  lastClientSeq: number;
  lastNode: number;
}

/** What somebody wants to do, before it is anybody's operation. */
export type Draft = {
  readonly [Type in Exclude<OperationType, 'restoreVersion'>]: {
    readonly type: Type;
    readonly targetIds: readonly NodeId[];
    readonly payload: Payload<Type>;
    readonly inverseOf?: OperationId;
    /** What had been seen when it began; left out, what is seen now. */
    readonly baseVersion?: number;
  };
}[Exclude<OperationType, 'restoreVersion'>];

export interface Named extends Pick<Operation, 'baseVersion'> {
  readonly undoGroupId: string | undefined;
  readonly atomicGroup: string | undefined;
}

/** Takes no number: that is the author's when it stays. */
export const operationOf = (author: Author, clientId: ClientId, [draft, named]: [Draft, Named]): Operation => {
  const { type, targetIds, payload, inverseOf } = draft;
  const { undoGroupId, atomicGroup, baseVersion } = named;
  const clientSeq = author.lastClientSeq + 1;
  return {
    opId: `${clientId}-${clientSeq}` as OperationId,
    documentId: author.documentId,
    actorId: author.actorId,
    clientSeq,
    baseVersion: draft.baseVersion ?? baseVersion,
    type,
    targetIds: [...targetIds],
    payload,
    createdAt: new Date(author.now()).toISOString() as Instant,
    ...(undoGroupId === undefined ? {} : { undoGroupId }),
    ...(inverseOf === undefined ? {} : { inverseOf }),
    ...(atomicGroup === undefined ? {} : { atomicGroup }),
  };
};

export const newNodeId = (author: Author, clientId: ClientId): NodeId => {
  author.lastNode += 1;
  return `${clientId}:${author.lastNode}` as NodeId;
};

export const keptOf = ({ lastClientSeq, lastNode, now }: Author, clientId: ClientId): KeptClient => ({
  ...{ clientId, lastClientSeq, lastNode, usedAt: now() },
});
