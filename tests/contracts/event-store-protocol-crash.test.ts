/** kill -9 under load: what was acknowledged is there, once and whole; what was not may be, once and whole. */
import assert from 'node:assert/strict';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { temporaryDirectory } from '../support/event-store-node';
import { read } from './event-store-protocol/calls';
import { account } from './event-store-protocol/crash/accounts';
import { killUnderLoad, killWhileStarting } from './event-store-protocol/crash/kills';
import { emptyLog, type Log, type Recorded, readOn } from './event-store-protocol/crash/log';
import { type Operation, overAppend, perform } from './event-store-protocol/crash/operations';
import { freshSeed, type Random, randomFrom } from './event-store-protocol/crash/random';
import { checkStreams } from './event-store-protocol/crash/streams';
import { withNode } from './event-store-protocol/local-node';
import { eventsOf } from './event-store-protocol/replies';
import { givenUrl } from './event-store-protocol/server';

/** Logs that are loaded and killed beside each other: most of a round is a start, which one processor is enough for. */
const logs = 2;
const killsPerLog = 100;
const killsWhileStarting = 0.3;

const seed = Number(process.env.CRASH_SEED ?? freshSeed());

/** What stands after what was read so far, checked as it is read. */
const readRest = async (client: StreamsClient, log: Log): Promise<readonly Recorded[]> => {
  const from = log.position === 0n ? ('start' as const) : log.position;
  const { replies, failed } = await read(client, { from, count: 10_000_000 });
  assert.equal(failed, undefined);
  const events = eventsOf({ replies, failed });
  const rest = from === 'start' ? events : events.slice(1);
  readOn(log, rest);
  return rest;
};

/** A client that got no answer asks again with the same ids. `stream_exists` may be refused by then: it was deleted. */
const askAgain = async (client: StreamsClient, operations: readonly Operation[]): Promise<readonly Operation[]> => {
  const lost = operations.filter(
    ({ kind, outcome, expected }) => kind === 'append' && outcome === 'gone' && expected !== 'stream_exists',
  );
  const connection = overAppend(client);
  for (const operation of lost) await perform(connection, operation);
  return lost;
};

const checkRound = async (client: StreamsClient, log: Log, operations: readonly Operation[]): Promise<void> => {
  const found = await readRest(client, log);
  const absent = account(operations, found);
  const asked = await askAgain(client, operations);
  const added = await readRest(client, log);
  account(operations, [...found, ...added]);
  const written = asked.filter((operation) => absent.includes(operation) && operation.outcome !== 'refused');
  const events = written.reduce((sum, operation) => sum + operation.events.length, 0);
  assert.ok(added.length >= events, 'what was there already is not written again');
  await checkStreams(client, log);
};

const killAgainAndAgain = async (data: string, random: Random): Promise<number> => {
  const log = emptyLog();
  let operations: readonly Operation[] = [];
  for (let kill = 0; kill < killsPerLog; kill += 1) {
    if (random.chance(killsWhileStarting)) {
      await killWhileStarting(data, random);
      continue;
    }
    operations = await withNode(data, async (local) => {
      await checkRound(local.client, log, operations);
      return killUnderLoad(local, random);
    });
  }
  return withNode(data, async ({ client }) => {
    await checkRound(client, log, operations);
    const whole = emptyLog();
    await readRest(client, whole);
    assert.deepEqual([...whole.ids], [...log.ids]);
    return whole.ids.size;
  });
};

describe('embedded node under kill -9', function () {
  this.timeout(240_000);
  const homes = Array.from({ length: logs }, () => temporaryDirectory('crash'));
  before(function () {
    if (givenUrl !== undefined) this.skip();
  });
  after(() => {
    for (const home of homes) home.remove();
  });

  it(`keeps exactly what it acknowledged over ${logs * killsPerLog} kills (CRASH_SEED=${seed})`, async () => {
    const random = randomFrom(seed);
    const events = await Promise.all(homes.map(({ path }) => killAgainAndAgain(path, random.fork())));
    for (const count of events) assert.ok(count > killsPerLog, `${count} events`);
  });
});
