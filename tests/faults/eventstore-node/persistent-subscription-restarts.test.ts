/** Persistent subscriptions over restarts and kills of the node: every event comes, and none behind a checkpoint again. */

import assert from 'node:assert/strict';
import { append } from '../../contracts/eventstore-node/protocol/harness/raw-calls';
import { appended, isFailed } from '../../contracts/eventstore-node/protocol/harness/replies';
import { foreignLog, givenUrl } from '../../contracts/eventstore-node/protocol/harness/server-under-test';
import { freshStream, several } from '../../contracts/eventstore-node/protocol/harness/stream-requests';
import { succeeded } from '../../contracts/eventstore-node/protocol/persistent-subscriptions/harness/fixture';
import {
  Action,
  type Consumer,
  type Given,
  textsOf,
} from '../../contracts/eventstore-node/protocol/persistent-subscriptions/harness/manual-consumer';
import {
  type GroupNode,
  withGroups,
  withGroupsHere,
} from '../../contracts/eventstore-node/protocol/persistent-subscriptions/harness/restarted-node';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { skip } from '../../support/runner/skip';

const rounds = 8;
const eventsPerRound = 60;

const revisionOf = ({ event }: Given): number => Number(event.getEvent()?.getStreamRevision());

describe('embedded node: persistent subscriptions', function () {
  this.timeout(180_000);
  const home = temporaryDirectory('persistent');
  const name = () => ({ stream: freshStream('kept'), group: 'workers' });
  before(function () {
    if (givenUrl !== undefined) skip(this, foreignLog);
  });
  after(() => home.remove());

  const appendTo = async ({ streams }: GroupNode, stream: string, count: number): Promise<void> =>
    void appended(await append(streams, { stream, events: several(count) }));

  it('go on after a restart with exactly what was not acknowledged', async () => {
    const group = name();
    await withGroups(home.path, async (groups) => {
      await appendTo(groups, group.stream, 6);
      succeeded(await groups.calls.create(group, { minCheckpointCount: 100, maxCheckpointCount: 100 }));
      const consumer = await groups.consume(group);
      const given = await consumer.take(6);
      consumer.ack(...given.slice(0, 3));
      while (succeeded(await groups.calls.info(group)).getTotalInFlightMessages() > 3);
      assert.equal(await groups.node.stop(), 0);
      const end = await consumer.ended();
      assert.equal(end.details, 'Server Is Not Ready');
    });
    await withGroupsHere(home.path, async (groups) => {
      const consumer = await groups.consume(group);
      assert.deepEqual(textsOf(await consumer.take(3)), ['event 3', 'event 4', 'event 5']);
    });
  });

  it('keep what came after they were made at the end, though they never had a consumer', async () => {
    const [group, onAll] = [name(), { group: freshStream('group') }];
    await withGroups(home.path, async (groups) => {
      await appendTo(groups, group.stream, 2);
      succeeded(await groups.calls.create(group, { from: 'end' }));
      const filter = { on: 'stream', prefixes: [group.stream] } as const;
      succeeded(await groups.calls.create(onAll, { from: 'end', filter }));
      await appendTo(groups, group.stream, 2);
      await groups.node.kill();
    });
    await withGroupsHere(home.path, async (groups) => {
      for (const one of [group, onAll])
        assert.deepEqual(textsOf(await (await groups.consume(one)).take(2)), ['event 2', 'event 3']);
    });
  });

  it('keep their settings, changes included, and forget what was removed', async () => {
    const [group, removed] = [name(), name()];
    await withGroups(home.path, async (groups) => {
      for (const one of [group, removed]) succeeded(await groups.calls.create(one, { strategy: 'Pinned' }));
      succeeded(await groups.calls.update(group, { maxRetryCount: 3, messageTimeout: 1_234 }));
      succeeded(await groups.calls.remove(removed));
      await groups.node.kill();
    });
    await withGroupsHere(home.path, async (groups) => {
      const info = succeeded(await groups.calls.info(group));
      assert.deepEqual([info.getMaxRetryCount(), info.getMessageTimeoutMilliseconds()], [3, 1_234]);
      assert.ok(isFailed(await groups.calls.info(removed)));
    });
  });

  it('keep what is parked, and what is being replayed until it is acknowledged', async () => {
    const group = name();
    await withGroups(home.path, async (groups) => {
      await appendTo(groups, group.stream, 3);
      succeeded(await groups.calls.create(group));
      const consumer = await groups.consume(group);
      consumer.nack(Action.PARK, ...(await consumer.take(3)));
      while (succeeded(await groups.calls.info(group)).getParkedMessageCount() !== '3');
      succeeded(await groups.calls.replay(group));
      await consumer.take(3);
      await groups.node.kill();
    });
    await withGroupsHere(home.path, async (groups) => {
      assert.equal(succeeded(await groups.calls.info(group)).getParkedMessageCount(), '3');
      succeeded(await groups.calls.replay(group));
      assert.equal((await (await groups.consume(group)).take(3)).length, 3);
    });
  });

  /** Acknowledges most of what it is given, refuses some, until the node is gone. */
  const work = async (consumer: Consumer, take: (given: Given) => boolean): Promise<void> => {
    for (;;) {
      const given = await consumer.next();
      if (isFailed(given)) return;
      if (take(given)) consumer.ack(given);
      else consumer.nack(Action.RETRY, given);
    }
  };

  it(`give every event over ${rounds} kills under load, and none behind a checkpoint again`, async () => {
    const group = name();
    const acknowledged = new Set<number>();
    let checkpoint = -1;
    let taken = 0;
    const take = (given: Given): boolean => {
      assert.ok(revisionOf(given) > checkpoint, `${given.text} after a checkpoint at ${checkpoint}`);
      taken += 1;
      if (taken % 7 === 3) return false;
      acknowledged.add(revisionOf(given));
      return true;
    };
    const round = (settle: (groups: GroupNode, working: Promise<unknown>) => Promise<void>): Promise<void> =>
      withGroups(home.path, async (groups) => {
        const consumers = [await groups.consume(group, 5), await groups.consume(group, 5)];
        const working = consumers.map((consumer) => work(consumer, take));
        await settle(groups, Promise.all(working));
      });
    const checkpointOf = async ({ calls }: GroupNode): Promise<number> =>
      Number(succeeded(await calls.info(group)).getLastCheckpointedEventPosition() || -1);
    await withGroupsHere(home.path, async ({ calls }) => {
      succeeded(await calls.create(group, { maxCheckpointCount: 5, maxRetryCount: 1_000 }));
    });
    for (let count = 1; count <= rounds; count += 1)
      await round(async (groups, working) => {
        await appendTo(groups, group.stream, eventsPerRound);
        const enough = count * eventsPerRound - Math.floor(Math.random() * eventsPerRound);
        while (acknowledged.size < enough) checkpoint = Math.max(checkpoint, await checkpointOf(groups));
        await groups.node.kill();
        await working;
      });
    await round(async (groups, working) => {
      while ((await checkpointOf(groups)) < rounds * eventsPerRound - 1);
      await groups.node.kill();
      await working;
    });
    assert.equal(acknowledged.size, rounds * eventsPerRound);
  });
});
