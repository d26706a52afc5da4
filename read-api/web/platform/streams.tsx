/** Which streams there are: by a part of their name, or by their context. */
import { useEffect, useState } from 'preact/hooks';
import { withQuery } from '../kernel/api';
import { numberOf } from '../kernel/format';
import { usePages } from '../kernel/pages';
import { navigate } from '../kernel/router';
import { Empty } from '../parts/empty';
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

const patienceMilliseconds = 250;
const eventId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

interface Wanted {
  readonly search: string;
  readonly context: string;
}

/** The address follows what is typed, a moment later, and takes no place of its own in the history. */
const useWanted = (query: URLSearchParams) => {
  const given = { search: query.get('search') ?? '', context: query.get('context') ?? '' };
  const [typed, setTyped] = useState<Wanted>(given);
  const { search, context } = typed;
  useEffect(() => {
    const timer = setTimeout(() => {
      const next = withQuery('/console/streams', { search, context });
      if (next !== location.pathname + location.search) navigate(next, 'replace');
    }, patienceMilliseconds);
    return () => clearTimeout(timer);
  }, [search, context]);
  return { given, typed, setTyped };
};

const Filters = ({ typed, setTyped }: { typed: Wanted; setTyped: (next: Wanted) => void }) => (
  <search class="filters">
    <label class="field">
      <span>Part of the name, or an event’s id</span>
      <input
        type="search"
        value={typed.search}
        maxLength={256}
        spellcheck={false}
        onInput={(event) => setTyped({ ...typed, search: event.currentTarget.value })}
      />
    </label>
    <label class="field">
      <span>Context</span>
      <input
        type="text"
        value={typed.context}
        maxLength={64}
        spellcheck={false}
        placeholder="Any"
        onInput={(event) => setTyped({ ...typed, context: event.currentTarget.value })}
      />
    </label>
  </search>
);

const Nothing = ({ search, context }: Wanted) =>
  search === '' && context === '' ? (
    <Empty title="No streams yet">The first command that is accepted begins one.</Empty>
  ) : (
    <Empty title="No stream has such a name">Names are compared as written, case included.</Empty>
  );

export const StreamsPage = ({ query }: PageProps) => {
  const { given, typed, setTyped } = useWanted(query);
  const pages = usePages<StreamRow>((cursor) => withQuery('/v1/platform/streams', { ...given, cursor, limit: 50 }));
  const search = given.search.trim();
  return (
    <>
      <Heading
        title="Streams"
        lead="Every aggregate and process has a stream: what happened to it, in order, for good."
      />
      <Filters typed={typed} setTyped={setTyped} />
      {eventId.test(search) && (
        <p class="notice">
          This reads like the id of an event. <a href={findPath(search)}>Find the event</a>
        </p>
      )}
      <Loaded source={{ content: pages.items, problem: undefined, reload: pages.reload }} rows={8}>
        {(items) =>
          items.length === 0 ? (
            <Nothing {...given} />
          ) : (
            <Table label="Streams" rows={items} columns={columns} keyOf={({ stream }) => stream} />
          )
        }
      </Loaded>
      {pages.items !== undefined && pages.items.length > 0 && (
        <More count={pages.items.length} one="stream" {...pages} />
      )}
    </>
  );
};
