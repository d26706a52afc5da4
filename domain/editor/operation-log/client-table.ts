/**
 * The client table: each client's sequence, the ids that clients chose themselves, and the latest operations, to
 * detect duplicates. Mutable, and changed only by committed batches, so every owner derives the same table from the
 * log.
 */
import { type ClientId, NodeId, type OperationId } from '../ids';
import { limits } from '../limits';
import type { Operation } from '../operation';
import { isRecord } from '../scene/json';
import type { StoredClientTable } from './client-table-codec';
import { addCustomId, type CustomIds, countCustomIds, emptyCustomIds, findIdOwner } from './custom-ids';
import type { OperationLogEvent } from './events';

export interface KnownClient {
  readonly principalId: string;
  /** The committed sequence; more may be settled. */
  readonly lastClientSeq: number;
}

export interface KnownOperation {
  readonly actorId: string;
  readonly version: number;
  /** The operation, or its group, that inverted this one; empty if none. */
  readonly invertedBy: string;
}

export interface ClientTable {
  /** By principal: clients issued up to this day and not in the table were evicted. */
  readonly forgotten: Map<string, number>;
  /** Ordered by last commit. */
  readonly known: Map<ClientId, KnownClient>;
  /** The oldest first. */
  readonly recent: Map<OperationId, KnownOperation>;
  /**
   * By operation: nodes that it deleted, or that its inverse created. An inverse of it may create them again. The
   * oldest first.
   */
  readonly restorable: Map<OperationId, readonly NodeId[]>;
  /**
   * Chosen ids of operations that are no longer in `recent`. Ids of the form `<client>-<sequence>` are not included;
   * the sequence detects their duplicates.
   */
  readonly chosen: CustomIds;
}

const maxRecentOperations = 4_096;

/** Deletions are rare, so this reaches further back than `recent`. */
const maxRestorable = { operations: 4_096, nodes: 50_000 };

export const emptyClientTable = (): ClientTable => ({
  forgotten: new Map(),
  known: new Map(),
  recent: new Map(),
  restorable: new Map(),
  chosen: emptyCustomIds(),
});

export const decodeClientTable = ({
  clients,
  recent,
  forgotten = [],
  restorable = [],
  chosen = [],
  idRuns = [],
}: StoredClientTable): ClientTable => ({
  forgotten: new Map(forgotten),
  known: new Map(clients.map(([client, principalId, lastClientSeq]) => [client, { principalId, lastClientSeq }])),
  recent: new Map(recent.map(([id, actorId, version, invertedBy]) => [id, { actorId, version, invertedBy }])),
  restorable: new Map(restorable),
  chosen: { runs: [...idRuns], latest: new Map(chosen) },
});

export const encodeClientTable = ({
  known,
  recent,
  forgotten,
  restorable,
  chosen,
}: ClientTable): StoredClientTable => ({
  ...(forgotten.size > 0 && { forgotten: [...forgotten] }),
  clients: Array.from(known, ([id, { principalId, lastClientSeq }]) => [id, principalId, lastClientSeq]),
  recent: Array.from(recent, ([id, { actorId, version, invertedBy }]) => [id, actorId, version, invertedBy]),
  restorable: Array.from(restorable, ([id, nodes]) => [id, [...nodes]]),
  chosen: [...chosen.latest],
  idRuns: [...chosen.runs],
});

/** `<client>-<sequence>`: names its client even after the table evicted it. */
const sequencedIdPattern = /^([0-9A-Za-z]{10})-([1-9][0-9]{0,15})$/u;

/** Operations of one group invert together, so each may name the same operation. */
const inverterIdOf = ({ opId, undoGroupId, atomicGroup }: Operation): string => undoGroupId ?? atomicGroup ?? opId;

const evictOldest = ({ recent, chosen }: ClientTable): void => {
  const [oldest] = recent;
  if (oldest === undefined) return;
  const [id, { actorId }] = oldest;
  recent.delete(id);
  if (!sequencedIdPattern.test(id)) addCustomId(chosen, id, actorId);
};

const recordOperation = (clients: ClientTable, operation: Operation, version: number): void => {
  const { recent } = clients;
  const inverted = operation.inverseOf === undefined ? undefined : recent.get(operation.inverseOf);
  // `set` on an existing key keeps its position.
  if (operation.inverseOf !== undefined && inverted !== undefined)
    recent.set(operation.inverseOf, { ...inverted, invertedBy: inverterIdOf(operation) });
  recent.set(operation.opId, { actorId: operation.actorId, version, invertedBy: '' });
  if (recent.size > maxRecentOperations) evictOldest(clients);
};

const restorableNodesOf = ({ type, payload, inverseOf }: Operation): readonly NodeId[] => {
  if (!isRecord(payload)) return [];
  if (type === 'deleteNode') return Array.isArray(payload.deleted) ? payload.deleted.filter(NodeId.is) : [];
  if (type !== 'createNode' || inverseOf === undefined || !Array.isArray(payload.nodes)) return [];
  return payload.nodes.flatMap((node: unknown) => (isRecord(node) && NodeId.is(node.id) ? [node.id] : []));
};

const recordRestorable = ({ restorable }: ClientTable, operation: Operation): void => {
  const nodes = restorableNodesOf(operation);
  if (nodes.length === 0) return;
  restorable.set(operation.opId, nodes);
  let count = 0;
  for (const each of restorable.values()) count += each.length;
  for (const [oldest, each] of restorable) {
    if (restorable.size <= maxRestorable.operations && count <= maxRestorable.nodes) return;
    restorable.delete(oldest);
    count -= each.length;
  }
};

export type CommittedBatch = Extract<OperationLogEvent, { type: 'OperationsCommitted' }>['data'];

type CommittedOperations = Pick<CommittedBatch, 'clientId' | 'lastClientSeq' | 'fromVersion'> & {
  readonly operations: readonly Operation[];
};

/** Records one client's committed operations from a version on; without operations, only the settled sequence. */
export const recordCommitted = (
  clients: ClientTable,
  { clientId, lastClientSeq, fromVersion, operations }: CommittedOperations,
): void => {
  const before = clients.known.get(clientId);
  const principalId = before?.principalId ?? operations[0]?.actorId;
  if (principalId === undefined) return;
  const reached = Math.max(before?.lastClientSeq ?? 0, lastClientSeq);
  clients.known.delete(clientId);
  clients.known.set(clientId, { principalId, lastClientSeq: reached });
  for (const [index, operation] of operations.entries()) {
    recordOperation(clients, operation, fromVersion + index);
    recordRestorable(clients, operation);
  }
};

/** Checks whether an operation may undo the one that `inverseOf` names. */
export const checkInverse = (
  clients: ClientTable,
  operation: Operation,
  principalId: string,
): 'inverse-foreign' | 'already-inverted' | undefined => {
  const { inverseOf } = operation;
  if (inverseOf === undefined) return undefined;
  const known = clients.recent.get(inverseOf);
  if (known === undefined) return isOperationOf(clients, inverseOf, principalId) ? undefined : 'inverse-foreign';
  if (known.actorId !== principalId) return 'inverse-foreign';
  const isFree = known.invertedBy === '' || known.invertedBy === inverterIdOf(operation);
  return isFree ? undefined : 'already-inverted';
};

const issuerOf = ({ known }: ClientTable, id: OperationId): string | undefined =>
  known.get((sequencedIdPattern.exec(id)?.[1] ?? '') as ClientId)?.principalId;

/** For operations that are no longer in `recent`. */
const isOperationOf = (clients: ClientTable, id: OperationId, principalId: string): boolean =>
  issuerOf(clients, id) === principalId || findIdOwner(clients.chosen, id, principalId) === 'same-principal';

/** Undefined unless only this client can have made the id. */
export const parseClientSequence = (id: OperationId, clientId: ClientId): number | undefined => {
  const [, issuer, clientSeq] = sequencedIdPattern.exec(id) ?? [];
  return issuer === clientId ? Number(clientSeq) : undefined;
};

/** Result of the id check, before the operation is resolved. */
export type OperationIdCheck =
  | { readonly kind: 'new' }
  /** The version is missing if the operation is no longer in `recent`. */
  | { readonly kind: 'duplicate'; readonly version?: number }
  | { readonly kind: 'refused'; readonly reason: 'id-foreign' | 'id-taken' | 'too-many-ids' };

/**
 * Only client `<clientId>` may use an id `<clientId>-<clientSeq>`. Otherwise a client could send another client's
 * next id, and that client's edit would be dropped as a duplicate.
 */
export const checkOperationId = (
  { recent, chosen }: ClientTable,
  { opId, clientSeq }: Operation,
  { clientId, principalId }: { readonly clientId: ClientId; readonly principalId: string },
): OperationIdCheck => {
  const isNumbered = sequencedIdPattern.test(opId);
  if (isNumbered && opId !== `${clientId}-${clientSeq}`) return { kind: 'refused', reason: 'id-foreign' };
  const known = recent.get(opId);
  if (known !== undefined)
    return known.actorId === principalId
      ? { kind: 'duplicate', version: known.version }
      : { kind: 'refused', reason: 'id-taken' };
  if (isNumbered) return { kind: 'new' };
  const chooser = findIdOwner(chosen, opId, principalId);
  if (chooser !== undefined)
    return chooser === 'same-principal' ? { kind: 'duplicate' } : { kind: 'refused', reason: 'id-taken' };
  return countCustomIds(chosen) < limits.chosenIds ? { kind: 'new' } : { kind: 'refused', reason: 'too-many-ids' };
};
