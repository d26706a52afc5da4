/** The event that benches append: about 200 bytes of JSON. */
import { randomUUID } from 'node:crypto';
import { jsonEvent } from '@eventstore/db-client';
import { encodeRecord } from '../../../packages/eventstore-node/src/storage/records/record-format';

export const eventData = (index: number) => ({ index, principalId: 'prn-0123456789', reason: 'x'.repeat(150) });
export const benchEvent = (index: number) => jsonEvent({ type: 'Benched', data: eventData(index) });

export const cannedPosition = 1_000_000;

/** One as the node stores it. */
export const cannedRecord = encodeRecord(
  {
    id: randomUUID(),
    type: 'Benched',
    json: true,
    data: Buffer.from(JSON.stringify(eventData(0))),
    metadata: Buffer.alloc(0),
  },
  { stream: Buffer.from('bench-1'), streamNumber: 1, revision: 1, position: cannedPosition, created: Date.now() },
);
