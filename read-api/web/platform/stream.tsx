/** One stream: its events, the newest first or from the beginning. */
import { listPlatformStreamEvents } from '../../../packages/client/src/operations';
import { usePages } from '../kernel/pages';
import { navigate, withQuery } from '../kernel/router';
import { Copy } from '../parts/copy';
import { Empty } from '../parts/empty';
import { Heading } from '../parts/heading';
import { Loaded } from '../parts/loaded';
import { More } from '../parts/more';
import { type Column, Table } from '../parts/table';
import { Time } from '../parts/time';
import type { PageProps } from '../shell/section';
import { actorOf } from './metadata';
import { eventPath, streamPath } from './paths';
import { TypeName } from './type-name';
import type { EventRow } from './wire';

const columns: readonly Column<EventRow>[] = [
  {
    title: 'Event',
    show: ({ stream, revision, type, at }) => (
      <>
        <a href={eventPath(stream, revision)}>
          <TypeName type={type} />
        </a>
        <div class="below narrow">
          <Time at={at} />
        </div>
      </>
    ),
  },
  { title: 'Revision', kind: 'number', show: ({ revision }) => revision },
  { title: 'By', isWide: true, show: ({ metadata }) => <span class="mono">{actorOf(metadata) ?? '—'}</span> },
  { title: 'At', kind: 'tight', isWide: true, show: ({ at }) => <Time at={at} /> },
];

const orders = { backwards: 'Newest first', forwards: 'Oldest first' } as const;

export const StreamPage = ({ params, query }: PageProps) => {
  const { stream = '' } = params;
  const direction = query.get('order') === 'forwards' ? 'forwards' : 'backwards';
  const other = direction === 'forwards' ? 'backwards' : 'forwards';
  const pages = usePages(listPlatformStreamEvents({ stream, direction, limit: 50 }));
  return (
    <>
      <Heading title={stream} trail={[{ label: 'Streams', path: '/console/streams' }]}>
        <Copy text={stream} label="Copy the name" />
        <button
          type="button"
          class="button"
          onClick={() => navigate(withQuery(streamPath(stream), { order: other }), 'replace')}
        >
          {orders[direction]}
        </button>
      </Heading>
      <Loaded source={{ content: pages.items, problem: pages.problem, reload: pages.reload }}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="The stream has no events any longer" />
          ) : (
            <>
              <Table label="Events" rows={items} columns={columns} keyOf={({ id }) => id} />
              <More count={items.length} one="event" more={pages.more} isLoading={pages.isLoading} />
            </>
          )
        }
      </Loaded>
    </>
  );
};
