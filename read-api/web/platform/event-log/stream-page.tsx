/** One stream: its events, newest or oldest first. */
import { listPlatformStreamEvents } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { CopyButton } from '../../components/copy-button';
import { EmptyState } from '../../components/empty-state';
import { ChoiceField, type Option } from '../../components/form-fields';
import { PageHeading } from '../../components/page-heading';
import { LoadMore } from '../../components/paged-table';
import { type Column, Table } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { navigate, withQuery } from '../../kernel/router';
import { usePages } from '../../kernel/use-pages';
import { namedByData, useStreamLabel } from '../../references/stream-name';
import { aggregateOf } from '../../references/targets';
import type { PageProps } from '../../shell/section';
import type { EventRow } from '../api-types';
import { eventPath, streamPath } from '../paths';
import { EventActor, StreamSubject } from './event-actor';
import { EventTypeName } from './event-type-name';

const columns: readonly Column<EventRow>[] = [
  {
    title: 'Event',
    show: (event) => (
      <>
        <a href={eventPath(event.stream, event.revision)}>
          <EventTypeName type={event.type} />
        </a>
        <div class="below narrow dotted">
          <span>
            by <EventActor event={event} />
          </span>
          <Timestamp at={event.at} />
        </div>
      </>
    ),
  },
  { title: 'Revision', kind: 'number', show: ({ revision }) => revision },
  { title: 'By', isWide: true, show: (event) => <EventActor event={event} /> },
  { title: 'At', kind: 'tight', isWide: true, show: ({ at }) => <Timestamp at={at} /> },
];

const orders: readonly Option<'backwards' | 'forwards'>[] = [
  { value: 'backwards', label: 'Newest first' },
  { value: 'forwards', label: 'Oldest first' },
];

/** The page of what it is about, and its name in the log. */
const StreamLead = ({ stream, data }: Pick<EventRow, 'stream' | 'data'>) => (
  <>
    {aggregateOf(stream) !== undefined && <StreamSubject stream={stream} data={data} />}
    <span class="mono">{stream}</span>
  </>
);

export const StreamPage = ({ params, query }: PageProps) => {
  const { stream = '' } = params;
  const direction = query.get('order') === 'forwards' ? 'forwards' : 'backwards';
  const pages = usePages(listPlatformStreamEvents({ stream, direction, limit: 50 }));
  const data = pages.items?.find((event) => Object.keys(namedByData(event.data)).length > 0)?.data;
  const label = useStreamLabel(stream, namedByData(data)) ?? stream;
  return (
    <>
      <PageHeading
        title={label}
        trail={[{ label: 'Streams', path: '/console/streams' }]}
        {...(label === stream ? {} : { lead: <StreamLead stream={stream} data={data} /> })}
      >
        <CopyButton text={stream} label="Copy the name" />
      </PageHeading>
      <search class="filters four">
        <ChoiceField
          label="Order"
          value={direction}
          options={orders}
          onChoose={(order) => navigate(withQuery(streamPath(stream), { order }), 'replace')}
        />
      </search>
      <AsyncContent source={{ content: pages.items, problem: pages.problem, reload: pages.reload }}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState title="The stream has no events left" />
          ) : (
            <>
              <Table label="Events" rows={items} columns={columns} keyOf={({ id }) => id} />
              <LoadMore count={items.length} one="event" more={pages.more} isLoading={pages.isLoading} />
            </>
          )
        }
      </AsyncContent>
    </>
  );
};
