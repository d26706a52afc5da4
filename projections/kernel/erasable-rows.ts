/**
 * What the rows of a personal view become when keys of an event are erased: the projection applied to the event as it reads then. Each
 * change takes it along, so that a store can change the rows later without the event.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { parseStreamName } from '../../domain/kernel/ids';
import type { StoredEvent } from '../../infra/ports/event-store';
import { type ErasedValues, type WhenErased, wholeRow } from '../../infra/ports/views/erasure';
import type { Change, View } from '../../infra/ports/views/view-store';
import { type ContentReference, type ContentRows, isContent } from './content';
import { forgetSecrets, openedWith, type PoisonEvent, poisonEvent } from './recorded-event';

type Fields = { readonly [field: string]: unknown };
type Listed = Change | ContentRows<Change>;

/** Of one event; with more, the variants to project would be too many. */
const maxKeys = 4;

/** Of one row, by one event. */
interface EventRow {
  readonly kind: 'put' | 'patch' | 'remove';
  readonly key: Fields;
  /** Beside the key. */
  readonly fields: Fields;
}

type EventRows = ReadonlyMap<string, EventRow>;

/** Which of the event's keys are erased, a bit for each. */
type Erased = number;

const refusals = {
  kinds: 'A personal view takes puts, patches and removals only, and patches of many rows without personal fields.',
  rows: 'Without its personal fields it changes other rows or fields.',
  tenant: 'It puts personal fields into the row of another tenant.',
  keys: `It has personal fields of more than ${maxKeys} subjects.`,
  content: 'Without its personal fields it names other content.',
} as const;

const rowOf = (view: View, change: Change): EventRow | undefined => {
  const split = (all: Fields): Pick<EventRow, 'key' | 'fields'> => {
    const isKey = (field: string): boolean => (view.key as readonly string[]).includes(field);
    const entries = Object.entries(all);
    return {
      key: Object.fromEntries(entries.filter(([field]) => isKey(field))),
      fields: Object.fromEntries(entries.filter(([field]) => !isKey(field))),
    };
  };
  switch (change.kind) {
    case 'put':
      return { kind: 'put', ...split(change.row as unknown as Fields) };
    case 'patch':
      return { kind: 'patch', ...split({ ...change.key, ...change.fields }) };
    case 'remove':
      return { kind: 'remove', ...split(change.key as Fields) };
    case 'merge':
    case 'patch-where':
    case 'erase':
      return undefined;
  }
};

const following = (before: EventRow | undefined, next: EventRow): EventRow => {
  if (next.kind !== 'patch' || before === undefined) return next;
  return before.kind === 'remove' ? before : { ...before, fields: { ...before.fields, ...next.fields } };
};

const rowsOf = (view: View, changes: readonly Change[]): Either<string, EventRows> => {
  const rows = new Map<string, EventRow>();
  for (const change of changes) {
    const row = rowOf(view, change);
    if (row === undefined) return left(refusals.kinds);
    const name = JSON.stringify(view.key.map((field) => row.key[field]));
    rows.set(name, following(rows.get(name), row));
  }
  return right(rows);
};

/** The rows of every combination of erased keys; the first has none erased. */
type Variants = readonly EventRows[];

const sameFields = (one: EventRow, other: EventRow): boolean =>
  isDeepStrictEqual(Object.keys(one.fields).sort(), Object.keys(other.fields).sort());

/** A put may be missing in a variant: the row is then removed. Anything else must change the same row and fields. */
const isCounterpart = (row: EventRow, other: EventRow | undefined): boolean => {
  if (row.kind === 'put') return other?.kind !== 'patch';
  if (row.kind === 'remove') return other?.kind === 'remove';
  return other?.kind === 'patch' && sameFields(row, other);
};

const isRemoved = (variant: EventRows | undefined, name: string): boolean => {
  const kind = variant?.get(name)?.kind;
  return kind === undefined || kind === 'remove';
};

/** Erasing one key more brings no row back. */
const staysRemoved = (variants: Variants, name: string): boolean =>
  variants.every(
    (variant, erased) =>
      !isRemoved(variant, name) ||
      variants.every((other, more) => (more & erased) !== erased || isRemoved(other, name)),
  );

const areComparable = (variants: Variants): boolean => {
  const [opened, ...others] = variants;
  if (opened === undefined) return false;
  return (
    others.every((variant) => [...variant.keys()].every((name) => opened.has(name))) &&
    [...opened].every(
      ([name, row]) =>
        others.every((variant) => isCounterpart(row, variant.get(name))) &&
        (row.kind !== 'put' || staysRemoved(variants, name)),
    )
  );
};

/** Undefined when the value depends on no key that is left. */
const erasedValues = (
  keys: readonly string[],
  valueWithout: (erased: Erased) => { readonly value: unknown } | undefined,
  erased: Erased = 0,
): ErasedValues | undefined => {
  const before = valueWithout(erased);
  const values: { [keyId: string]: ErasedValues[string] } = {};
  for (const [index, key] of keys.entries()) {
    const more = erased | (1 << index);
    const after = more === erased ? undefined : valueWithout(more);
    if (after === undefined) continue;
    const next = erasedValues(keys, valueWithout, more);
    if (next !== undefined) values[key] = { value: after.value, next };
    else if (!isDeepStrictEqual(after, before)) values[key] = { value: after.value };
  }
  return Object.keys(values).length === 0 ? undefined : values;
};

const whenErasedOf = (keys: readonly string[], variants: Variants, name: string): WhenErased | undefined => {
  const found: { [field: string]: ErasedValues } = {};
  const add = (field: string, valueWithout: Parameters<typeof erasedValues>[1]): void => {
    const values = erasedValues(keys, valueWithout);
    if (values !== undefined) found[field] = values;
  };
  const opened = variants[0]?.get(name);
  if (opened?.kind === 'put') add(wholeRow, (erased) => ({ value: isRemoved(variants[erased], name) }));
  for (const field of Object.keys(opened?.fields ?? {}))
    add(field, (erased) => {
      const row = variants[erased]?.get(name);
      return row === undefined || row.kind === 'remove' ? undefined : { value: row.fields[field] ?? null };
    });
  return Object.keys(found).length === 0 ? undefined : found;
};

const changeOf = ({ kind, key, fields }: EventRow, whenErased: WhenErased | undefined): Change => {
  const erasure = whenErased === undefined ? {} : { whenErased };
  const put = { kind: 'put', row: { ...key, ...fields }, ...erasure };
  const patch = { kind: 'patch', key, fields, ...erasure };
  return (kind === 'put' ? put : kind === 'patch' ? patch : { kind, key }) as unknown as Change;
};

/** The changes of the event, each with what it becomes. */
const erasableChanges = (
  view: View,
  { keys, tenantId }: { readonly keys: readonly string[]; readonly tenantId: string | undefined },
  lists: readonly (readonly Change[])[],
): Either<string, readonly Change[]> => {
  const variants: EventRows[] = [];
  for (const list of lists) {
    const rows = rowsOf(view, list);
    if (isLeft(rows)) return rows;
    variants.push(rows.right);
  }
  if (!areComparable(variants)) return left(refusals.rows);
  const changes: Change[] = [];
  for (const [name, row] of variants[0] ?? []) {
    const whenErased = whenErasedOf(keys, variants, name);
    if (whenErased !== undefined && row.key.tenantId !== tenantId) return left(refusals.tenant);
    changes.push(changeOf(row, whenErased));
  }
  return right(changes);
};

const nameOf = ({ key, sha256 }: ContentReference): string => JSON.stringify([key, sha256]);

/** The changes of an event once the content that they name is there. */
const withContent = (
  list: readonly Listed[],
  contents: ReadonlyMap<string, Buffer>,
): Either<string, readonly Change[]> => {
  const changes: Change[] = [];
  for (const change of list) {
    if (!isContent(change)) {
      changes.push(change);
      continue;
    }
    const own = change.references.flatMap((reference) => contents.get(nameOf(reference)) ?? []);
    if (own.length < change.references.length) return left(refusals.content);
    const rows = change.rows(own);
    if (isLeft(rows)) return rows;
    changes.push(...rows.right);
  }
  return right(changes);
};

const withoutContent = (list: readonly Listed[]): readonly Change[] | undefined => {
  const changes: Change[] = [];
  for (const change of list) {
    const own = isContent(change) ? change.missing : [change];
    if (own === undefined) return undefined;
    changes.push(...own);
  }
  return changes;
};

type Combine = (lists: readonly (readonly Change[])[]) => Either<string, readonly Change[]>;

/** Loaded once for all variants. */
const erasableContent = (lists: readonly (readonly Listed[])[], combine: Combine): ContentRows<Change> => {
  const references = (lists[0] ?? []).flatMap((change) => (isContent(change) ? change.references : []));
  const absent = lists.flatMap((list) => {
    const changes = withoutContent(list);
    return changes === undefined ? [] : [changes];
  });
  const missing = absent.length === lists.length ? combine(absent) : left('');
  return {
    kind: 'content',
    references,
    rows: (loaded) => {
      const contents = new Map(references.map((reference, index) => [nameOf(reference), loaded[index] as Buffer]));
      const all: (readonly Change[])[] = [];
      for (const list of lists) {
        const changes = withContent(list, contents);
        if (isLeft(changes)) return changes;
        all.push(changes.right);
      }
      return combine(all);
    },
    ...(isLeft(missing) ? {} : { missing: missing.right }),
  };
};

/** The event as it reads without some of its keys, in the order of their bits. */
const variantsOf = (stored: StoredEvent, opened: ReadonlyMap<string, readonly string[]>): readonly StoredEvent[] => {
  const fields = [...opened.values()];
  return Array.from({ length: 2 ** fields.length - 1 }, (_, index) => {
    const isErased = (bit: number): boolean => ((index + 1) & (1 << bit)) !== 0;
    return forgetSecrets(
      stored,
      fields.flatMap((own, bit) => (isErased(bit) ? own : [])),
    );
  });
};

type ChangesOf = (stored: StoredEvent) => Either<PoisonEvent, readonly Listed[]>;

const isRefused = ({ kind }: Listed): boolean => kind === 'merge' || kind === 'erase';

/**
 * For a personal view: events that were opened with keys are projected also as they read without them. What the others write depends on no key, so that
 * they may patch every row that has certain values.
 */
export const withErasures =
  (view: View, changesOf: ChangesOf): ChangesOf =>
  (stored) => {
    const made = changesOf(stored);
    if (isLeft(made)) return made;
    if (made.right.some(isRefused)) return poisonEvent(stored, refusals.kinds);
    const opened = openedWith(stored);
    if (opened.size === 0) return made;
    if (made.right.some(({ kind }) => kind === 'patch-where')) return poisonEvent(stored, refusals.kinds);
    if (opened.size > maxKeys) return poisonEvent(stored, refusals.keys);
    const lists: (readonly Listed[])[] = [made.right];
    for (const variant of variantsOf(stored, opened)) {
      const erased = changesOf(variant);
      if (isLeft(erased)) return erased;
      lists.push(erased.right);
    }
    const tenantId = parseStreamName(stored.stream)?.tenant;
    const combine: Combine = (all) => erasableChanges(view, { keys: [...opened.keys()], tenantId }, all);
    if (lists.some((list) => list.some(isContent))) return right([erasableContent(lists, combine)]);
    const changes = combine(lists as readonly (readonly Change[])[]);
    return isLeft(changes) ? poisonEvent(stored, changes.left) : changes;
  };
