/** Who recorded an event, and where the ids in it lead. */

import type { LinkOf } from '../../components/json-view';
import { ownTenant } from '../../kernel/permissions';
import { Actor } from '../../references/reference';
import { linksOf, tenantOfStream } from '../../references/targets';
import type { EventRow } from '../api-types';
import { actorOf } from './event-metadata';

export const EventActor = ({ event }: { readonly event: Pick<EventRow, 'metadata' | 'stream'> }) => (
  <Actor actor={actorOf(event.metadata)} tenantId={tenantOfStream(event.stream)} />
);

export const linksOfEvent = ({ stream }: Pick<EventRow, 'stream'>): LinkOf =>
  linksOf(tenantOfStream(stream) === ownTenant());
