/** Validates Yjs updates: only text and formats of the one root, and origins that are consistent with the document. */
import * as Y from 'yjs';

export const textRootName = 'text';

export interface ValidatedUpdate {
  readonly items: readonly Y.Item[];
  /** Upper bound of the added length. */
  readonly inserted: number;
}

/** Item length; clocks stay far below the number range. */
const maxItemLength = 10_000_000;
const maxClock = 2 ** 40;

const isText = (content: unknown): boolean =>
  content instanceof Y.ContentString || content instanceof Y.ContentDeleted || content instanceof Y.ContentFormat;

const isAllowed = (struct: unknown): struct is Y.Item => {
  if (!(struct instanceof Y.Item) || !isText(struct.content) || struct.parentSub !== null) return false;
  const { id, length, origin, rightOrigin } = struct;
  if (length > maxItemLength || id.clock + length > maxClock) return false;
  const parent: unknown = struct.parent;
  return origin === null && rightOrigin === null ? parent === textRootName : parent === null;
};

/** The library throws on malformed updates. */
const structsOf = (update: Uint8Array): readonly unknown[] | undefined => {
  try {
    return Y.decodeUpdate(update).structs;
  } catch {
    return undefined;
  }
};

const insertedBy = ({ content }: Y.Item): number => (content instanceof Y.ContentString ? content.str.length : 0);

export const validateUpdate = (update: Uint8Array): ValidatedUpdate | undefined => {
  const structs = structsOf(update);
  if (structs?.every(isAllowed) !== true) return undefined;
  const items = structs.filter(isAllowed);
  return { items, inserted: items.reduce((sum, item) => sum + insertedBy(item), 0) };
};

/**
 * Checks the origins of new items. Items whose neighbours no client can have seen together would be placed
 * differently depending on merge order, so replicas would diverge.
 */

/** Maximum visited items: some hundredths of a second. */
export interface VisitBudget {
  left: number;
}

const itemAt = (document: Y.Doc, { client, clock }: Y.ID): Y.Item | undefined => {
  const structs = document.store.clients.get(client);
  const struct = structs?.[Y.findIndexSS(structs, clock)];
  return struct instanceof Y.Item ? struct : undefined;
};

const contains = (item: Y.Item | null, id: Y.ID | null): boolean => {
  if (item === null || id === null) return item === id;
  return item.id.client === id.client && item.id.clock <= id.clock && id.clock < item.id.clock + item.length;
};

const nextTo = ({ client, clock }: Y.ID): Y.ID => Y.createID(client, clock + 1);

/** Nothing else lies between the item's origins, so its position is unambiguous. */
const isBetweenOrigins = (document: Y.Doc, { id, length, origin, rightOrigin }: Y.Item): boolean => {
  const first = itemAt(document, id);
  const last = itemAt(document, Y.createID(id.client, id.clock + length - 1));
  if (first === undefined || last === undefined) return false;
  const isJoined = origin !== null && contains(first, origin) && origin.clock === id.clock - 1;
  const isAfter = isJoined || Y.compareIDs(first.left?.lastId ?? null, origin);
  return isAfter && Y.compareIDs(last.right?.id ?? null, rightOrigin);
};

/** State vector of an item's author: its origins, its earlier items, and what those depend on. */
type StateVector = ReadonlyMap<number, number>;

const stateVectorOfAuthor = (
  document: Y.Doc,
  { id, origin, rightOrigin }: Y.Item,
  budget: VisitBudget,
): StateVector => {
  const seen = new Map<number, number>();
  const named: (Y.ID | null)[] = [origin, rightOrigin, id.clock > 0 ? Y.createID(id.client, id.clock - 1) : null];
  while (named.length > 0) {
    const next = named.pop() ?? null;
    const from = next === null ? 0 : (seen.get(next.client) ?? 0);
    if (next === null || next.clock < from) continue;
    seen.set(next.client, next.clock + 1);
    const structs = document.store.clients.get(next.client) ?? [];
    for (let index = Y.findIndexSS(structs, from); index < structs.length; index += 1) {
      const struct = structs[index];
      if (struct === undefined || struct.id.clock > next.clock) break;
      budget.left -= 1;
      if (struct instanceof Y.Item) named.push(struct.origin, struct.rightOrigin);
    }
  }
  return seen;
};

/** Whether the item's origins were neighbours for its author. */
const hasConsistentOrigins = (document: Y.Doc, item: Y.Item, budget: VisitBudget): boolean => {
  const { origin, rightOrigin } = item;
  const seen = stateVectorOfAuthor(document, item, budget);
  const isSeen = ({ client, clock }: Y.ID, more = 0): boolean => clock + more < (seen.get(client) ?? 0);
  const start = origin === null ? undefined : itemAt(document, origin);
  if (origin !== null && (start === undefined || (contains(start, nextTo(origin)) && isSeen(origin, 1)))) return false;
  let next = start === undefined ? document.get(textRootName)._start : start.right;
  for (; next !== null && !contains(next, rightOrigin); next = next.right) {
    budget.left -= 1;
    if (isSeen(next.id)) return false;
  }
  return next === null ? rightOrigin === null : next.id.clock === rightOrigin?.clock;
};

/** Undefined if the budget runs out. */
export const haveConsistentOrigins = (
  document: Y.Doc,
  items: readonly Y.Item[],
  budget: VisitBudget,
): boolean | undefined => {
  for (const item of items) {
    if (isBetweenOrigins(document, item)) continue;
    if (!hasConsistentOrigins(document, item, budget)) return false;
    if (budget.left < 0) return undefined;
  }
  return true;
};
