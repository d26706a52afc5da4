/** A context for tests of projections: counters that tick, and their view. */
import type { TypeOf } from 'io-ts';
import { integer, record, text } from '../../../domain/kernel/codec';
import { aggregate } from '../../../domain/kernel/family';
import type { EventStore, NewEvent } from '../../../infra/ports/event-store';
import type { Change, IndexView, KeysView, TableView, View } from '../../../infra/ports/views/view-store';
import {
  type Projection,
  type ProjectionSource,
  patchRow,
  projection,
  putRow,
  removeRow,
  streamsOf,
} from '../../../projections/kernel/projection';
import { keys } from '../../../projections/kernel/view';

const CounterId = text('CounterId', { maxLength: 64 });

export const counters = aggregate(
  { context: 'ticks', name: 'counter' },
  {
    CounterMade: { v: 1, data: { counterId: CounterId } },
    CounterTicked: { v: 1, data: { counterId: CounterId, to: integer() } },
    CounterRemoved: { v: 1, data: { counterId: CounterId } },
  },
);
type CounterEvent = typeof counters.Event;

const CounterRow = record('CounterRow', {
  tenantId: text('TenantId', { maxLength: 63 }),
  counterId: CounterId,
  ticks: integer(),
  revision: integer(0),
});
export type CounterRow = TypeOf<typeof CounterRow>;

const shared = { row: CounterRow, key: ['tenantId', 'counterId'] as const };

export const counterTable = (name: string, version = 1): TableView<CounterRow> => ({
  ...shared,
  name,
  version,
  store: 'postgres',
  columns: { tenantId: 'text', counterId: 'text', ticks: 'integer', revision: 'integer' },
});

export const counterKeys = (name: string, version = 1): KeysView<CounterRow> =>
  keys({ ...shared, name, version, feedMilliseconds: 60_000 });

export const counterIndex = (name: string, version = 1): IndexView<CounterRow> => ({
  ...shared,
  name,
  version,
  store: 'elastic',
  mappings: {
    tenantId: { type: 'keyword' },
    counterId: { type: 'keyword' },
    ticks: { type: 'long' },
    revision: { type: 'long' },
  },
});

/** Whole documents only. */
export const counterIndexProjection = (view: IndexView<CounterRow>): Projection =>
  projection(view, [
    streamsOf(counters, {
      CounterMade: ({ data, at }) => putRow<CounterRow>({ counterId: data.counterId, ticks: 0, ...at }),
      CounterTicked: ({ data, at }) => putRow<CounterRow>({ counterId: data.counterId, ticks: data.to, ...at }),
      CounterRemoved: ({ data, at }) => removeRow<CounterRow>({ tenantId: at.tenantId, counterId: data.counterId }),
    }),
  ]);

/** `factor` makes rows differ as they do when a projection was changed without raising the version. */
export const counterProjection = (view: TableView<CounterRow> | KeysView<CounterRow>, factor = 1): Projection =>
  projection(view as TableView<CounterRow>, [
    streamsOf(counters, {
      CounterMade: ({ data, at }) => putRow<CounterRow>({ counterId: data.counterId, ticks: 0, ...at }),
      CounterTicked: ({ data, at }) =>
        patchRow<CounterRow>(
          { tenantId: at.tenantId, counterId: data.counterId },
          { ticks: data.to * factor, revision: at.revision },
        ),
      CounterRemoved: ({ data, at }) => removeRow<CounterRow>({ tenantId: at.tenantId, counterId: data.counterId }),
    }),
  ]);

/** A row per event: nothing in a batch can be made one. */
export const counterHistory = (name: string): Projection => {
  const view: TableView<CounterRow> = { ...counterTable(name), key: ['tenantId', 'counterId', 'revision'] };
  const row = (counterId: string, ticks: number, at: Pick<CounterRow, 'tenantId' | 'revision'>) =>
    putRow<CounterRow>({ counterId, ticks, ...at });
  const source: ProjectionSource<Change<CounterRow>> = streamsOf(counters, {
    CounterMade: ({ data, at }) => row(data.counterId, 0, at),
    CounterTicked: ({ data, at }) => row(data.counterId, data.to, at),
    CounterRemoved: ({ data, at }) => row(data.counterId, 0, at),
  });
  return projection(view, [source]);
};

let made = 0;

export const newCounterEvent = (event: CounterEvent, tenant = 'acme'): NewEvent => {
  made += 1;
  return {
    id: `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`,
    ...counters.encode(event),
    metadata: {
      $correlationId: 'c',
      $causationId: 'c',
      commandId: `command-${made}`,
      commandHash: 'h',
      tenant,
      actor: 'system:test',
      at: '2026-01-31T12:00:00.000Z',
    },
  };
};

export const counterStream = (id: string, tenant = 'acme'): string => `ticks.counter-${tenant}.${id}`;

/** Makes a counter and ticks it so many times, in one append. */
export const recordTicks = async (store: EventStore, id: string, times: number, tenant = 'acme'): Promise<bigint> => {
  const events: CounterEvent[] = [{ type: 'CounterMade', data: { counterId: id } }];
  for (let to = 1; to <= times; to += 1) events.push({ type: 'CounterTicked', data: { counterId: id, to } });
  const appended = await store.append(
    counterStream(id, tenant),
    'any',
    events.map((event) => newCounterEvent(event, tenant)),
  );
  if (appended._tag === 'Left') throw new Error(JSON.stringify(appended.left));
  return appended.right.position;
};

/** Makes and ticks counters until it is stopped. */
export const recordTicksUntilStopped = (store: EventStore, id: string): { readonly stop: () => Promise<void> } => {
  const stopping = new AbortController();
  const writing = (async () => {
    for (let index = 0; !stopping.signal.aborted; index += 1) await recordTicks(store, `${id}-${index}`, 3);
  })();
  return {
    stop: () => {
      stopping.abort();
      return writing;
    },
  };
};

export const asPlainView = (view: TableView<CounterRow> | KeysView<CounterRow>): View => view as unknown as View;
