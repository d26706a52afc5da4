/** Events that operators took out of a view that could not apply them: one at a time, with the reason. */

import { integer, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { TenantId } from '../../kernel/ids';

const one = {
  view: text('ViewName', { maxLength: 128 }),
  stream: text('StreamName', { maxLength: 512 }),
  streamRevision: integer(0),
  reason: text('SkipReason', { content: 'lines', maxLength: 500 }),
};

export const skips = aggregate(
  { context: 'platform', name: 'skips' },
  {
    /** From now on the view, and every copy of it that is built, goes past this event. */
    EventSkipped: {
      v: 1,
      data: { ...one, eventId: text('EventId', { maxLength: 64 }), eventType: text('EventType', { maxLength: 256 }) },
    },
    /** The next copy that is built takes the event again. */
    SkipWithdrawn: { v: 1, data: one },
  },
);
export type SkipEvent = typeof skips.Event;

const tenant = 'platform';
if (!TenantId.is(tenant)) throw new Error('the platform has no valid name');
export const platformTenant: TenantId = tenant;

/** What the views, and what the processes, of the whole installation skip. */
export const skipsStream = (skippedBy: 'projections' | 'processes'): string => skips.stream(platformTenant, skippedBy);
