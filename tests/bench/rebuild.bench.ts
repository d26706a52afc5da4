/** Rebuilding a view against merely reading the same events: alone, and while commands write and readers read. `REBUILD_EVENTS` enlarges it. */
import { randomUUID } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import { openEventStore } from '../../infra/eventstore/client';
import { migrate } from '../../infra/postgres/migrate';
import { openViewLedger } from '../../infra/postgres/view-ledger';
import { openPostgresReader } from '../../infra/postgres/view-reader';
import { openPostgresWriter } from '../../infra/postgres/view-writer';
import { rebuild } from '../../projections/kernel/rebuild';
import { runProjector } from '../../projections/kernel/run';
import { fill, rebuildUnderLoad, type Stage } from '../contracts/projector-rebuild/proof';
import { startEventStoreNode, temporaryDirectory } from '../support/event-store-node';
import { hearingLog, quietMetrics } from '../support/quiet';
import { freshDatabase, stopServers } from '../support/servers';
import { counterProjection, counterTable } from '../support/ticks';
import { rate, report } from './measure';

const events = Number(process.env.REBUILD_EVENTS ?? 100_000);

const must = <A>(either: { readonly _tag: 'Right'; readonly right: A } | { readonly _tag: 'Left' }): A => {
  if (either._tag === 'Left') throw new Error(JSON.stringify(either));
  return either.right;
};

const alone = async ({ store, writer, projection }: Stage): Promise<void> => {
  const { signal } = new AbortController();
  const rebuilt = await rebuild({
    store,
    writer,
    projection,
    signal,
    acceptDifferences: false,
    progress: () => undefined,
  });
  if (isLeft(rebuilt)) throw new Error(rebuilt.left.detail);
};

const measure = async (stage: Stage): Promise<void> => {
  const { store, writer, projection } = stage;
  const ids = await fill(store, events);
  const readEverything = async (): Promise<void> => {
    for await (const _ of store.readAll({ after: null }));
  };
  await readEverything();
  const baseline = await rate(events, readEverything);
  const options = { store, log: hearingLog(), metrics: quietMetrics, writerOf: () => writer };
  const projector = runProjector([projection], options);
  while (projector.status()[0]?.phase !== 'live') await new Promise((resolve) => setTimeout(resolve, 20));
  report({ name: 'rebuild.alone', value: await rate(events, () => alone(stage)), unit: 'events/s', baseline });
  const proof = await rebuildUnderLoad(stage, ids, randomUUID());
  if (proof.wrong.length > 0) throw new Error(`wrong answers: ${proof.wrong.slice(0, 5).join('; ')}`);
  const perSecond = (count: number): number => (count * 1000) / proof.milliseconds;
  report({ name: 'rebuild.underLoad', value: perSecond(proof.rebuilt.events), unit: 'events/s', baseline });
  report({ name: 'rebuild.underLoad.commands', value: perSecond(proof.commands), unit: 'commands/s' });
  report({ name: 'rebuild.underLoad.reads', value: perSecond(proof.reads), unit: 'right answers/s' });
  await projector.close();
};

export const run = async (): Promise<void> => {
  const data = temporaryDirectory('bench-rebuild');
  const node = await startEventStoreNode(data.path);
  const store = openEventStore({ url: node.url });
  const url = await freshDatabase();
  const reader = openPostgresReader({ url: must(await migrate({ url, readerPassword: 'only for reading' })) });
  const [writer, ledger] = [openPostgresWriter({ url }), openViewLedger({ url })];
  try {
    await measure({ store, writer, reader, ledger, projection: counterProjection(counterTable('bench_counters')) });
  } finally {
    await Promise.all([store, writer, reader, ledger].map((part) => part.close()));
    await node.stop();
    await stopServers();
    data.remove();
  }
};
