/** Processes over in-memory stores, created for each test and closed after it. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { bindProcess, commandTarget } from '../../../commands/kernel/processes/process-binding';
import { type RunningProcess, runProcess } from '../../../commands/kernel/processes/process-runner';
import type { ProcessRunDeps } from '../../../commands/kernel/processes/process-session';
import type { Instant } from '../../../domain/kernel/codec';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import type { EventStore, StoredEvent } from '../../../infra/ports/event-store';
import { eventually } from '../../support/waiting/eventually';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';
import { tally } from '../commands/tally';
import { memoryCheckpoints, memoryLeases, memoryTimers, memoryWork } from './memory-stores';
import { addOnAdded, countOnOrder, type OrderEvent, orderStream, orders, tallyOf } from './sample-processes';

const noon = Date.parse('2026-01-31T12:00:00.000Z');

export const boundProcesses = {
  count: bindProcess(countOnOrder, { 'sample.tally': commandTarget(tally) }),
  add: bindProcess(addOnAdded, { 'sample.tally': commandTarget(tally) }),
};

let made = 0;

/** Records an order's event as a command API would have. */
export const record = async (store: EventStore, event: OrderEvent, id = `o-${made}`): Promise<StoredEvent> => {
  made += 1;
  const eventId = `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
  const at = new Date(noon).toISOString() as Instant;
  const caused = { $correlationId: `r-${made}`, $causationId: `c-${made}`, commandId: `c-${made}`, commandHash: 'h' };
  const metadata = { ...caused, tenant: 'acme', actor: 'p-1', at };
  const appended = await store.append(orderStream(id), 'any', [{ id: eventId, ...orders.encode(event), metadata }]);
  assert.ok(isRight(appended));
  return { id: eventId, ...orders.encode(event), metadata, stream: orderStream(id), ...appended.right };
};

export const amountsIn = async (store: EventStore, customer: string): Promise<readonly number[]> => {
  const read = await store.read(tallyOf(customer));
  assert.ok(isRight(read));
  return read.right.flatMap(({ type, data }) => (type.includes('Added') ? [(data as { amount: number }).amount] : []));
};

export const openProcessFixture = (changes: Partial<ProcessRunDeps> = {}) => {
  const clock = { now: noon };
  const log = recordingLog();
  const twins = {
    store: openMemoryEventStore(),
    timers: memoryTimers(clock),
    checkpoints: memoryCheckpoints(),
    leases: memoryLeases(),
    work: memoryWork(),
  };
  const now = () => new Date(clock.now).toISOString() as Instant;
  const deps = (more: Partial<ProcessRunDeps> = {}): ProcessRunDeps => ({
    ...{
      ...twins,
      log,
      metrics: noopMetrics,
      commandMetrics: noCommandMetrics,
      clock: { now },
      warm: createExclusiveAggregates(),
    },
    ...changes,
    ...more,
  });
  return { clock, log, ...twins, deps };
};

/** Registers its hook with the describe that calls it. */
export const useRunningProcesses = () => {
  const all: RunningProcess[] = [];
  afterEach(async () => {
    await Promise.all(all.splice(0).map((one) => one.close()));
  });
  return (process: (typeof boundProcesses)['count'], deps: ProcessRunDeps): RunningProcess => {
    const one = runProcess(process, deps);
    all.push(one);
    return one;
  };
};

export const assertAdded = (store: EventStore, customer: string, expected: readonly number[]): Promise<void> =>
  eventually(async () => assert.deepEqual(await amountsIn(store, customer), expected));

export const orderPlaced = (customer: string, amount = 1): OrderEvent => ({
  type: 'OrderPlaced',
  data: { customer, amount },
});
export const orderClosed = (customer: string): OrderEvent => ({ type: 'OrderClosed', data: { customer } });
export const reminderWanted = (customer: string, milliseconds: number): OrderEvent => ({
  type: 'ReminderWanted',
  data: { customer, at: new Date(noon + milliseconds).toISOString() as Instant },
});
export const reminderDropped = (customer: string): OrderEvent => ({ type: 'ReminderDropped', data: { customer } });

export const typesIn = async (store: EventStore, stream: string): Promise<readonly string[]> => {
  const read = await store.read(stream);
  assert.ok(isRight(read));
  return read.right.map(({ type }) => type);
};
