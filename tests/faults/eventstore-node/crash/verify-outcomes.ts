/** Compares the stored events with the requests: everything acknowledged, nothing refused, nothing else. */
import assert from 'node:assert/strict';
import type { Operation } from './client-operations';
import { idOf, isHiding, positionOf, type Recorded, streamOf, truncationIn, typeOf } from './log-invariants';

interface Stored {
  readonly events: readonly Recorded[];
  /** Index by id. */
  readonly places: ReadonlyMap<string, number>;
}

/** An append's events stand together, all or none, at the expected revision; answers whether they are there. */
const isStored = ({ stream, expected, events, outcome }: Operation, stored: Stored): boolean => {
  const found = events.map(({ id }) => stored.places.get(id));
  const first = found[0];
  if (first === undefined) {
    assert.ok(typeof outcome !== 'bigint', `an append to ${stream} acknowledged at ${outcome} is lost`);
    assert.deepEqual(new Set(found), new Set([undefined]), 'half an append is there');
    return false;
  }
  assert.notEqual(outcome, 'refused', `a refused append to ${stream} is there`);
  assert.deepEqual(
    found,
    events.map((_, index) => first + index),
    'an append is torn apart',
  );
  if (typeof expected === 'number')
    assert.equal(stored.events[first]?.getStreamRevision(), String(expected + 1), `an append to ${stream}`);
  const last = stored.events[first + events.length - 1];
  if (typeof outcome === 'bigint') assert.equal(last === undefined ? -1n : positionOf(last), outcome);
  return true;
};

const writtenBy = (kind: 'delete' | 'tombstone', event: Recorded): boolean =>
  kind === 'tombstone'
    ? typeOf(event) === '$streamDeleted'
    : streamOf(event).startsWith('$$') && typeOf(event) === '$metadata' && isHiding(event);

const targetOf = ({ kind, stream }: Operation): string => (kind === 'delete' ? `$$${stream}` : stream);

/** The node writes deletes under ids of its own: they are known by what they are and where. */
const checkDeletes = (operations: readonly Operation[], own: readonly Recorded[]): void => {
  for (const kind of ['delete', 'tombstone'] as const) {
    const left = operations.filter((operation) => operation.kind === kind && operation.outcome !== 'refused');
    const events = own.filter((event) => writtenBy(kind, event));
    const positions = new Set(events.map(positionOf));
    for (const { outcome, stream } of left)
      assert.ok(typeof outcome !== 'bigint' || positions.has(outcome), `a ${kind} of ${stream} is lost`);
    const unanswered = left.filter(({ outcome }) => outcome === 'gone').map(targetOf);
    const answered = new Set(left.map(({ outcome }) => outcome));
    for (const event of events.filter((one) => !answered.has(positionOf(one)))) {
      const index = unanswered.indexOf(streamOf(event));
      assert.ok(index >= 0, `a ${kind} in ${streamOf(event)} that nobody asked for`);
      unanswered.splice(index, 1);
    }
  }
};

const isSystems = (event: Recorded): boolean => /^(\$\$)?\$[^$]/.test(streamOf(event));
const isReuse = (event: Recorded): boolean =>
  streamOf(event).startsWith('$$') && truncationIn(event) !== undefined && !isHiding(event);

/** `events` are what the operations may have written; answers the appends that are not there. */
export const verifyOutcomes = (operations: readonly Operation[], events: readonly Recorded[]): readonly Operation[] => {
  const appends = operations.filter(({ kind }) => kind === 'append');
  const stored = { events, places: new Map(events.map((event, index) => [idOf(event), index])) };
  const absent = appends.filter((operation) => !isStored(operation, stored));
  const proposed = new Set(appends.flatMap((operation) => operation.events.map(({ id }) => id)));
  const own = events.filter((event) => !proposed.has(idOf(event)) && !isSystems(event));
  checkDeletes(operations, own);
  for (const event of own)
    assert.ok(
      isReuse(event) || writtenBy('delete', event) || writtenBy('tombstone', event),
      `${typeOf(event)} in ${streamOf(event)} that nobody sent`,
    );
  return absent;
};
