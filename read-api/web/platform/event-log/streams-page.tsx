/** Streams, by part of the name or by context. */
import { listPlatformStreams } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import type { Sort } from '../../components/column-sort';
import { EmptyState } from '../../components/empty-state';
import { FilterField } from '../../components/filter-field';
import { ChoiceField, type Option } from '../../components/form-fields';
import { PageHeading } from '../../components/page-heading';
import { LoadMore } from '../../components/paged-table';
import { type Column, Table } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { numberOf } from '../../kernel/format';
import { fromAddress, useFilterInput } from '../../kernel/use-filter-input';
import { usePages } from '../../kernel/use-pages';
import { ListByName, NameFilterField, NameFilterNotes } from '../../references/name-filter';
import { StreamName } from '../../references/stream-name';
import { idsOf, usePrincipalFilter } from '../../references/use-name-filter';
import type { PageProps } from '../../shell/section';
import type { StreamRow } from '../api-types';
import { findPath } from '../paths';
import { EventTypeName } from './event-type-name';

const orders = ['name', 'created', 'changed'] as const;
type Order = (typeof orders)[number];
type Direction = 'asc' | 'desc';

/** Names from the first, times from the latest. */
const defaultDirection = (order: Order): Direction => (order === 'name' ? 'asc' : 'desc');
const directionNames = { asc: 'ascending', desc: 'descending' } as const;

interface Sorting {
  readonly order: Order;
  readonly direction: Direction;
  readonly sortBy: (order: Order, direction: Direction) => void;
}

const sortOf = ({ order: current, direction, sortBy }: Sorting, order: Order): Sort => ({
  direction: current === order ? directionNames[direction] : undefined,
  onSort: () => {
    const other = direction === 'asc' ? 'desc' : 'asc';
    sortBy(order, current === order ? other : defaultDirection(order));
  },
});

const columnsOf = (sorting: Sorting): readonly Column<StreamRow>[] => [
  {
    title: 'Stream',
    sort: sortOf(sorting, 'name'),
    show: ({ stream, principalId, clientId, lastAt, lastType }) => (
      <>
        <StreamName stream={stream} named={{ principalId, clientId }} />
        <div class="below narrow">
          <EventTypeName type={lastType} />, <Timestamp at={lastAt} />
        </div>
      </>
    ),
  },
  { title: 'Events', kind: 'number', show: ({ events }) => numberOf(events) },
  { title: 'Last event', isWide: true, show: ({ lastType }) => <EventTypeName type={lastType} /> },
  {
    title: 'Created',
    kind: 'tight',
    isWide: true,
    sort: sortOf(sorting, 'created'),
    show: ({ firstAt }) => <Timestamp at={firstAt} />,
  },
  {
    title: 'Changed',
    kind: 'tight',
    isWide: true,
    sort: sortOf(sorting, 'changed'),
    show: ({ lastAt }) => <Timestamp at={lastAt} />,
  },
];

const eventId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

interface Wanted {
  readonly search: string;
  readonly context: string;
  readonly aggregate: string;
}

const Nothing = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState title="No stream matches">The search is case-sensitive.</EmptyState>
  ) : (
    <EmptyState title="No streams yet">The first accepted command starts one.</EmptyState>
  );

interface FoundProps {
  readonly wanted: Wanted;
  /** Empty: of anything. Undefined: not looked up yet. */
  readonly principalIds: string | undefined;
  readonly sorting: Sorting;
}

const Found = ({ wanted, principalIds, sorting }: FoundProps) => {
  const { order, direction } = sorting;
  const request =
    principalIds === undefined
      ? undefined
      : listPlatformStreams(fromAddress({ ...wanted, principalIds, order, direction, limit: 50 }));
  const pages = usePages(request);
  return (
    <AsyncContent source={{ content: pages.items, problem: pages.problem, reload: pages.reload }} rows={8}>
      {(items) =>
        items.length === 0 ? (
          <Nothing isFiltered={Object.values({ ...wanted, principalIds }).some((value) => value !== '')} />
        ) : (
          <>
            <Table label="Streams" rows={items} columns={columnsOf(sorting)} keyOf={({ stream }) => stream} />
            <LoadMore count={items.length} one="stream" more={pages.more} isLoading={pages.isLoading} />
          </>
        )
      }
    </AsyncContent>
  );
};

const path = '/console/streams';
const filters = ['search', 'of', 'context', 'aggregate', 'order', 'direction'] as const;

const orderNames: readonly Option<Order>[] = [
  { value: 'changed', label: 'Recently changed' },
  { value: 'created', label: 'Recently created' },
  { value: 'name', label: 'Name' },
];

export const StreamsPage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput(path, query, filters);
  const order = orders.find((one) => one === applied.order) ?? 'changed';
  const direction =
    applied.direction === 'asc' || applied.direction === 'desc' ? applied.direction : defaultDirection(order);
  const sortBy = (wanted: Order, how: Direction): void => {
    type('order', wanted);
    type('direction', how);
  };

  const search = applied.search.trim();
  const principal = usePrincipalFilter(applied.of);
  return (
    <>
      <PageHeading title="Streams" lead="Every aggregate and process has a stream: its events in order." />
      <search class="filters five">
        <FilterField label="Name or event id" isSearch value={typed.search} onType={(value) => type('search', value)} />
        <NameFilterField
          label="Principal"
          by="Name, login or id"
          value={typed.of}
          onType={(value) => type('of', value)}
        />
        <FilterField
          label="Context"
          placeholder="Any"
          value={typed.context}
          onType={(value) => type('context', value)}
        />
        <FilterField
          label="Aggregate"
          placeholder="Any"
          value={typed.aggregate}
          onType={(value) => type('aggregate', value)}
        />
        <ChoiceField
          label="Order"
          value={order}
          options={orderNames}
          onChoose={(wanted) => sortBy(wanted, defaultDirection(wanted))}
        />
      </search>
      {eventId.test(search) && (
        <p class="notice">
          This reads like the id of an event. <a href={findPath(search)}>Find the event</a>
        </p>
      )}
      <NameFilterNotes allPath={path} noun="Streams" typed={applied.of} filter={principal} kind="principal" />
      <ListByName filters={[{ typed: applied.of, filter: principal, noun: 'principal' }]}>
        <Found
          wanted={{ search: applied.search, context: applied.context, aggregate: applied.aggregate }}
          principalIds={idsOf(principal)}
          sorting={{ order, direction, sortBy }}
        />
      </ListByName>
    </>
  );
};
