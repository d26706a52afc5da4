/** The event that benches append: about 200 bytes of JSON. */
import { jsonEvent } from '@eventstore/db-client';

export const eventData = (index: number) => ({ index, principalId: 'prn-0123456789', reason: 'x'.repeat(150) });
export const benchEvent = (index: number) => jsonEvent({ type: 'Benched', data: eventData(index) });
