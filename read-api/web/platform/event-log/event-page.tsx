/** One event: data, metadata, causation and the change of its aggregate. */
import { getPlatformStreamEvent } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { CopyButton } from '../../components/copy-button';
import { JsonView, jsonText } from '../../components/json-view';
import { PageHeading } from '../../components/page-heading';
import { Timestamp } from '../../components/timestamp';
import { useKeyboardShortcuts } from '../../kernel/keyboard-shortcuts';
import { ownTenant } from '../../kernel/permissions';
import { navigate } from '../../kernel/router';
import { fromAddress } from '../../kernel/use-filter-input';
import { useResource } from '../../kernel/use-resource';
import { Reference } from '../../references/reference';
import { aggregateOf, tenantOfStream } from '../../references/targets';
import type { PageProps } from '../../shell/section';
import type { EventRow, OneEvent } from '../api-types';
import { eventPath, findPath, streamPath } from '../paths';
import { CausationTree } from './causation-tree';
import { EventActor, linksOfEvent } from './event-actor';
import { causationOf, correlationOf } from './event-metadata';
import { StateDiff } from './state-diff';

/** A request's id causes an event when no other event did; it then equals the conversation. */
const Cause = ({ metadata }: Pick<EventRow, 'metadata'>) => {
  const cause = causationOf(metadata);
  if (cause === undefined) return '—';
  return cause === correlationOf(metadata) ? cause : <a href={findPath(cause)}>{cause}</a>;
};

/** The page of what the stream is about, where there is one. */
const AggregateLink = ({ stream }: Pick<EventRow, 'stream'>) => {
  const target = aggregateOf(stream);
  if (target === undefined || tenantOfStream(stream) !== ownTenant()) return null;
  return (
    <div>
      <dt>About</dt>
      <dd>
        <Reference kind={target.kind} id={target.id} />
      </dd>
    </div>
  );
};

const Facts = ({ event }: { readonly event: EventRow }) => (
  <dl class="facts">
    <div>
      <dt>Recorded</dt>
      <dd>
        <Timestamp at={event.at} />
      </dd>
    </div>
    <div>
      <dt>By</dt>
      <dd>
        <EventActor event={event} />
      </dd>
    </div>
    <AggregateLink stream={event.stream} />
    <div>
      <dt>Position in the log</dt>
      <dd class="mono">{event.position}</dd>
    </div>
    <div>
      <dt>Event id</dt>
      <dd class="mono">{event.id}</dd>
    </div>
    <div>
      <dt>Caused by</dt>
      <dd class="mono">
        <Cause metadata={event.metadata} />
      </dd>
    </div>
    <div>
      <dt>Conversation</dt>
      <dd class="mono">{correlationOf(event.metadata) ?? '—'}</dd>
    </div>
  </dl>
);

const Content = ({ event }: { readonly event: EventRow }) => (
  <div class="columns section">
    <section>
      <h2>Data</h2>
      <JsonView value={event.data} label="Data" linkOf={linksOfEvent(event)} />
      <CopyButton text={jsonText(event.data)} label="Copy the data" />
    </section>
    <section>
      <h2>Metadata</h2>
      <JsonView value={event.metadata} label="Metadata" linkOf={linksOfEvent(event)} />
      <CopyButton text={jsonText(event.metadata)} label="Copy the metadata" />
    </section>
  </div>
);

const Whole = ({ found }: { readonly found: OneEvent }) => {
  const correlation = correlationOf(found.event.metadata);
  return (
    <>
      <Facts event={found.event} />
      <Content event={found.event} />
      <StateDiff found={found} />
      {correlation !== undefined && <CausationTree correlation={correlation} eventId={found.event.id} />}
    </>
  );
};

const Steps = ({ stream, revision }: { readonly stream: string; readonly revision: number }) => {
  const go = (step: 1 | -1): void => {
    if (revision + step >= 0) navigate(eventPath(stream, revision + step));
  };
  useKeyboardShortcuts([
    { keys: 'n', label: 'Next event of the stream', act: () => go(1) },
    { keys: 'p', label: 'Event before it', act: () => go(-1) },
  ]);
  return (
    <>
      {revision > 0 && (
        <a class="button" href={eventPath(stream, revision - 1)}>
          Previous
        </a>
      )}
      <a class="button" href={eventPath(stream, revision + 1)}>
        Next
      </a>
    </>
  );
};

export const EventPage = ({ params }: PageProps) => {
  const { stream = '', revision = '' } = params;
  const found = useResource(getPlatformStreamEvent(fromAddress({ stream, revision })));
  const title = found.content?.event.type ?? `Event ${revision}`;
  const trail = [
    { label: 'Streams', path: '/console/streams' },
    { label: stream, path: streamPath(stream) },
  ];
  return (
    <>
      <PageHeading title={title} trail={trail} lead={`Revision ${revision}`}>
        <Steps stream={stream} revision={Number(revision)} />
      </PageHeading>
      <AsyncContent source={found}>{(content) => <Whole found={content} />}</AsyncContent>
    </>
  );
};
