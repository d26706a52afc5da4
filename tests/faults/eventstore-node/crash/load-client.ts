/** One client of the mixed load: appends with every expected revision, metadata, links, deletes and tombstones. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  type Expected,
  type Proposed,
  proposed,
  several,
} from '../../../contracts/eventstore-node/protocol/harness/stream-requests';
import type { SeededRandom } from '../../../support/random/seeded-random';
import { type Connection, type Operation, type Outcome, performOperation } from './client-operations';
import { queueStream } from './persistent-subscription';

export const sharedStreams = ['shared-0', 'shared-1', 'shared-2', 'shared-3', 'shared-4'] as const;

export interface Journal {
  readonly operations: Operation[];
  /** Called at every acknowledgement. */
  readonly acknowledged: () => void;
}

interface Worker {
  readonly connection: Connection;
  readonly journal: Journal;
  readonly random: SeededRandom;
  /** The only writer of this stream, so that it knows the revision. */
  own: string;
  last: number;
}

const operate = async ({ connection, journal }: Worker, operation: Omit<Operation, 'outcome'>): Promise<Outcome> => {
  const made: Operation = { ...operation, outcome: 'gone' };
  journal.operations.push(made);
  const outcome = await performOperation(connection, made);
  if (outcome !== 'gone') journal.acknowledged();
  return outcome;
};

const appendTo = (worker: Worker, stream: string, expected: Expected, events: readonly Proposed[]): Promise<Outcome> =>
  operate(worker, { kind: 'append', stream, expected, events });

const lastOf = ({ last }: Worker): Expected => (last < 0 ? 'no_stream' : last);

const takeNewStream = (worker: Worker): void => {
  worker.own = `own-${randomUUID()}`;
  worker.last = -1;
};

const appendToOwn = async (worker: Worker): Promise<Outcome> => {
  const events = several(1 + worker.random.below(10));
  const expected = worker.random.chance(0.1) ? 'any' : lastOf(worker);
  const outcome = await appendTo(worker, worker.own, expected, events);
  assert.notEqual(outcome, 'refused', `${worker.own} at ${worker.last}`);
  if (outcome !== 'gone') worker.last += events.length;
  return outcome;
};

const appendToShared = (worker: Worker): Promise<Outcome> =>
  appendTo(
    worker,
    worker.random.pick(sharedStreams),
    worker.random.chance(0.8) ? 'any' : 'stream_exists',
    several(1 + worker.random.below(10)),
  );

const appendToQueue = (worker: Worker): Promise<Outcome> =>
  appendTo(worker, queueStream, 'any', several(1 + worker.random.below(3)));

const appendWrongly = async (worker: Worker): Promise<Outcome> => {
  const outcome = await appendTo(worker, worker.own, worker.last + 5, several(2));
  assert.ok(outcome === 'refused' || outcome === 'gone', 'a wrong revision was taken');
  return outcome;
};

const link = (worker: Worker): Promise<Outcome> => {
  const target = `${worker.random.below(worker.last + 1)}@${worker.own}`;
  return appendTo(worker, 'links', 'any', [proposed({ type: '$>', data: Buffer.from(target) })]);
};

const setMetadata = (worker: Worker): Promise<Outcome> => {
  const data = Buffer.from(JSON.stringify({ $maxCount: 1 + worker.random.below(20), owner: 'load' }));
  return appendTo(worker, `$$${worker.own}`, 'any', [proposed({ type: '$metadata', data })]);
};

const deleteOwn = async (worker: Worker): Promise<Outcome> => {
  if (worker.last < 0) return appendToOwn(worker);
  const outcome = await operate(worker, { kind: 'delete', stream: worker.own, expected: worker.last, events: [] });
  assert.notEqual(outcome, 'refused');
  return outcome;
};

const deleteShared = (worker: Worker): Promise<Outcome> =>
  operate(worker, { kind: 'delete', stream: worker.random.pick(sharedStreams), expected: 'any', events: [] });

const endOwn = async (worker: Worker): Promise<Outcome> => {
  const { own, last } = worker;
  const outcome = await operate(worker, { kind: 'tombstone', stream: own, expected: lastOf(worker), events: [] });
  assert.notEqual(outcome, 'refused', `${own} at ${last}`);
  takeNewStream(worker);
  return outcome;
};

/** As often as they stand here. */
const steps = [
  ...Array.from({ length: 9 }, () => appendToOwn),
  ...Array.from({ length: 7 }, () => appendToShared),
  ...Array.from({ length: 3 }, () => appendToQueue),
  ...[appendWrongly, link, setMetadata, deleteOwn, deleteShared, endOwn],
];

/** Ends when the node is gone. */
export const runLoadClient = async (journal: Journal, connection: Connection, random: SeededRandom): Promise<void> => {
  const worker: Worker = { connection, journal, random, own: '', last: -1 };
  takeNewStream(worker);
  while ((await random.pick(steps)(worker)) !== 'gone');
};
