/** Finds the pieces of a snapshot that may contain certain nodes. */
import { NodeId } from '../ids';
import type { Operation } from '../operation';
import { isRecord } from '../scene/json';
import { chunkIndexOf } from './compaction';
import type { Manifest, PieceRef } from './manifest';

/** Base chunks whose range contains the ids. */
export const chunksContaining = ({ base }: Pick<Manifest, 'base'>, ids: Iterable<NodeId>): readonly PieceRef[] => {
  const wanted = new Set<number>();
  for (const id of ids) wanted.add(chunkIndexOf(base, id));
  return base.filter((_, index) => wanted.has(index)).map(({ piece }) => piece);
};

const idsIn = (field: unknown): readonly unknown[] => {
  if (Array.isArray(field)) return field.map((one: unknown) => (isRecord(one) ? one.id : one));
  return isRecord(field) ? Object.keys(field) : [];
};

/** Ids in the operation's targets and payload: every node that applying it needs, and possibly more. */
export const referencedNodeIds = ({ targetIds, payload }: Operation): readonly NodeId[] => {
  const named = isRecord(payload) ? Object.values(payload).flatMap(idsIn) : [];
  return [...targetIds, ...named.filter(NodeId.is)];
};
