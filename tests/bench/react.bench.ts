/** From an event's append to the follow-up's, through a process; against a bare subscription that appends by itself. */
import { isLeft } from 'fp-ts/Either';
import type { Instant } from '../../domain/kernel/codec';
import { openEventStore } from '../../infra/adapters/eventstore/event-store';
import { migrate } from '../../infra/adapters/postgres/migrate';
import type { EventStore } from '../../infra/ports/event-store';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { startEventStoreNode } from '../support/servers/event-store-node';
import { freshDatabase, stopServers } from '../support/servers/shared-servers';
import { fromCallers, percentile, report } from './measure';
import { place, remind } from './react/orders';
import { type Start, startBare, startProcess } from './react/reactions';

const warmUp = 200;
const single = 1_000;
const burst = 5_000;
const callers = 64;
const timers = 300;

/** Order numbers that the follow-up repeats, and when it was seen in the log. */
type Seen = Map<number, number>;

/** Both ways are seen by the same eyes: a subscription that waits for the follow-ups. */
const watch = async (store: EventStore, seen: Seen, signal: AbortSignal): Promise<void> => {
  const filter = { streams: ['sample.tally-'] };
  for await (const message of store.subscribeAll({ after: null, filter, signal }))
    if (message.kind === 'event')
      seen.set(Math.floor((message.event.data as { amount: number }).amount / 1_000), performance.now());
};

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
};

interface Measurements {
  readonly latencies: readonly number[];
  readonly rate: number;
  /** Milliseconds; none of the floor, which has no timers. */
  readonly late: readonly number[];
}

/** One after the other for latency, then as fast as it goes. */
const measure = async (store: EventStore, seen: Seen, run: string): Promise<Measurements> => {
  const latencies: number[] = [];
  for (let number = 0; number < warmUp + single; number += 1) {
    const began = performance.now();
    await place(store, [run, number]);
    await until(() => seen.has(number));
    latencies.push((seen.get(number) as number) - began);
  }
  const [first, end] = [warmUp + single, warmUp + single + burst];
  const began = performance.now();
  await fromCallers(callers, burst, (index) => place(store, [run, first + index]));
  await until(() => seen.size >= end);
  return { latencies: latencies.slice(warmUp), rate: (burst * 1_000) / (performance.now() - began), late: [] };
};

/** How late timers fire that fall due here and there within two seconds. */
const lateness = async (store: EventStore): Promise<readonly number[]> => {
  const late: number[] = [];
  const over = new AbortController();
  const due = new Map<string, number>();
  const follow = async (): Promise<void> => {
    const filter = { streams: ['sample.tally-acme.timer'] };
    for await (const message of store.subscribeAll({ after: null, filter, signal: over.signal }))
      if (message.kind === 'event')
        late.push(Date.now() - (due.get(message.event.stream.split('.').at(-1) ?? '') ?? Number.NaN));
  };
  const following = follow();
  for (let nth = 0; nth < timers; nth += 1) {
    const [customer, at] = [`timer${nth}`, Date.now() + 2_000 + Math.random() * 2_000];
    due.set(customer, Math.floor(at));
    await remind(store, customer, new Date(at).toISOString() as Instant);
  }
  await until(() => late.length === timers);
  over.abort();
  await following;
  return late;
};

/** On a log of its own each. */
const measured = async (start: Start, postgres: string, run: string): Promise<Measurements> => {
  const data = temporaryDirectory('bench-react');
  const node = await startEventStoreNode(data.path);
  const store = openEventStore({ url: node.url });
  const seen: Seen = new Map();
  const watching = new AbortController();
  const watched = watch(store, seen, watching.signal);
  const stop = start(store, postgres);
  try {
    const measurements = await measure(store, seen, run);
    return start === startBare ? measurements : { ...measurements, late: await lateness(store) };
  } finally {
    await stop();
    watching.abort();
    await watched;
    await store.close();
    await node.stop();
    data.remove();
  }
};

export const run = async (): Promise<void> => {
  const postgres = await freshDatabase();
  if (isLeft(await migrate({ url: postgres, readerPassword: 'only for reading' }))) throw new Error('not migrated');
  try {
    const floor = await measured(startBare, postgres, 'b');
    const process = await measured(startProcess, postgres, 'p');
    for (const [name, share] of [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const) {
      const [value, baseline] = [percentile(process.latencies, share), percentile(floor.latencies, share)];
      report({ name: `react.followUp.${name}`, value, unit: 'ms', baseline });
    }
    for (const [name, share] of [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const)
      report({ name: `react.timerLate.${name}`, value: percentile(process.late, share), unit: 'ms' });
    report({ name: 'react.followUps', value: process.rate, unit: 'events/s', baseline: floor.rate });
  } finally {
    await stopServers();
  }
};
