/** What the node may cost however much is asked of it: memory, subscriptions, names. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { temporaryDirectory } from '../support/event-store-node';
import { sized } from '../support/size';
import { skip } from '../support/skip';
import { batchOf } from './event-store-protocol/batch-calls';
import { append, type BatchCall, follow, openBatch, read } from './event-store-protocol/calls';
import { gather, mostCalls } from './event-store-protocol/crowd';
import { connectTo, withNode } from './event-store-protocol/local-node';
import { several, textId } from './event-store-protocol/messages';
import { appended, eventsOf, followedTexts } from './event-store-protocol/replies';
import { foreignLog, givenUrl } from './event-store-protocol/server';

const mebibyte = 1024;
/** A node that kept names or places of streams would grow by a kilobyte for each. */
const manyStreams = sized({ short: 15_000, long: 60_000 });
const crowdSize = sized({ short: 400, long: 1_000 });

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

describe('bounds of the embedded node', function () {
  this.timeout(120_000);
  const home = temporaryDirectory('bounds');
  before(function () {
    if (givenUrl !== undefined) skip(this, foreignLog);
  });
  after(() => home.remove());

  it('takes no more memory for many streams than for few', () =>
    withNode(`${home.path}/streams-${randomUUID()}`, async ({ node, client }) => {
      const call = openBatch(client);
      const names = (from: number, count: number): readonly string[] =>
        Array.from({ length: count }, (_, index) => `bounds.thing-${from + index}`);
      await appendAll(call, names(0, manyStreams / 3), 1);
      await readEach(client, names(0, 2_000));
      const before = node.unsharedMemory();
      await appendAll(call, names(manyStreams / 3, manyStreams), 1);
      await readEach(client, names(manyStreams, 2_000));
      const growth = node.unsharedMemory() - before;
      assert.ok(growth < 40 * mebibyte, `${growth} KiB more for ${manyStreams} streams more`);
      assert.ok(node.unsharedMemory() < 200 * mebibyte, `${node.unsharedMemory()} KiB`);
      await call.end();
    }));

  const keepsNoLongNames = (): Mocha.Test =>
    it('takes no more memory for stream names of 64 KiB', () =>
      withNode(`${home.path}/names-${randomUUID()}`, async ({ node, client }) => {
        const call = openBatch(client);
        const names = (from: number, count: number): readonly string[] =>
          Array.from({ length: count }, (_, index) => `${'x'.repeat(64 * 1024)}-${from + index}`);
        await appendAll(call, names(0, 400), 1);
        const before = node.unsharedMemory();
        // Kept, they would take 100 MiB besides what work takes for a while.
        for (let from = 400; from < 2_000; from += 400) await appendAll(call, names(from, 400), 1);
        await readEach(client, names(0, 50));
        const growth = node.unsharedMemory() - before;
        assert.ok(growth < 85 * mebibyte, `${growth} KiB more`);
        await call.end();
      }));
  // The test above finds names that are kept, too, in less time.
  if (sized({ short: false, long: true })) keepsNoLongNames();

  it(`delivers every event to ${crowdSize} live subscriptions, and goes on when half of them leave`, () =>
    withNode(`${home.path}/crowd`, async ({ node, client }) => {
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
    withNode(`${home.path}/room`, async ({ node, client }) => {
      const full = connectTo(node);
      const following = Array.from({ length: mostCalls }, () => follow(full, { from: 'end' }));
      for (const one of following) await followedTexts(one, 2);
      let answered = false;
      const waiting = append(full, { stream: 'a', events: several(1) }).finally(() => {
        answered = true;
      });
      // Another connection has room, and its answer comes although it asked later.
      appended(await append(client, { stream: 'b', events: several(1) }));
      assert.equal(answered, false);
      following[0]?.cancel();
      assert.equal(appended(await waiting).revision, 0);
      full.close();
    }));
});
