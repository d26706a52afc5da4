/** Bounds on the node's memory, subscriptions and names under any number of requests. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { batchOf } from '../../contracts/eventstore-node/protocol/append/batch-calls';
import { connectTo, withNodeHere } from '../../contracts/eventstore-node/protocol/harness/local-node';
import {
  append,
  type BatchCall,
  follow,
  openBatch,
  read,
} from '../../contracts/eventstore-node/protocol/harness/raw-calls';
import { appended, eventsOf, followedTexts } from '../../contracts/eventstore-node/protocol/harness/replies';
import { foreignLog, givenUrl } from '../../contracts/eventstore-node/protocol/harness/server-under-test';
import { proposed, several, textId } from '../../contracts/eventstore-node/protocol/harness/stream-requests';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { retainedBytes } from '../../support/runner/retained-memory';
import { skip } from '../../support/runner/skip';
import { gather, mostCalls } from './many-subscriptions';

const mebibyte = 1024 * 1024;
const manyStreams = 20_000;
const longNames = 1_600;
/**
 * Some 1.2 MiB are compiled code. Kept names would take 9 MiB for the huge ones alone, anything else that is kept for each
 * stream is found from 0.3 KiB on.
 */
const mostGrowth = 6 * mebibyte;
const crowdSize = 1_000;

/** One after another over one call, so many at a time. */
const appendAll = async (call: BatchCall, names: readonly string[], events: number): Promise<void> => {
  const window = 200;
  for (let done = 0; done < names.length; done += window) {
    const part = names.slice(done, done + window);
    for (const stream of part)
      call.send(batchOf(stream, 'any', { events: several(events), correlationId: textId(randomUUID()) }));
    for (const _ of part) assert.ok((await call.next()).hasSuccess());
  }
};

const readEach = async (client: StreamsClient, names: readonly string[]): Promise<void> => {
  for (let done = 0; done < names.length; done += 50)
    await Promise.all(
      names.slice(done, done + 50).map(async (stream) => {
        assert.equal(eventsOf(await read(client, { stream, count: 10 })).length, 1, stream.slice(0, 50));
      }),
    );
};

/** More than a generation of the node's caches takes, of streams by their names and of the newest records. */
const appendHuge = async (client: StreamsClient): Promise<void> => {
  const stream = randomUUID().padEnd(4.5 * mebibyte, 'x');
  appended(await append(client, { stream, events: [proposed({ data: Buffer.alloc(mebibyte) })] }));
};

/**
 * The caches have two generations. They hold the same at every measurement: huge entries in place of all others. Whatever else was huge a
 * moment ago is gone by one of them; what the node keeps is there at each.
 */
const retainedWithoutCaches = async (client: StreamsClient): Promise<number> => {
  let lowest = Number.POSITIVE_INFINITY;
  for (let measurement = 0; measurement < 3; measurement += 1) {
    await appendHuge(client);
    await appendHuge(client);
    lowest = Math.min(lowest, await retainedBytes());
  }
  return lowest;
};

interface StreamLoad {
  readonly streams: number;
  readonly reads: number;
  readonly nameOf: (index: number) => string;
}

/** Uses a third of the streams once before it measures: what code and buffers take is there by then. */
const growthFor = async (client: StreamsClient, { streams, reads, nameOf }: StreamLoad): Promise<number> => {
  const call = openBatch(client);
  const use = async (from: number, count: number): Promise<void> => {
    const names = Array.from({ length: count }, (_, index) => nameOf(from + index));
    await appendAll(call, names, 1);
    await readEach(client, names.slice(0, reads));
  };
  const warmUp = Math.ceil(streams / 3);
  await use(0, warmUp);
  const before = await retainedWithoutCaches(client);
  await use(warmUp, streams);
  const growth = (await retainedWithoutCaches(client)) - before;
  await call.end();
  return growth;
};

describe('bounds of the embedded node', function () {
  this.timeout(120_000);
  const home = temporaryDirectory('bounds');
  before(function () {
    if (givenUrl !== undefined) skip(this, foreignLog);
  });
  after(() => home.remove());

  const loads: readonly (readonly [what: string, load: StreamLoad])[] = [
    [`${manyStreams} streams`, { streams: manyStreams, reads: 300, nameOf: (index) => `bounds.thing-${index}` }],
    [
      `${longNames} stream names of 64 KiB`,
      { streams: longNames, reads: 50, nameOf: (index) => `${'x'.repeat(64 * 1024)}-${index}` },
    ],
  ];
  for (const [what, load] of loads)
    it(`keeps nothing in memory for ${what}`, () =>
      withNodeHere(`${home.path}/streams-${randomUUID()}`, async ({ client }) => {
        const growth = await growthFor(client, load);
        assert.ok(growth < mostGrowth, `${growth} bytes more`);
      }));

  it(`delivers every event to ${crowdSize} live subscriptions, and goes on when half of them leave`, () =>
    withNodeHere(`${home.path}/crowd`, async ({ node, client }) => {
      const size = crowdSize;
      const by = (index: number) =>
        [
          { stream: 'a', from: 'end' as const },
          { from: 'end' as const },
          { from: 'end' as const, filter: { on: 'stream' as const, prefixes: ['a'], multiplier: 10_000 } },
        ][index % 3] ?? {};
      const halves = await Promise.all([gather(node, { size: size / 2, by }), gather(node, { size: size / 2, by })]);
      assert.ok(halves.every(({ counts }) => counts.length === size / 2));
      const write = async (count: number): Promise<void> => {
        appended(await append(client, { stream: 'a', events: several(count) }));
      };
      const [first, second] = halves;
      const all = halves.map((half) => half.reach(50));
      for (let written = 0; written < 50; written += 10) await write(10);
      await Promise.all(all);
      first.close();
      const rest = second.reach(51);
      await write(1);
      await rest;
      assert.deepEqual(new Set(second.counts), new Set([51]));
      second.close();
    }));

  it('lets the 101st call of a connection wait until one of the others is over', () =>
    withNodeHere(`${home.path}/room`, async ({ node, client }) => {
      const full = connectTo(node);
      const following = Array.from({ length: mostCalls }, () => follow(full, { from: 'end' }));
      for (const one of following) await followedTexts(one, 2);
      let answered = false;
      const waiting = append(full, { stream: 'a', events: several(1) }).finally(() => {
        answered = true;
      });
      // Another connection has room, and gets its answer although its request came later.
      appended(await append(client, { stream: 'b', events: several(1) }));
      assert.equal(answered, false);
      following[0]?.cancel();
      assert.equal(appended(await waiting).revision, 0);
      full.close();
    }));
});
