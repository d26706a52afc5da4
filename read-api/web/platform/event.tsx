/** One event: what it says, who and what caused it, and what it changed. */
import { getPlatformStreamEvent } from '../../../packages/client/src/operations';
import { useResource } from '../kernel/resource';
import { navigate } from '../kernel/router';
import { useKeys } from '../kernel/use-keys';
import { fromAddress } from '../kernel/use-typed';
import { Copy } from '../parts/copy';
import { Heading } from '../parts/heading';
import { Json, jsonText } from '../parts/json';
import { Loaded } from '../parts/loaded';
import { Time } from '../parts/time';
import type { PageProps } from '../shell/section';
import { CauseTree } from './causes';
import { Changes } from './changes';
import { actorOf, causationOf, correlationOf } from './metadata';
import { eventPath, streamPath } from './paths';
import type { EventRow, OneEvent } from './wire';

const Facts = ({ event }: { readonly event: EventRow }) => (
  <dl class="facts">
    <div>
      <dt>Recorded</dt>
      <dd>
        <Time at={event.at} />
      </dd>
    </div>
    <div>
      <dt>By</dt>
      <dd class="mono">{actorOf(event.metadata) ?? '—'}</dd>
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
      <dd class="mono">{causationOf(event.metadata) ?? '—'}</dd>
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
      <Json value={event.data} label="Data" />
      <Copy text={jsonText(event.data)} label="Copy the data" />
    </section>
    <section>
      <h2>Metadata</h2>
      <Json value={event.metadata} label="Metadata" />
      <Copy text={jsonText(event.metadata)} label="Copy the metadata" />
    </section>
  </div>
);

const Whole = ({ found }: { readonly found: OneEvent }) => {
  const correlation = correlationOf(found.event.metadata);
  return (
    <>
      <Facts event={found.event} />
      <Content event={found.event} />
      <Changes found={found} />
      {correlation !== undefined && <CauseTree correlation={correlation} eventId={found.event.id} />}
    </>
  );
};

const Steps = ({ stream, revision }: { readonly stream: string; readonly revision: number }) => {
  const go = (step: 1 | -1): void => {
    if (revision + step >= 0) navigate(eventPath(stream, revision + step));
  };
  useKeys([
    { keys: 'n', label: 'Next event of the stream', act: () => go(1) },
    { keys: 'p', label: 'Event before it', act: () => go(-1) },
  ]);
  return (
    <>
      {revision > 0 && (
        <a class="button" href={eventPath(stream, revision - 1)}>
          Before
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
      <Heading title={title} trail={trail} lead={`Revision ${revision}`}>
        <Steps stream={stream} revision={Number(revision)} />
      </Heading>
      <Loaded source={found}>{(content) => <Whole found={content} />}</Loaded>
    </>
  );
};
