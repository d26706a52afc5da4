/** Orders and reminders, recorded now. */
import { randomUUID } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import type { EventStore } from '../../../infra/ports/event-store';
import { type OrderEvent, orderStream, orders } from '../../kernel/processes/sample-processes';

const recordNow = async (store: EventStore, order: string, event: OrderEvent): Promise<void> => {
  const id = randomUUID();
  const at = new Date().toISOString() as Instant;
  const caused = { $correlationId: id, $causationId: id, commandId: id, commandHash: 'h' };
  const metadata = { ...caused, tenant: 'acme', actor: 'p-1', at };
  const appended = await store.append(orderStream(order), 'no-stream', [{ ...orders.encode(event), id, metadata }]);
  if (isLeft(appended)) throw new Error('an order was not recorded');
};

export const place = (store: EventStore, [run, number]: readonly [string, number]): Promise<void> => {
  const data = { customer: `${run}${number % 100}`, amount: number };
  return recordNow(store, `${run}-${number}`, { type: 'OrderPlaced', data });
};

export const remind = (store: EventStore, customer: string, at: Instant): Promise<void> =>
  recordNow(store, customer, { type: 'ReminderWanted', data: { customer, at } });
