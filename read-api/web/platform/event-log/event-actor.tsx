/** Who recorded an event, what it is about, and where the ids in it lead. */
import type { LinkOf } from '../../components/json-view';
import { ownTenant } from '../../kernel/permissions';
import { Actor, Reference } from '../../references/reference';
import { namedByData, StreamName } from '../../references/stream-name';
import { aggregateOf, linksOf, tenantOfStream } from '../../references/targets';
import type { EventRow } from '../api-types';
import { actorOf } from './event-metadata';

export const EventActor = ({ event }: { readonly event: Pick<EventRow, 'metadata' | 'stream'> }) => (
  <Actor actor={actorOf(event.metadata)} tenantId={tenantOfStream(event.stream)} />
);

export const linksOfEvent = ({ stream }: Pick<EventRow, 'stream'>): LinkOf =>
  linksOf(stream, tenantOfStream(stream) === ownTenant());

/** Undefined for what has no page here: of another tenant, or of no kind that has one. */
const subjectOf = (stream: string) => (tenantOfStream(stream) === ownTenant() ? aggregateOf(stream) : undefined);

/** The page of what a stream is about; else the stream. */
export const StreamSubject = ({ stream, data }: Pick<EventRow, 'stream'> & Partial<Pick<EventRow, 'data'>>) => {
  const subject = subjectOf(stream);
  if (subject !== undefined) return <Reference kind={subject.kind} id={subject.id} />;
  return <StreamName stream={stream} named={namedByData(data)} />;
};
