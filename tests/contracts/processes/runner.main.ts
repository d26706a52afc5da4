/** A copy of the processes service with the sample processes and a workshop, to be killed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { right } from 'fp-ts/Either';
import { bindProcess, target } from '../../../commands/kernel/react/bound';
import { runAll } from '../../../commands/kernel/react/run-all';
import type { Workshop } from '../../../commands/kernel/react/worker';
import { openWarm } from '../../../commands/kernel/warm';
import type { Instant } from '../../../domain/kernel/codec';
import { send } from '../../../domain/kernel/process';
import { openEventStore } from '../../../infra/eventstore/client';
import type { Leases } from '../../../infra/ports/leases';
import { openDurablePool } from '../../../infra/postgres/durable';
import { openPostgresLeases } from '../../../infra/postgres/lease';
import { postgresProcessCheckpoints } from '../../../infra/postgres/process-checkpoints';
import { postgresProcessLedger } from '../../../infra/postgres/process-ledger';
import { postgresTimers } from '../../../infra/postgres/timers';
import { postgresWorkQueue } from '../../../infra/postgres/work-queue';
import { countOnOrder } from '../../kernel/process-sample';
import { tally } from '../../kernel/tally';
import { hearingLog, quietMetrics } from '../../support/quiet';

const [storeUrl = '', postgresUrl = '', mode = ''] = process.argv.slice(2);
const targets = { 'sample.tally': target(tally) };

/** Says when it has begun, so that it can be killed midway. */
const workshop: Workshop = {
  queue: 'reports',
  concurrency: 4,
  claimMilliseconds: 1_500,
  targets,
  perform: async ({ payload, attempt }, signal) => {
    const { customer } = payload as { readonly customer: string };
    process.send?.({ kind: 'working', customer, attempt });
    if (mode === 'slow') await sleep(60_000, undefined, { signal });
    return right([send('sample.tally', customer, { type: 'Add', amount: 77 })]);
  },
};

/** As if everybody were alone. */
const unguarded = (leases: Leases): Leases => ({
  ...leases,
  acquire: async (name) => right({ name, token: 1 }),
  renew: async () => right(true),
});

const main = async (): Promise<void> => {
  const pool = openDurablePool({ url: postgresUrl });
  const leases = openPostgresLeases({ url: postgresUrl });
  const store = openEventStore({ url: storeUrl });
  const kept = {
    checkpoints: postgresProcessCheckpoints(pool),
    timers: postgresTimers(pool),
    work: postgresWorkQueue(pool),
    ledger: postgresProcessLedger(pool),
    leases: mode === 'unguarded' ? unguarded(leases) : leases,
  };
  const clock = { now: () => new Date().toISOString() as Instant };
  const around = { store, clock, log: hearingLog(), metrics: quietMetrics, warm: openWarm(), leaseMilliseconds: 1_500 };
  const parts = { processes: [bindProcess(countOnOrder, targets)], workshops: [workshop] };
  const running = runAll(parts, { ...kept, ...around, drainMilliseconds: 300 });
  process.on('message', () => process.send?.({ kind: 'status', status: running.status() }));
  process.once('SIGTERM', () => {
    const end = async (): Promise<void> => {
      await running.close();
      await Promise.all([store.close(), pool.end(), leases.close()]);
      process.exit(0);
    };
    void end();
  });
  process.send?.({ kind: 'started' });
};

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
