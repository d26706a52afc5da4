/** Pages of a list that is sorted by name in memory. The cursor has the last id alone: addresses with names would end in logs. */
import { isLeft, right } from 'fp-ts/Either';
import type { Answer } from '../../infra/server/http/routing/route';
import { type Cursors, defaultLimit, refuseCursor } from './pagination';

const byName = new Intl.Collator('en', { numeric: true });

interface NamedItem {
  readonly id: string;
  readonly name: string | null;
}

/** What has no name comes last. */
export const compareNames = (one: NamedItem, other: NamedItem): number => {
  if ((one.name === null) !== (other.name === null)) return one.name === null ? 1 : -1;
  const order = byName.compare(one.name ?? '', other.name ?? '');
  if (order !== 0) return order;
  return one.id < other.id ? -1 : Number(one.id > other.id);
};

/** The items after the last one of the page before; `end` is that of this page, undefined where no other follows. */
export const itemsAfter = <Item extends NamedItem>(
  all: readonly Item[],
  {
    last,
    limit,
    isDescending = false,
  }: { readonly last: NamedItem | undefined; readonly limit: number; readonly isDescending?: boolean },
): { readonly items: readonly Item[]; readonly end: Item | undefined } => {
  const compare = (one: NamedItem, other: NamedItem): number => (isDescending ? -1 : 1) * compareNames(one, other);
  const sorted = all.toSorted(compare);
  const rest = last === undefined ? sorted : sorted.filter((item) => compare(item, last) > 0);
  const items = rest.slice(0, limit);
  return { items, end: rest.length > limit ? items.at(-1) : undefined };
};

interface NamedPage<Item extends NamedItem> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

interface PageQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** `nameOf`: of the item that the page begins after, which may have left the list. */
export const pageByName = async <Item extends NamedItem>(
  all: readonly Item[],
  { limit = defaultLimit, cursor }: PageQuery,
  {
    cursors,
    scope,
    nameOf,
  }: { readonly cursors: Cursors; readonly scope: unknown; readonly nameOf: (id: string) => Promise<string | null> },
): Promise<{ readonly page: NamedPage<Item> } | { readonly refused: Answer }> => {
  const after = cursor === undefined ? right([]) : cursors.read(scope, cursor);
  if (isLeft(after)) return { refused: refuseCursor(after.left) };
  const [id] = after.right;
  const last = typeof id === 'string' ? { id, name: await nameOf(id) } : undefined;
  const { items, end } = itemsAfter(all, { last, limit });
  return { page: { items, next_cursor: end === undefined ? null : cursors.write(scope, [end.id]) } };
};
