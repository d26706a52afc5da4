/** Two ways to follow an order up: a bare subscription that appends by itself, and the process. */
import { randomUUID } from 'node:crypto';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { bindProcess, commandTarget } from '../../../commands/kernel/processes/process-binding';
import { runProcess } from '../../../commands/kernel/processes/process-runner';
import type { Instant } from '../../../domain/kernel/codec';
import { openDurablePool } from '../../../infra/adapters/postgres/pool';
import { createPostgresCheckpoints } from '../../../infra/adapters/postgres/processes/checkpoint-store';
import { openPostgresLeaseStore } from '../../../infra/adapters/postgres/processes/lease-store';
import { createPostgresTimers } from '../../../infra/adapters/postgres/processes/timer-store';
import { createPostgresWorkQueue } from '../../../infra/adapters/postgres/processes/work-queue';
import type { EventStore, StoredEvent } from '../../../infra/ports/event-store';
import { tallies, tally } from '../../kernel/commands/tally';
import { countOnOrder } from '../../kernel/processes/sample-processes';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';

const followUp = (event: StoredEvent, count: number) => {
  const { customer, amount } = event.data as { customer: string; amount: number };
  const added = tallies.encode({ type: 'Added', data: { amount: amount * 1_000 + count, by: 'me', unit: 'piece' } });
  return { stream: `sample.tally-acme.${customer}`, event: { ...added, id: randomUUID(), metadata: event.metadata } };
};

/** The floor: reads nothing, records nothing about itself, and would double after a crash. */
const bare = async (store: EventStore, signal: AbortSignal): Promise<void> => {
  for await (const message of store.subscribeAll({ after: null, filter: { streams: ['sample.order-'] }, signal })) {
    if (message.kind !== 'event') continue;
    const { stream, event } = followUp(message.event, 1);
    void store.append(stream, 'any', [event]);
  }
};

/** Answers how to stop. */
export type Start = (store: EventStore, postgres: string) => () => Promise<unknown>;

export const startBare: Start = (store) => {
  const over = new AbortController();
  const following = bare(store, over.signal);
  return () => {
    over.abort();
    return following;
  };
};

export const startProcess: Start = (store, url) => {
  const pool = openDurablePool({ url });
  const leases = openPostgresLeaseStore({ url });
  const stores = { checkpoints: createPostgresCheckpoints(pool), timers: createPostgresTimers(pool), leases };
  const clock = { now: () => new Date().toISOString() as Instant };
  const around = {
    store,
    commandMetrics: noCommandMetrics,
    clock,
    log: recordingLog(),
    metrics: noopMetrics,
    warm: createExclusiveAggregates(),
  };
  const process = bindProcess(countOnOrder, { 'sample.tally': commandTarget(tally) });
  const running = runProcess(process, { ...stores, ...around, work: createPostgresWorkQueue(pool) });
  return async () => {
    await running.close();
    await Promise.all([pool.end(), leases.close()]);
  };
};
