/** Commands through `handle` against the client's own append of the same events, in turns on the same node. */
import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, type JSONType, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { isLeft } from 'fp-ts/Either';
import { noCommandMetrics } from '../../commands/kernel/command-metrics';
import { commandHash } from '../../commands/kernel/deterministic-ids';
import { createExclusiveAggregates } from '../../commands/kernel/exclusive-aggregates';
import { handle } from '../../commands/kernel/handle';
import { type HandleDeps, metadataOf } from '../../commands/kernel/handle-request';
import type { Instant } from '../../domain/kernel/codec';
import type { TenantId } from '../../domain/kernel/ids';
import { openEventStore } from '../../infra/adapters/eventstore/event-store';
import { add, added, tallies, tally } from '../kernel/commands/tally';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { startEventStoreNode } from '../support/servers/event-store-node';
import { fromCallers, percentile, rate, report } from './measure';

const loads = [
  { name: 'sequential', callers: 1, count: 1_000 },
  { name: 'callers64', callers: 64, count: 8_000 },
] as const;
const rounds = 5;
const existing = 1_000;
const clock = { now: () => new Date().toISOString() as Instant };
const who = { tenant: 'bench' as TenantId, actor: 'p-1', correlationId: 'r-1' };

/** One command or append by its index; `fresh` has a stream of its own, otherwise they share a thousand. */
type Do = (run: string, index: number, fresh: boolean) => Promise<unknown>;

const streamOf = (run: string, index: number, fresh: boolean): string =>
  fresh ? `sample.tally-bench.${run}-${index}` : `sample.tally-bench.${run.split('-')[0]}-${index % existing}`;

const throughHandle =
  (deps: HandleDeps): Do =>
  async (run, index, fresh) => {
    const command = { command: add(index), commandId: `${run}-${index}`, stream: streamOf(run, index, fresh) };
    const outcome = await handle(deps, tally, { ...who, ...command, fresh });
    if (isLeft(outcome)) throw new Error(outcome.left.code);
  };

const throughClient = (client: EventStoreDBClient): Do => {
  const revisions = new Map<string, bigint>();
  const hash = commandHash(add(1));
  return async (run, index, fresh) => {
    const stream = streamOf(run, index, fresh);
    const request = { ...who, command: add(index), commandId: `${run}-${index}`, stream };
    const { type, data } = tallies.encode(added(index));
    const metadata = { ...metadataOf(request, hash, clock.now()) };
    const event = jsonEvent({ id: randomUUID(), type, data: data as JSONType, metadata });
    const expectedRevision = revisions.get(stream) ?? NO_STREAM;
    const { nextExpectedRevision } = await client.appendToStream(stream, event, { expectedRevision });
    if (!fresh) revisions.set(stream, nextExpectedRevision);
  };
};

const measured = (perform: Do, run: string, [{ callers, count }, fresh]: readonly [(typeof loads)[number], boolean]) =>
  rate(count, () => fromCallers(callers, count, (index) => perform(run, index, fresh)));

const compare = async (ways: { readonly handle: Do; readonly client: Do }): Promise<void> => {
  // Makes the shared streams, and both sides are compiled when it counts.
  for (const [name, perform] of Object.entries(ways))
    await fromCallers(64, 2 * existing, (index) => perform(name, index, false));
  for (const load of loads)
    for (const fresh of [true, false]) {
      const rates = { handle: [] as number[], client: [] as number[] };
      for (let round = 0; round < rounds; round += 1)
        for (const name of ['client', 'handle'] as const) {
          const run = `${name}-${load.name}-${fresh}-${round}`;
          rates[name].push(await measured(ways[name], run, [load, fresh]));
        }
      const streams = fresh ? 'newStreams' : 'warmStreams';
      const [value, baseline] = [percentile(rates.handle, 0.5), percentile(rates.client, 0.5)];
      report({ name: `handle.${streams}.${load.name}`, value, unit: 'commands/s', baseline });
    }
};

export const run = async (): Promise<void> => {
  const data = temporaryDirectory('bench');
  const node = await startEventStoreNode(data.path);
  const store = openEventStore({ url: node.url });
  const client = EventStoreDBClient.connectionString(node.url);
  await compare({
    handle: throughHandle({ store, commandMetrics: noCommandMetrics, clock, warm: createExclusiveAggregates() }),
    client: throughClient(client),
  });
  await Promise.all([store.close(), client.dispose()]);
  await node.stop();
  data.remove();
};
