/** Streams, by part of the name or by context. */
import { listPlatformStreams } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { EmptyState } from '../../components/empty-state';
import { FilterField } from '../../components/filter-field';
import { PageHeading } from '../../components/page-heading';
import { LoadMore } from '../../components/paged-table';
import { type Column, Table } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { numberOf } from '../../kernel/format';
import { fromAddress, useFilterInput } from '../../kernel/use-filter-input';
import { usePages } from '../../kernel/use-pages';
import type { PageProps } from '../../shell/section';
import type { StreamRow } from '../api-types';
import { findPath, streamPath } from '../paths';
import { EventTypeName } from './event-type-name';

const columns: readonly Column<StreamRow>[] = [
  {
    title: 'Stream',
    show: ({ stream, lastAt, lastType }) => (
      <>
        <a class="mono" href={streamPath(stream)}>
          {stream}
        </a>
        <div class="below narrow">
          <EventTypeName type={lastType} />, <Timestamp at={lastAt} />
        </div>
      </>
    ),
  },
  { title: 'Events', kind: 'number', show: ({ events }) => numberOf(events) },
  { title: 'Last event', isWide: true, show: ({ lastType }) => <EventTypeName type={lastType} /> },
  { title: 'At', kind: 'tight', isWide: true, show: ({ lastAt }) => <Timestamp at={lastAt} /> },
];

const eventId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

interface Wanted {
  readonly search: string;
  readonly context: string;
}

const Nothing = ({ search, context }: Wanted) =>
  search === '' && context === '' ? (
    <EmptyState title="No streams yet">The first command that is accepted begins one.</EmptyState>
  ) : (
    <EmptyState title="No stream matches">Names are compared as written, case included.</EmptyState>
  );

const Found = ({ wanted }: { readonly wanted: Wanted }) => {
  const pages = usePages(listPlatformStreams(fromAddress({ ...wanted, limit: 50 })));
  return (
    <AsyncContent source={{ content: pages.items, problem: pages.problem, reload: pages.reload }} rows={8}>
      {(items) =>
        items.length === 0 ? (
          <Nothing {...wanted} />
        ) : (
          <>
            <Table label="Streams" rows={items} columns={columns} keyOf={({ stream }) => stream} />
            <LoadMore count={items.length} one="stream" more={pages.more} isLoading={pages.isLoading} />
          </>
        )
      }
    </AsyncContent>
  );
};

export const StreamsPage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput('/console/streams', query, ['search', 'context']);
  const search = applied.search.trim();
  return (
    <>
      <PageHeading title="Streams" lead="Every aggregate and process has a stream: its events, in order." />
      <search class="filters">
        <FilterField
          label="Part of the name, or an event’s id"
          isSearch
          value={typed.search}
          onType={(value) => type('search', value)}
        />
        <FilterField
          label="Context"
          placeholder="Any"
          value={typed.context}
          onType={(value) => type('context', value)}
        />
      </search>
      {eventId.test(search) && (
        <p class="notice">
          This reads like the id of an event. <a href={findPath(search)}>Find the event</a>
        </p>
      )}
      <Found wanted={applied} />
    </>
  );
};
