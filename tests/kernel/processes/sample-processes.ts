/** Small processes for the kernel's own tests: one counts a customer's orders in a tally, one answers itself for ever. */
import type * as t from 'io-ts';
import { Instant, integer, record, text } from '../../../domain/kernel/codec';
import { aggregate, family } from '../../../domain/kernel/family';
import { streamName, type TenantId } from '../../../domain/kernel/ids';
import type { JobQueue } from '../../../domain/kernel/job-queue';
import { cancel, enqueueJob, type Process, policy, type Send, schedule, send } from '../../../domain/kernel/process';
import { type TallyCommand, tallies } from '../commands/tally';

const Customer = text('Customer', { maxLength: 60 });

const Report = record('Report', { customer: Customer });
export const reportQueue: JobQueue<t.TypeOf<typeof Report>> = { name: 'reports', payload: Report };

export const orders = aggregate(
  { context: 'sample', name: 'order' },
  {
    OrderPlaced: { v: 1, data: { customer: Customer, amount: integer(0) } },
    OrderClosed: { v: 1, data: { customer: Customer } },
    ReminderWanted: { v: 1, data: { customer: Customer, at: Instant } },
    ReminderDropped: { v: 1, data: { customer: Customer } },
    ReportWanted: { v: 1, data: { customer: Customer } },
    OrderViewed: { v: 1, data: { customer: Customer } },
  },
);
export type OrderEvent = typeof orders.Event;

const counts = family('sample', { OrderCounted: { v: 1, data: { orders: integer(0) } } });
type Counted = typeof counts.Event;

type ToTally = Send<'sample.tally', TallyCommand>;

const toTally = (id: string, command: TallyCommand): ToTally => send('sample.tally', id, command);
/** The amount shows which order of the customer it was. */
const addFor = (customer: string, amount: number, nth: number): ToTally =>
  toTally(customer, { type: 'Add', amount: amount * 1_000 + nth });

export const countOnOrder: Process<number, Counted, OrderEvent, ToTally> = {
  name: 'count-on-order',
  context: 'sample',
  subscribes: [orders],
  startFrom: 'first-event',
  key: ({ event }) => (event.type === 'OrderViewed' ? undefined : event.data.customer),
  stateEvents: counts,
  initial: 0,
  evolve: (_, { data }) => data.orders,
  react: (count, { event }) => {
    const { customer } = event.data;
    switch (event.type) {
      case 'OrderPlaced': {
        const stateEvents = [{ type: 'OrderCounted', data: { orders: count + 1 } }] as const;
        return { stateEvents, actions: [addFor(customer, event.data.amount, count + 1)] };
      }
      case 'OrderClosed':
        return { actions: [toTally(customer, { type: 'Close', why: 'closed' })] };
      case 'ReminderWanted':
        return { actions: [schedule('reminder', event.data.at, addFor(customer, 9_000, count))] };
      case 'ReminderDropped':
        return { actions: [cancel('reminder')] };
      case 'ReportWanted':
        return { actions: [enqueueJob(reportQueue, { customer }, { mostAttempts: 3 })] };
      case 'OrderViewed':
        return {};
    }
  },
};

/** Adds to what was added to: it would go on for ever. */
export const addOnAdded = policy({
  name: 'add-on-added',
  context: 'sample',
  subscribes: [tallies],
  startFrom: 'first-event',
  key: ({ entityId: entity }) => entity,
  answer: ({ event, entityId: entity }) =>
    event.type === 'Added' ? [toTally(entity, { type: 'Add', amount: 1 })] : [],
});

const named = (aggregate: string, id: string): string =>
  streamName({ context: 'sample', aggregate, tenant: 'acme' as TenantId, id });

export const orderStream = (id: string): string => named('order', id);
export const tallyOf = (customer: string): string => named('tally', customer);
export const instanceStream = (customer: string): string => named('countOnOrder', customer);
