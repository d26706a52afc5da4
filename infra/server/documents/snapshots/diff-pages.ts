/**
 * Pages of the diff of two snapshots. The ids of differing nodes are computed once and cached; each page reads only
 * the pieces that contain its nodes.
 */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { NodeId } from '../../../../domain/editor/ids';
import { diffNode } from '../../../../domain/editor/scene/diff';
import type { Snapshot } from '../../../../domain/editor/snapshot/snapshot';
import type { SnapshotFault } from '../piece-blobs';
import type { PieceStore } from '../piece-store';
import { type NodeDiffView, toNodeDiffView } from './diff-presentation';
import { buildDiffIndex, type DiffCounts, type DiffIndex, loadScenePair, type ScenePair } from './snapshot-diff';

export interface DiffPageRequest {
  readonly from: Snapshot;
  readonly to: Snapshot;
  /** The page starts after this node. */
  readonly after?: NodeId;
  readonly limit: number;
}

export interface DiffPage {
  /** Ordered by id. */
  readonly items: readonly NodeDiffView[];
  /** Of all pages. */
  readonly counts: DiffCounts;
  /** Cursor of the next page; absent on the last. */
  readonly next?: NodeId;
}

type DiffIndexResult = Promise<Either<SnapshotFault, DiffIndex>>;

interface CachedDiffIndex {
  readonly index: DiffIndexResult;
  /** Count of ids; 0 until the index is complete. */
  ids: number;
}

/** By snapshot pair, the last used at the end. */
export type DiffIndexCache = Map<string, CachedDiffIndex>;

const maxIndexes = 16;
/** In all indexes, about fifty megabytes. A larger index is computed again for each page. */
const maxIds = 1_000_000;
/** The node that exceeds this ends the page. */
const pageBytes = 1_048_576;

/** Caches each piece for the duration of one page. */
const cachingPieces = (pieces: PieceStore): PieceStore => {
  const known = new Map<string, ReturnType<PieceStore['get']>>();
  const get: PieceStore['get'] = (piece) => {
    const text = known.get(piece.key) ?? pieces.get(piece);
    known.set(piece.key, text);
    return text;
  };
  return { ...pieces, get };
};

const evictOldest = (cache: DiffIndexCache): void => {
  let ids = [...cache.values()].reduce((sum, one) => sum + one.ids, 0);
  for (const [key, oldest] of cache) {
    if (ids <= maxIds && cache.size <= maxIndexes) return;
    cache.delete(key);
    ids -= oldest.ids;
  }
};

/** Concurrent requests share one computation. */
const cachedDiffIndex = async (
  cache: DiffIndexCache,
  pieces: PieceStore,
  { from, to }: DiffPageRequest,
): DiffIndexResult => {
  const key = `${from.compressedSceneKey} ${to.compressedSceneKey}`;
  const pageIds = cache.get(key) ?? { index: buildDiffIndex(pieces, from, to), ids: 0 };
  cache.delete(key);
  cache.set(key, pageIds);
  const answer = await pageIds.index;
  if (isLeft(answer)) cache.delete(key);
  else pageIds.ids = answer.right.ids.length;
  evictOldest(cache);
  return answer;
};

/** Index of the first id after this one. */
const indexAfter = (ids: readonly NodeId[], id: NodeId): number => {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] as NodeId) <= id) low = middle + 1;
    else high = middle;
  }
  return low;
};

const buildItems = ({ before, after }: ScenePair, ids: readonly NodeId[]): readonly NodeDiffView[] => {
  const items: NodeDiffView[] = [];
  let bytes = 0;
  for (const id of ids) {
    const difference = diffNode(before, after, id);
    if (difference === undefined) throw new Error('a node of an outline does not differ');
    if (bytes > pageBytes) break;
    const item = toNodeDiffView(difference);
    bytes += Buffer.byteLength(JSON.stringify(item));
    items.push(item);
  }
  return items;
};

export const readDiffPage = async (
  stored: PieceStore,
  request: DiffPageRequest,
  cache: DiffIndexCache = new Map(),
): Promise<Either<SnapshotFault, DiffPage>> => {
  const pieces = cachingPieces(stored);
  const index = await cachedDiffIndex(cache, pieces, request);
  if (isLeft(index)) return index;
  const { ids, counts } = index.right;
  const start = request.after === undefined ? 0 : indexAfter(ids, request.after);
  const pageIds = ids.slice(start, start + request.limit);
  const scenes = await loadScenePair(pieces, index.right, new Set(pageIds));
  if (isLeft(scenes)) return scenes;
  const items = buildItems(scenes.right, pageIds);
  const last = items.at(-1);
  const isLast = last === undefined || start + items.length >= ids.length;
  return right({ items, counts, ...(isLast ? {} : { next: last.id }) });
};
