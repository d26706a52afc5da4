/** What every view store does, the twin included. */
import assert from 'node:assert/strict';
import { type Either, isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { finite, Instant, integer, nullable, record, text } from '../../../../domain/kernel/codec';
import type {
  Batch,
  Change,
  IndexView,
  KeysView,
  TableView,
  View,
  ViewReader,
  ViewWriter,
} from '../../../../infra/ports/views/view-store';

const ThingRow = record('ThingRow', {
  tenantId: text('TenantId', { maxLength: 63 }),
  id: text('Id', { maxLength: 128 }),
  label: nullable(text('Label', { minLength: 0, maxLength: 500 })),
  size: integer(),
  weight: finite,
  seenAt: Instant,
  position: text('Position', { maxLength: 20 }),
  tags: t.array(t.string),
  details: t.UnknownRecord,
  revision: finite,
});
export type ThingRow = t.TypeOf<typeof ThingRow>;

const base = { row: ThingRow, key: ['tenantId', 'id'], version: 1 } as const;
const keyword = { type: 'keyword' } as const;

const tableView: Omit<TableView<ThingRow>, 'name'> = {
  ...base,
  store: 'postgres',
  columns: {
    tenantId: 'text',
    id: 'text',
    label: 'text',
    size: 'integer',
    weight: 'double precision',
    seenAt: 'timestamptz',
    position: 'bigint',
    tags: 'text[]',
    details: 'jsonb',
    revision: 'integer',
  },
  indexes: [['tenantId', 'seenAt', 'id'], { method: 'gin', fields: ['tags'] }],
};

const indexView: Omit<IndexView<ThingRow>, 'name'> = {
  ...base,
  store: 'elastic',
  mappings: {
    tenantId: keyword,
    id: keyword,
    label: { type: 'text' },
    size: { type: 'long' },
    weight: { type: 'double' },
    seenAt: { type: 'date' },
    position: { type: 'long' },
    tags: keyword,
    details: { type: 'object', enabled: false },
    revision: { type: 'long' },
  },
};

const keysView: Omit<KeysView<ThingRow>, 'name'> = { ...base, store: 'redis', feedMilliseconds: 60_000 };

const byStore = { postgres: tableView, elastic: indexView, redis: keysView };

/** A view of its own per test: the suites share servers. */
export const thingsView = (store: View['store'], version = 1): View => {
  const name = `test_things_${Math.random().toString(36).slice(2, 10)}`;
  return { ...byStore[store], name, version } as unknown as View;
};

export const thing = (id: string, fields: Partial<ThingRow> = {}): ThingRow => ({
  tenantId: 'acme',
  id,
  label: `thing ${id}`,
  size: 1,
  weight: 1,
  seenAt: '2026-01-31T12:00:00.000Z' as Instant,
  position: '1',
  tags: [],
  details: {},
  revision: 0,
  ...fields,
});

export const put = (row: ThingRow): Change => ({ kind: 'put', row });

/** Changes at one position. */
export const batch = (
  number: number,
  [after, position]: [bigint | null, bigint],
  changes: readonly Change[],
): Batch => ({
  generation: number,
  after,
  position,
  live: true,
  changes: changes.map((change) => ({ position, change })),
});

export const ok = <A>(either: Either<unknown, A>): A => {
  if (isLeft(either)) assert.fail(JSON.stringify(either.left));
  return either.right;
};

export const codeOf = (either: Either<{ readonly code: string }, unknown>): string =>
  isLeft(either) ? either.left.code : 'no fault';

export interface Stores {
  readonly writer: ViewWriter;
  /** As another process would have it. */
  readonly other: ViewWriter;
  /** One that a test may close; undefined for the twin, whose processes are all one. */
  readonly another: (() => ViewWriter) | undefined;
  readonly reader: ViewReader;
}

export interface StoreUnderTest {
  readonly store: View['store'];
  readonly open: () => Promise<Stores>;
  readonly patches: boolean;
  readonly pages: boolean;
  /** Its writers are processes apart, of which one can be gone. */
  readonly apart: boolean;
}

export const found = async (reader: ViewReader, view: View, id: string, tenantId = 'acme'): Promise<unknown> =>
  ok(await reader.find(view as unknown as View<ThingRow>, tenantId, { id }));
