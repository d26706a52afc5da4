/** Who recorded an event, what it is about, and where the ids in it lead. */
import type { LinkOf } from '../../components/json-view';
import { ownTenant } from '../../kernel/permissions';
import { Actor, Reference, useName } from '../../references/reference';
import { aggregateOf, linksOf, tenantOfStream } from '../../references/targets';
import type { EventRow } from '../api-types';
import { streamPath } from '../paths';
import { actorOf } from './event-metadata';

export const EventActor = ({ event }: { readonly event: Pick<EventRow, 'metadata' | 'stream'> }) => (
  <Actor actor={actorOf(event.metadata)} tenantId={tenantOfStream(event.stream)} />
);

export const linksOfEvent = ({ stream }: Pick<EventRow, 'stream'>): LinkOf =>
  linksOf(stream, tenantOfStream(stream) === ownTenant());

/** Undefined for what has no page here: of another tenant, or of no kind that has one. */
const subjectOf = (stream: string) => (tenantOfStream(stream) === ownTenant() ? aggregateOf(stream) : undefined);

/** The page of what a stream is about; else the stream. */
export const StreamSubject = ({ stream }: Pick<EventRow, 'stream'>) => {
  const subject = subjectOf(stream);
  if (subject !== undefined) return <Reference kind={subject.kind} id={subject.id} />;
  return (
    <a class="mono" href={streamPath(stream)}>
      {stream}
    </a>
  );
};

/** With the name in place of the id: `identity.principal: Ada Lovelace`. */
export const useStreamLabel = (stream: string): string => {
  const subject = subjectOf(stream);
  const name = useName(subject?.kind ?? 'stream', subject?.id ?? stream);
  return name === undefined ? stream : `${stream.slice(0, stream.indexOf('-'))}: ${name}`;
};
