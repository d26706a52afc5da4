/** The reading half of the twin: filters, bounds, words, order and pages as the real stores answer them. */
import { left, right } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import type { WhenErased } from '../../ports/views/erasure';
import type { PageRequest, Scalar, TableView, View, ViewReader, ViewRow } from '../../ports/views/view-store';
import { checkKeyCount } from './key-limit';
import { type Fields, keyText } from './merge-row-changes';

export interface MemoryGeneration {
  readonly number: number;
  readonly version: number;
  readonly rows: Map<string, Fields>;
  /** Of the rows of a personal view. */
  readonly whenErased: Map<string, WhenErased>;
  position: bigint | null;
  /** When it was switched away from. */
  retired: number | undefined;
  /** What made it, while it is built. */
  readonly recipe: string | undefined;
  /** When it was last written. */
  touched: number;
}

export interface MemoryView {
  readonly generations: Map<number, MemoryGeneration>;
  active: number;
  building: boolean;
  pausedUntil: number;
}

type Request = PageRequest<ViewRow>;

const numeric = new Set(['integer', 'bigint', 'double precision', 'long', 'double']);

/** By columns and mappings, because rows may have numbers as text. */
const isNumeric = (view: View, field: string): boolean => {
  if (view.store === 'postgres') return numeric.has((view.columns as Record<string, string>)[field] ?? '');
  if (view.store === 'elastic')
    return numeric.has((view.mappings as Record<string, { type?: string }>)[field]?.type ?? '');
  return false;
};

/** Numbers as they are, and decimal text as the integer that it stands for. */
const comparable = (value: unknown): number | bigint =>
  typeof value === 'number' && !Number.isInteger(value) ? value : BigInt(String(value));

const compare = (view: View, field: string) => (one: unknown, other: unknown) => {
  const [a, b] = isNumeric(view, field) ? [comparable(one), comparable(other)] : [String(one), String(other)];
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

const isWanted = (value: unknown, wanted: Scalar | readonly Scalar[]): boolean => {
  if (Array.isArray(wanted)) return wanted.some((one) => isWanted(value, one as Scalar));
  return Array.isArray(value) ? value.includes(wanted) : value === wanted;
};

const words = (text: unknown): readonly string[] =>
  String(text)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

const isFound = (row: Fields, { search }: Request): boolean => {
  if (search === undefined) return true;
  const wanted = words(search.text);
  return search.fields.some((field) => {
    const there = new Set(words(row[field]));
    return wanted.length > 0 && wanted.every((word) => there.has(word));
  });
};

const isWithin = (view: View, row: Fields, { between }: Request): boolean => {
  if (between === undefined) return true;
  const { field, from, to } = between;
  const by = compare(view, field);
  const value = row[field];
  return (from === undefined || by(value, from) >= 0) && (to === undefined || by(value, to) < 0);
};

/** Negative when the row sorts before the values. */
const place = (view: View, { order }: Request, row: Fields, values: readonly unknown[]): number => {
  for (const [index, { field, direction }] of order.entries()) {
    const difference = compare(view, field)(row[field], values[index]);
    if (difference !== 0) return direction === 'asc' ? difference : -difference;
  }
  return 0;
};

const isContained = (row: Fields, { contains }: Request): boolean =>
  contains === undefined || String(row[contains.field]).includes(contains.text);

const hasAll = (row: Fields, { all }: Request): boolean => {
  const list = all === undefined ? [] : row[all.field];
  return all === undefined || (Array.isArray(list) && all.values.every((value) => list.includes(value)));
};

const page = (view: View, rows: readonly Fields[], request: Request): readonly Fields[] => {
  const { where, order, after, limit } = request;
  const wanted = Object.entries(where) as [string, Scalar | readonly Scalar[]][];
  return rows
    .filter((row) => wanted.every(([field, value]) => isWanted(row[field], value)))
    .filter((row) => hasAll(row, request))
    .filter((row) => isWithin(view, row, request) && isFound(row, request) && isContained(row, request))
    .filter((row) => after === undefined || place(view, request, row, after) > 0)
    .toSorted((row, other) =>
      place(
        view,
        request,
        row,
        order.map(({ field }) => other[field]),
      ),
    )
    .slice(0, limit);
};

export const memoryReader = (views: ReadonlyMap<string, MemoryView>, isAway: () => boolean): ViewReader => {
  const gone = left(fault('view-store-unavailable', 'The store is unavailable.'));
  const active = ({ name }: Pick<View, 'name'>): MemoryGeneration | undefined => {
    const state = views.get(name);
    return state?.generations.get(state.active);
  };
  return {
    find: async <Row extends ViewRow>(view: View<Row>, tenantId: string, key: Partial<Row>) => {
      if (isAway()) return gone;
      const text = keyText(view, { ...key, tenantId });
      return right(structuredClone(active(view)?.rows.get(text)) as Row | undefined);
    },
    findMany: async <Row extends ViewRow>(view: View<Row>, tenantId: string, keys: readonly Partial<Row>[]) => {
      checkKeyCount(keys);
      if (isAway()) return gone;
      const rows = active(view)?.rows;
      return right(
        keys.map((key) => structuredClone(rows?.get(keyText(view, { ...key, tenantId }))) as Row | undefined),
      );
    },
    page: async <Row extends ViewRow>(view: View<Row>, tenantId: string, request: PageRequest<Row>) => {
      if (isAway()) return gone;
      const isAll = tenantId === '*' && (view as unknown as Partial<TableView>).operators === true;
      const own = [...(active(view)?.rows.values() ?? [])].filter((row) => isAll || row.tenantId === tenantId);
      return right(
        structuredClone(page(view as unknown as View, own, request as unknown as Request)) as unknown as readonly Row[],
      );
    },
    checkpoint: async (view) => (isAway() ? gone : right(active(view)?.position)),
    close: async () => undefined,
  };
};
