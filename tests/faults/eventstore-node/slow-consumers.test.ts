/** Consumers of persistent subscriptions that stop reading: the node keeps nothing for them but places, others go on. */

import assert from 'node:assert/strict';
import { append } from '../../contracts/eventstore-node/protocol/harness/raw-calls';
import { appended } from '../../contracts/eventstore-node/protocol/harness/replies';
import { foreignLog, givenUrl } from '../../contracts/eventstore-node/protocol/harness/server-under-test';
import { freshStream, proposed, several } from '../../contracts/eventstore-node/protocol/harness/stream-requests';
import { succeeded } from '../../contracts/eventstore-node/protocol/persistent-subscriptions/harness/fixture';
import {
  type Given,
  textsOf,
} from '../../contracts/eventstore-node/protocol/persistent-subscriptions/harness/manual-consumer';
import {
  type GroupNode,
  withGroupsHere,
} from '../../contracts/eventstore-node/protocol/persistent-subscriptions/harness/restarted-node';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { retainedBytes, settledBytes } from '../../support/runner/retained-memory';
import { skip } from '../../support/runner/skip';

const groupsOnOne = 20;
const largeEvents = 50;
const largeBytes = 60_000;
/** Kept for each group, the events would take 60 MB more; what is on its way to all of them takes 29 once it has arrived. */
const mostGrowth = 40 * 1024 * 1024;

const revisionsOf = (given: readonly Given[]): readonly number[] =>
  given.map(({ event }) => Number(event.getEvent()?.getStreamRevision()));

describe('embedded node with slow consumers of persistent subscriptions', function () {
  this.timeout(120_000);
  const home = temporaryDirectory('slow-consumers');
  before(function () {
    if (givenUrl !== undefined) skip(this, foreignLog);
  });
  after(() => home.remove());

  const appendLarge = async ({ streams }: Pick<GroupNode, 'streams'>, stream: string): Promise<void> => {
    const data = Buffer.alloc(largeBytes, 'x');
    for (let sent = 0; sent < largeEvents; sent += 5)
      appended(await append(streams, { stream, events: Array.from({ length: 5 }, () => proposed({ data })) }));
  };

  it(`bounds the memory of ${groupsOnOne} groups of large events without readers, then delivers everything`, () =>
    withGroupsHere(`${home.path}/large`, async (groups) => {
      const stream = freshStream('large');
      await appendLarge(groups, freshStream('warm'));
      const names = Array.from({ length: groupsOnOne }, (_, index) => ({ stream, group: `group-${index}` }));
      const consumers = [];
      for (const name of names) {
        succeeded(await groups.calls.create(name));
        consumers.push(await groups.consume(name, 1_000_000));
      }
      const before = await retainedBytes();
      await appendLarge(groups, stream);
      const growth = (await settledBytes()) - before;
      assert.ok(growth < mostGrowth, `${growth} bytes more`);
      const [late] = consumers;
      assert.ok(late !== undefined);
      const revisions = revisionsOf(await late.take(largeEvents));
      assert.deepEqual(
        revisions,
        Array.from({ length: largeEvents }, (_, index) => index),
      );
    }));

  it('gives a consumer that does not read only its own share, and the rest to the other', () =>
    withGroupsHere(`${home.path}/share`, async ({ streams, calls, consume }) => {
      const name = { stream: freshStream('share'), group: 'workers' };
      succeeded(await calls.create(name));
      await consume(name, 5);
      const reading = await consume(name, 5);
      appended(await append(streams, { stream: name.stream, events: several(200) }));
      const seen: number[] = [];
      while (seen.length < 195) {
        const given = await reading.take(1);
        reading.ack(...given);
        seen.push(...revisionsOf(given));
      }
      assert.equal(new Set(seen).size, 195);
      // The last acknowledgements are on their way.
      while (succeeded(await calls.info(name)).getTotalInFlightMessages() !== 5);
    }));

  it('gives what a consumer holds and does not read to another when its time is over', () =>
    withGroupsHere(`${home.path}/time`, async ({ streams, calls, consume }) => {
      const name = { stream: freshStream('time'), group: 'workers' };
      succeeded(await calls.create(name, { messageTimeout: 200 }));
      appended(await append(streams, { stream: name.stream, events: several(1) }));
      await consume(name, 1);
      const reading = await consume(name, 1);
      const [given] = await reading.take(1);
      assert.ok(given !== undefined);
      assert.match(textsOf([given])[0] ?? '', /^event 0 retry \d+$/);
      reading.ack(given);
    }));
});
