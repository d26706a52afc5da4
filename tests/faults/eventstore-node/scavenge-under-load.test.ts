/** Scavenges under load: nothing that may be read is lost, whatever becomes of the node. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import {
  type AcknowledgedWrites,
  appendUntilStopped,
  noAcknowledgedWrites,
  streamCap,
} from '../../contracts/eventstore-node/maintenance/concurrent-load';
import {
  scavenge,
  startScavenge,
  withMaintainedNode,
} from '../../contracts/eventstore-node/maintenance/scavenge-calls';
import { verifyByCommand, verifyInProcess } from '../../contracts/eventstore-node/maintenance/verify-log';
import { connectTo } from '../../contracts/eventstore-node/protocol/harness/local-node';
import { append, follow, read } from '../../contracts/eventstore-node/protocol/harness/raw-calls';
import { eventsOf, isFailed } from '../../contracts/eventstore-node/protocol/harness/replies';
import { foreignLog, givenUrl } from '../../contracts/eventstore-node/protocol/harness/server-under-test';
import { several } from '../../contracts/eventstore-node/protocol/harness/stream-requests';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { skip } from '../../support/runner/skip';

const streamOf = (event: { getStreamIdentifier(): { getStreamName_asU8(): Uint8Array } | undefined }): string =>
  Buffer.from(event.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();

const idsIn = async (client: StreamsClient, stream: string): Promise<readonly string[]> =>
  eventsOf(await read(client, { stream, count: 1_000_000 })).map((event) => event.getId()?.getString() ?? '');

/** What was acknowledged is there once and in its order; what was not may be. */
const checkRetained = async (client: StreamsClient, { retained, unknown }: AcknowledgedWrites): Promise<void> => {
  for (const [stream, ids] of retained) {
    const stored = await idsIn(client, stream);
    assert.deepEqual(
      stored.filter((id) => !unknown.has(id)),
      ids,
      stream,
    );
  }
};

const checkCapped = async (client: StreamsClient, { capped }: AcknowledgedWrites): Promise<void> => {
  for (const [stream, last] of capped) {
    const events = eventsOf(await read(client, { stream, count: 1_000 }));
    const revisions = events.map((event) => Number(event.getStreamRevision()));
    assert.equal(revisions.length, streamCap, stream);
    assert.deepEqual(
      revisions,
      revisions.map((_, index) => (revisions[0] ?? 0) + index),
    );
    assert.ok((revisions.at(-1) ?? 0) >= last, `${stream} ends at ${revisions.at(-1)}, ${last} was acknowledged`);
  }
};

/** The ids of kept events in the order of the log, until one of the stream `end` comes. */
const followRetained = async (client: StreamsClient): Promise<readonly string[]> => {
  const following = follow(client, {});
  const ids: string[] = [];
  let position = 0n;
  for (;;) {
    const reply = await following.next();
    if (isFailed(reply)) assert.fail(JSON.stringify(reply));
    const event = reply.getEvent()?.getEvent();
    if (event === undefined) continue;
    assert.ok(BigInt(event.getCommitPosition()) > position);
    position = BigInt(event.getCommitPosition());
    if (streamOf(event).startsWith('kept-')) ids.push(event.getId()?.getString() ?? '');
    if (streamOf(event) !== 'end') continue;
    following.cancel();
    return ids;
  }
};

/** Of all clients together: each has capped streams with more than their cap, and deleted ones. */
const turnsBeforeScavenge = 80;

const countTurns = () => {
  let done = 0;
  let goal = Number.POSITIVE_INFINITY;
  let reached: () => void = () => undefined;
  return {
    add: (): void => {
      done += 1;
      if (done >= goal) reached();
    },
    more: (turns: number): Promise<void> =>
      new Promise((resolve) => {
        goal = done + turns;
        reached = resolve;
      }),
  };
};

describe('scavenge under load', function () {
  this.timeout(240_000);
  const home = temporaryDirectory('scavenge-load');
  before(function () {
    if (givenUrl !== undefined) skip(this, foreignLog);
  });
  after(() => home.remove());

  it('loses nothing that may be read, to readers, subscribers and writers', async () => {
    const data = join(home.path, 'load');
    const writes = noAcknowledgedWrites();
    await withMaintainedNode(data, async (maintained, node) => {
      const clients = [0, 1, 2, 3].map(() => connectTo(node));
      let going = true;
      const turns = countTurns();
      const goesOn = (): boolean => {
        turns.add();
        return going;
      };
      const working = Promise.all(
        clients.map((client, index) => appendUntilStopped(client, String(index), writes, goesOn)),
      );
      const followed = followRetained(connectTo(node));
      let total = 0;
      for (let round = 0; round < 4; round += 1) {
        await turns.more(turnsBeforeScavenge);
        const completed = await scavenge(maintained);
        assert.equal(completed.result, 'Success', completed.error ?? '');
        total += completed.eventsRemoved;
        await checkCapped(maintained.client, writes);
        await verifyByCommand(data);
      }
      going = false;
      await working;
      await append(maintained.client, { stream: 'end', events: several(1) });
      assert.deepEqual((await followed).toSorted(), [...writes.retained.values()].flat().toSorted());
      await checkRetained(maintained.client, writes);
      assert.ok(total > 0);
      assert.equal(await node.stop(), 0);
    });
    const { removed } = await verifyInProcess(data);
    assert.ok(removed.events > 0);
  });

  it('is left whole by kill -9 at any moment of a scavenge, and finished by the next one', async () => {
    const data = join(home.path, 'kill');
    const writes = noAcknowledgedWrites();
    for (let round = 0; round < 12; round += 1) {
      await withMaintainedNode(data, async ({ operations }, node) => {
        const clients = [0, 1, 2].map(() => connectTo(node));
        let done = 0;
        const fatal = 20 + Math.floor(Math.random() * 200);
        let killed: Promise<void> | undefined;
        const goesOn = (): boolean => {
          done += 1;
          if (done % 10 === 0) void startScavenge(operations);
          if (done >= fatal) killed ??= node.kill();
          return true;
        };
        await Promise.all(
          clients.map((client, index) => appendUntilStopped(client, `${round}-${index}`, writes, goesOn)),
        );
        await killed;
        for (const client of clients) client.close();
      });
      await verifyInProcess(data);
    }
    await withMaintainedNode(data, async (maintained) => {
      assert.equal((await scavenge(maintained)).result, 'Success');
      assert.equal((await scavenge(maintained)).eventsRemoved, 0);
      await checkRetained(maintained.client, writes);
      await checkCapped(maintained.client, writes);
    });
    assert.ok((await verifyInProcess(data)).removed.events > 0);
  });
});
