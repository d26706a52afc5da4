/**
 * Pages of what lies between two snapshots. Which nodes differ is found out once and known for a while; what they are is read again for
 * each page, from the few pieces that tell of its nodes.
 */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { NodeId } from '../../../domain/editor/ids';
import { differenceAt } from '../../../domain/editor/scene/difference';
import type { Snapshot } from '../../../domain/editor/snapshot/record';
import type { SnapshotFault } from '../../../infra/documents/piece-blobs';
import type { PieceStore } from '../../../infra/documents/piece-store';
import { type DifferenceCounts, type Outline, outlineOf, type Scenes, scenesOf } from './comparing';
import { type ShownDifference, shownDifference } from './shown-difference';

export interface Comparing {
  readonly from: Snapshot;
  readonly to: Snapshot;
  /** The page begins behind it. */
  readonly after?: NodeId;
  readonly limit: number;
}

export interface DifferencePage {
  /** In the order of ids. */
  readonly items: readonly ShownDifference[];
  /** Of all, whatever page this is. */
  readonly counts: DifferenceCounts;
  /** What the next page begins behind; none on the last. */
  readonly next?: NodeId;
}

type Outlined = Promise<Either<SnapshotFault, Outline>>;

interface Kept {
  readonly outline: Outlined;
  /** As soon as it is known. */
  ids: number;
}

/** By what was compared, the one used last at the end. */
export type Outlines = Map<string, Kept>;

const mostOutlines = 16;
/** In all of them, which is some fifty megabytes. One that is larger is made again for each page. */
const mostIds = 1_000_000;
/** A page ends with the node that goes beyond it. */
const pageBytes = 1_048_576;

/** Each once, however often it is asked for. */
const once = (pieces: PieceStore): PieceStore => {
  const known = new Map<string, ReturnType<PieceStore['get']>>();
  const get: PieceStore['get'] = (piece) => {
    const text = known.get(piece.key) ?? pieces.get(piece);
    known.set(piece.key, text);
    return text;
  };
  return { ...pieces, get };
};

const forgetOldest = (outlines: Outlines): void => {
  let ids = [...outlines.values()].reduce((sum, one) => sum + one.ids, 0);
  for (const [key, oldest] of outlines) {
    if (ids <= mostIds && outlines.size <= mostOutlines) return;
    outlines.delete(key);
    ids -= oldest.ids;
  }
};

/** The same question at the same time is answered once. */
const outlined = async (outlines: Outlines, pieces: PieceStore, { from, to }: Comparing): Outlined => {
  const key = `${from.compressedSceneKey} ${to.compressedSceneKey}`;
  const asked = outlines.get(key) ?? { outline: outlineOf(pieces, from, to), ids: 0 };
  outlines.delete(key);
  outlines.set(key, asked);
  const answer = await asked.outline;
  if (isLeft(answer)) outlines.delete(key);
  else asked.ids = answer.right.ids.length;
  forgetOldest(outlines);
  return answer;
};

/** The place of the first id behind it. */
const placeAfter = (ids: readonly NodeId[], id: NodeId): number => {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] as NodeId) <= id) low = middle + 1;
    else high = middle;
  }
  return low;
};

const itemsOf = ({ before, after }: Scenes, ids: readonly NodeId[]): readonly ShownDifference[] => {
  const items: ShownDifference[] = [];
  let bytes = 0;
  for (const id of ids) {
    const difference = differenceAt(before, after, id);
    if (difference === undefined) throw new Error('a node of an outline does not differ');
    if (bytes > pageBytes) break;
    const item = shownDifference(difference);
    bytes += Buffer.byteLength(JSON.stringify(item));
    items.push(item);
  }
  return items;
};

export const differencePage = async (
  stored: PieceStore,
  comparing: Comparing,
  outlines: Outlines = new Map(),
): Promise<Either<SnapshotFault, DifferencePage>> => {
  const pieces = once(stored);
  const outline = await outlined(outlines, pieces, comparing);
  if (isLeft(outline)) return outline;
  const { ids, counts } = outline.right;
  const start = comparing.after === undefined ? 0 : placeAfter(ids, comparing.after);
  const asked = ids.slice(start, start + comparing.limit);
  const scenes = await scenesOf(pieces, outline.right, new Set(asked));
  if (isLeft(scenes)) return scenes;
  const items = itemsOf(scenes.right, asked);
  const last = items.at(-1);
  const isLast = last === undefined || start + items.length >= ids.length;
  return right({ items, counts, ...(isLast ? {} : { next: last.id }) });
};
