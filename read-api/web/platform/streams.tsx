/** Which streams there are: by a part of their name, or by their context. */
import { listPlatformStreams } from '../../../packages/client/src/operations';
import { numberOf } from '../kernel/format';
import { usePages } from '../kernel/pages';
import { fromAddress, useTyped } from '../kernel/use-typed';
import { Empty } from '../parts/empty';
import { Filter } from '../parts/filter';
import { Heading } from '../parts/heading';
import { Loaded } from '../parts/loaded';
import { More } from '../parts/more';
import { type Column, Table } from '../parts/table';
import { Time } from '../parts/time';
import type { PageProps } from '../shell/section';
import { findPath, streamPath } from './paths';
import { TypeName } from './type-name';
import type { StreamRow } from './wire';

const columns: readonly Column<StreamRow>[] = [
  {
    title: 'Stream',
    show: ({ stream, lastAt, lastType }) => (
      <>
        <a class="mono" href={streamPath(stream)}>
          {stream}
        </a>
        <div class="below narrow">
          <TypeName type={lastType} />, <Time at={lastAt} />
        </div>
      </>
    ),
  },
  { title: 'Events', kind: 'number', show: ({ events }) => numberOf(events) },
  { title: 'Last event', isWide: true, show: ({ lastType }) => <TypeName type={lastType} /> },
  { title: 'At', kind: 'tight', isWide: true, show: ({ lastAt }) => <Time at={lastAt} /> },
];

const eventId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

interface Wanted {
  readonly search: string;
  readonly context: string;
}

const Nothing = ({ search, context }: Wanted) =>
  search === '' && context === '' ? (
    <Empty title="No streams yet">The first command that is accepted begins one.</Empty>
  ) : (
    <Empty title="No stream has such a name">Names are compared as written, case included.</Empty>
  );

const Found = ({ wanted }: { readonly wanted: Wanted }) => {
  const pages = usePages(listPlatformStreams(fromAddress({ ...wanted, limit: 50 })));
  return (
    <Loaded source={{ content: pages.items, problem: pages.problem, reload: pages.reload }} rows={8}>
      {(items) =>
        items.length === 0 ? (
          <Nothing {...wanted} />
        ) : (
          <>
            <Table label="Streams" rows={items} columns={columns} keyOf={({ stream }) => stream} />
            <More count={items.length} one="stream" more={pages.more} isLoading={pages.isLoading} />
          </>
        )
      }
    </Loaded>
  );
};

export const StreamsPage = ({ query }: PageProps) => {
  const { given, typed, type } = useTyped('/console/streams', query, ['search', 'context']);
  const search = given.search.trim();
  return (
    <>
      <Heading
        title="Streams"
        lead="Every aggregate and process has a stream: what happened to it, in order, for good."
      />
      <search class="filters">
        <Filter
          label="Part of the name, or an event’s id"
          isSearch
          value={typed.search}
          onType={(value) => type('search', value)}
        />
        <Filter label="Context" placeholder="Any" value={typed.context} onType={(value) => type('context', value)} />
      </search>
      {eventId.test(search) && (
        <p class="notice">
          This reads like the id of an event. <a href={findPath(search)}>Find the event</a>
        </p>
      )}
      <Found wanted={given} />
    </>
  );
};
