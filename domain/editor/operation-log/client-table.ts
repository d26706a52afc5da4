/**
 * Who sent what by now: each client's place in its own sequence (`forgetting` bounds how many are known), the ids that clients chose
 * themselves, for ever, and the latest operations by their ids. It changes in place, as the scene does, and only by what is committed, so
 * that every owner makes the same one of the log.
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
  /** Of what is committed; settled may be more by then. */
  readonly lastClientSeq: number;
}

export interface KnownOperation {
  readonly actorId: string;
  readonly version: number;
  /** The group of operations, or the operation, that inverted it; empty: none. */
  readonly invertedBy: string;
}

export interface ClientTable {
  /** By principal, a day since 1970: what was issued to it up to that day and is not known was known once. */
  readonly forgotten: Map<string, number>;
  /** Those that committed something last are the last. */
  readonly known: Map<ClientId, KnownClient>;
  /** The oldest first. */
  readonly recent: Map<OperationId, KnownOperation>;
  /** Nodes that an operation deleted, or that an inverse created: an inverse of that operation may create them. The oldest first. */
  readonly restorable: Map<OperationId, readonly NodeId[]>;
  /** Of operations that are no longer among the latest. Ids that follow from client and sequence are not in it: sequences tell them. */
  readonly chosen: CustomIds;
}

const maxRecentOperations = 4_096;

/** Deletions are rare among operations, so these reach back much further than the latest operations. */
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

/** `<client>-<its sequence>`: says whose it is also when it is long forgotten. */
const sequencedIdPattern = /^([0-9A-Za-z]{10})-([1-9][0-9]{0,15})$/u;

/** Operations that belong together invert together: each of them may name the same one. */
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
  // Set again it keeps its place.
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

/** Of one client's operations, from a version on; none: that what came after them is settled, too. */
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

/** Whether an operation may undo the one that it says it does. */
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

/** Of an operation that is not among the latest any more. */
const isOperationOf = (clients: ClientTable, id: OperationId, principalId: string): boolean =>
  issuerOf(clients, id) === principalId || findIdOwner(clients.chosen, id, principalId) === 'same-principal';

/** Undefined: it is not one that only this client can have made. */
export const parseClientSequence = (id: OperationId, clientId: ClientId): number | undefined => {
  const [, issuer, clientSeq] = sequencedIdPattern.exec(id) ?? [];
  return issuer === clientId ? Number(clientSeq) : undefined;
};

/** What is already said of an operation's id, before it is looked at. */
export type OperationIdCheck =
  | { readonly kind: 'new' }
  /** Without a version it is not among the latest any more. */
  | { readonly kind: 'duplicate'; readonly version?: number }
  | { readonly kind: 'refused'; readonly reason: 'id-foreign' | 'id-taken' | 'too-many-ids' };

/**
 * An id that is numbered is its own client's alone: else anybody could send one that another client is about to use, whose edit would
 * then count as sent.
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
