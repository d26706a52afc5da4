/** One event: data, metadata, causation and the change of its aggregate. */
import { getPlatformStreamEvent } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { CopyButton } from '../../components/copy-button';
import { JsonView, jsonText } from '../../components/json-view';
import { PageHeading } from '../../components/page-heading';
import { ExactTime } from '../../components/timestamp';
import { useKeyboardShortcuts } from '../../kernel/keyboard-shortcuts';
import { navigate } from '../../kernel/router';
import { fromAddress } from '../../kernel/use-filter-input';
import { useResource } from '../../kernel/use-resource';
import { namedByData, useStreamLabel } from '../../references/stream-name';
import type { PageProps } from '../../shell/section';
import type { EventRow, OneEvent } from '../api-types';
import { eventPath, findPath, streamPath } from '../paths';
import { CausationTree } from './causation-tree';
import { EventActor, linksOfEvent, StreamSubject } from './event-actor';
import { causationOf, commandOf, correlationOf } from './event-metadata';
import { StateDiff } from './state-diff';

/** Another event, or the request or the command that recorded this one. */
const Cause = ({ metadata }: Pick<EventRow, 'metadata'>) => {
  const cause = causationOf(metadata);
  if (cause === undefined) return '—';
  const isRequest = cause === correlationOf(metadata) || cause === commandOf(metadata);
  return isRequest ? cause : <a href={findPath(cause)}>{cause}</a>;
};

const Facts = ({ event }: { readonly event: EventRow }) => (
  <dl class="facts">
    <div>
      <dt>Recorded</dt>
      <dd>
        <ExactTime at={event.at} />
      </dd>
    </div>
    <div>
      <dt>By</dt>
      <dd>
        <EventActor event={event} />
      </dd>
    </div>
    <div>
      <dt>About</dt>
      <dd>
        <StreamSubject stream={event.stream} data={event.data} />
      </dd>
    </div>
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
      <dt>Correlation id</dt>
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
    { keys: 'p', label: 'Previous event of the stream', act: () => go(-1) },
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
    {
      label: useStreamLabel(stream, namedByData(found.content?.event.data)) ?? stream,
      path: streamPath(stream),
    },
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
