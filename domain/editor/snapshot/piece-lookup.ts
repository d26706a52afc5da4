/** A few nodes of a snapshot: which pieces may tell of them. */
import { NodeId } from '../ids';
import type { Operation } from '../operation';
import { isRecord } from '../scene/json';
import { chunkIndexOf } from './compaction';
import type { Manifest, PieceRef } from './manifest';

/** The chunks that the nodes are in if they are anywhere in the base. */
export const chunksContaining = ({ base }: Pick<Manifest, 'base'>, ids: Iterable<NodeId>): readonly PieceRef[] => {
  const wanted = new Set<number>();
  for (const id of ids) wanted.add(chunkIndexOf(base, id));
  return base.filter((_, index) => wanted.has(index)).map(({ piece }) => piece);
};

const idsIn = (field: unknown): readonly unknown[] => {
  if (Array.isArray(field)) return field.map((one: unknown) => (isRecord(one) ? one.id : one));
  return isRecord(field) ? Object.keys(field) : [];
};

/**
 * Every node that a committed operation may change, and perhaps some that it does not: lists and records of its payload name them. Doing
 * it needs no other node.
 */
export const referencedNodeIds = ({ targetIds, payload }: Operation): readonly NodeId[] => {
  const named = isRecord(payload) ? Object.values(payload).flatMap(idsIn) : [];
  return [...targetIds, ...named.filter(NodeId.is)];
};
