/** kill -9 under load: what was acknowledged is there, once and whole; what was not may be, once and whole. */

import assert from 'node:assert/strict';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { type LocalNode, withNode } from '../../../contracts/eventstore-node/protocol/harness/local-node';
import { read } from '../../../contracts/eventstore-node/protocol/harness/raw-calls';
import { eventsOf } from '../../../contracts/eventstore-node/protocol/harness/replies';
import { foreignLog, givenUrl } from '../../../contracts/eventstore-node/protocol/harness/server-under-test';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { freshSeed, type SeededRandom, seededRandom } from '../../../support/random/seeded-random';
import { skip } from '../../../support/runner/skip';
import { type Operation, overAppend, performOperation } from './client-operations';
import { killUnderLoad, killWhileStarting } from './kill-node';
import { emptyLog, type Log, type Recorded, verifyLogFurther } from './log-invariants';
import {
  createQueue,
  drainQueue,
  emptyQueue,
  followCheckpoints,
  type Queue,
  queueStream,
} from './persistent-subscription';
import { verifyOutcomes } from './verify-outcomes';
import { verifyStreams } from './verify-streams';

/** Loaded and killed beside each other: most of a round is a start, which one processor is enough for. */
const logs = 2;
const killsPerLog = 50;
const killsWhileStarting = 0.3;

const seed = Number(process.env.CRASH_SEED ?? freshSeed());

/** What is known of a log from outside. */
interface Known {
  readonly log: Log;
  readonly queue: Queue;
}

/** What stands after what was read so far, checked as it is read. */
const readRest = async (client: StreamsClient, { log, queue }: Known): Promise<readonly Recorded[]> => {
  const from = log.position === 0n ? ('start' as const) : log.position;
  const { replies, failed } = await read(client, { from, count: 10_000_000 });
  assert.equal(failed, undefined);
  const events = eventsOf({ replies, failed });
  const rest = from === 'start' ? events : events.slice(1);
  verifyLogFurther(log, rest);
  followCheckpoints(queue, rest);
  return rest;
};

/** A client without an answer retries with the same ids. `stream_exists` may be refused by then: the stream was deleted. */
const retryUnanswered = async (
  client: StreamsClient,
  operations: readonly Operation[],
): Promise<readonly Operation[]> => {
  const lost = operations.filter(
    ({ kind, outcome, expected }) => kind === 'append' && outcome === 'gone' && expected !== 'stream_exists',
  );
  const connection = overAppend(client);
  for (const operation of lost) await performOperation(connection, operation);
  return lost;
};

const checkRound = async (client: StreamsClient, known: Known, operations: readonly Operation[]): Promise<void> => {
  const found = await readRest(client, known);
  const absent = verifyOutcomes(operations, found);
  const retried = await retryUnanswered(client, operations);
  const added = await readRest(client, known);
  verifyOutcomes(operations, [...found, ...added]);
  const written = retried.filter((operation) => absent.includes(operation) && operation.outcome !== 'refused');
  const events = written.reduce((sum, operation) => sum + operation.events.length, 0);
  assert.ok(added.length >= events, 'what was there already is not written again');
  await verifyStreams(client, known.log);
};

/** A read of everything equals what was read piece by piece; the queue left nothing out. */
const checkWhole = async ({ node, client }: LocalNode, { log, queue }: Known): Promise<number> => {
  const queued = log.streams.get(queueStream)?.next ?? 0;
  await drainQueue(node, queue, queued);
  const whole = { log: emptyLog(), queue: { acknowledged: queue.acknowledged, checkpoint: -1 } };
  await readRest(client, whole);
  assert.deepEqual([...whole.log.ids].slice(0, log.ids.size), [...log.ids]);
  assert.ok(queue.checkpoint > 0 && queued > 0, `checkpoint ${queue.checkpoint} of ${queued} in the queue`);
  return whole.log.ids.size;
};

const killAgainAndAgain = async (data: string, random: SeededRandom): Promise<number> => {
  const known = { log: emptyLog(), queue: emptyQueue() };
  let operations: readonly Operation[] = [];
  await withNode(data, ({ node }) => createQueue(node));
  for (let kill = 0; kill < killsPerLog; kill += 1) {
    if (random.chance(killsWhileStarting)) {
      await killWhileStarting(data, random);
      continue;
    }
    operations = await withNode(data, async (local) => {
      await checkRound(local.client, known, operations);
      return killUnderLoad(local, known.queue, random);
    });
  }
  return withNode(data, async (local) => {
    await checkRound(local.client, known, operations);
    return checkWhole(local, known);
  });
};

describe('embedded node under kill -9', function () {
  this.timeout(480_000);
  const homes = Array.from({ length: logs }, () => temporaryDirectory('crash'));
  before(function () {
    if (givenUrl !== undefined) skip(this, foreignLog);
  });
  after(() => {
    for (const home of homes) home.remove();
  });

  it(`keeps exactly what it acknowledged over ${logs * killsPerLog} kills (CRASH_SEED=${seed})`, async () => {
    const random = seededRandom(seed);
    const events = await Promise.all(homes.map(({ path }) => killAgainAndAgain(path, random.fork())));
    for (const count of events) assert.ok(count > killsPerLog, `${count} events`);
  });
});
