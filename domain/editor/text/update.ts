/** What an update may hold: text and formats of the one root. Anything else is not a text, or lies in wait for something unknown. */
import * as Y from 'yjs';

export const root = 'text';

export interface ReadUpdate {
  readonly items: readonly Y.Item[];
  /** What it can add to the length at most. */
  readonly inserted: number;
}

/** Of one piece: clocks stay far from where numbers end. */
const longest = 10_000_000;
const latest = 2 ** 40;

const isText = (content: unknown): boolean =>
  content instanceof Y.ContentString || content instanceof Y.ContentDeleted || content instanceof Y.ContentFormat;

const isAllowed = (struct: unknown): struct is Y.Item => {
  if (!(struct instanceof Y.Item) || !isText(struct.content) || struct.parentSub !== null) return false;
  const { id, length, origin, rightOrigin } = struct;
  if (length > longest || id.clock + length > latest) return false;
  const parent: unknown = struct.parent;
  return origin === null && rightOrigin === null ? parent === root : parent === null;
};

/** The library throws on what it cannot read, be it what it may. */
const structsOf = (update: Uint8Array): readonly unknown[] | undefined => {
  try {
    return Y.decodeUpdate(update).structs;
  } catch {
    return undefined;
  }
};

const insertedBy = ({ content }: Y.Item): number => (content instanceof Y.ContentString ? content.str.length : 0);

export const readUpdate = (update: Uint8Array): ReadUpdate | undefined => {
  const structs = structsOf(update);
  if (structs?.every(isAllowed) !== true) return undefined;
  const items = structs.filter(isAllowed);
  return { items, inserted: items.reduce((sum, item) => sum + insertedBy(item), 0) };
};
