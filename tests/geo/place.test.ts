import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft, isRight, right } from 'fp-ts/Either';
import type { EntityId } from '../../domain/geo/ids';
import { type PlaceCommand, type PlaceState, place } from '../../domain/geo/place/decider';
import { places } from '../../domain/geo/place/events';
import type { LocalDate, OpeningInterval } from '../../domain/geo/place/opening-hours';
import { Place } from '../../domain/geo/place/place';
import { fold } from '../../domain/kernel/decider';
import { survivesJson, twiceIsOnce, valuesOf } from '../support/domain/arbitrary';
import { historyOf } from '../support/domain/event-history';

const entityId = 'place-1' as EntityId;

/** Commands for one place: each version has one content, as a source's has. */
const feed: fc.Arbitrary<readonly PlaceCommand[]> = fc
  .array(fc.oneof(valuesOf(Place), fc.constant(undefined)), { minLength: 1, maxLength: 8 })
  .map((contents) =>
    contents.map(
      (content, sourceVersion): PlaceCommand =>
        content === undefined
          ? { type: 'RemovePlace', entityId, source: 'feed', sourceVersion, occurredAt: null }
          : { type: 'RecordPlace', place: { ...content, entityId, sourceVersion } },
    ),
  );

const stateAfter = (commands: readonly PlaceCommand[]): PlaceState => {
  let state = place.initial;
  for (const command of commands) {
    const decided = place.decide(command, state);
    if (isRight(decided)) state = fold(place, state, decided.right);
  }
  return state;
};

const recorded = (sourceVersion: number, name: string): PlaceCommand => {
  const [line] = historyOf('geo');
  return { type: 'RecordPlace', place: { ...(line?.data as unknown as Place), name, entityId, sourceVersion } };
};
const removed = (sourceVersion: number): PlaceCommand => ({
  type: 'RemovePlace',
  entityId,
  source: 'feed',
  sourceVersion,
  occurredAt: null,
});
const codeOf = (command: PlaceCommand, state: PlaceState): string | undefined => {
  const decided = place.decide(command, state);
  return isLeft(decided) ? decided.left.code : undefined;
};

describe('a place', () => {
  it('comes back from the log the same', () => survivesJson(places));

  it('decodes every version ever written', () => {
    const decoded = historyOf('geo')
      .filter(({ type }) => places.storedTypes.includes(type))
      .map(({ type, data }) => [type, places.decode(type, data)] as const);
    assert.deepEqual([...new Set(decoded.map(([type]) => type))].toSorted(), [...places.storedTypes].toSorted());
    assert.ok(decoded.every(([, event]) => isRight(event)));
  });

  it('is the same whatever the order of its changes, and however often they are repeated', () =>
    fc.assert(
      fc.property(
        feed.chain((commands) =>
          fc.tuple(
            fc.constant(commands),
            fc.array(fc.constantFrom(...commands), { maxLength: 24 }),
            fc.shuffledSubarray([...commands], { minLength: commands.length }),
          ),
        ),
        ([commands, replayed, shuffled]) => {
          const expected = stateAfter(commands);
          assert.deepEqual(stateAfter(shuffled), expected);
          assert.deepEqual(stateAfter([...replayed, ...shuffled, ...replayed]), expected);
        },
      ),
    ));

  it('has one event for a change that is repeated', () =>
    twiceIsOnce(
      place,
      feed.map(([command]) => command as PlaceCommand),
    ));

  it('stays removed when an older change arrives later', () => {
    const state = stateAfter([removed(7), recorded(6, 'Older'), recorded(7, 'As old')]);
    assert.deepEqual(state, { kind: 'removed', sourceVersion: 7 });
    assert.equal(codeOf(recorded(6, 'Older'), state), 'version-outdated');
  });

  it('comes back by a newer version', () => {
    const state = stateAfter([recorded(1, 'First'), removed(2), recorded(3, 'Again')]);
    assert.equal(state.kind === 'recorded' && state.place.name, 'Again');
  });

  it('refuses other content under a version that counted', () => {
    const state = stateAfter([recorded(2, 'One')]);
    assert.equal(codeOf(recorded(2, 'Other'), state), 'version-reused');
    assert.equal(codeOf(removed(2), state), 'version-reused');
    assert.deepEqual(place.decide(recorded(2, 'One'), state), right([]));
  });

  it('refuses what is out of bounds', () => {
    const [line] = historyOf('geo');
    const refused = (fields: object): boolean => isLeft(Place.decode({ ...line?.data, ...fields }));
    assert.equal(refused({}), false);
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`a${index}`, true]));
    const interval: OpeningInterval & { day: number } = { day: 1, open: '09:00', close: '18:00' };
    const noDay = '2026-02-30' as LocalDate;
    const hours = (fields: object) => ({ hours: { tz: 'Europe/Paris', weekly: [], exceptions: [], ...fields } });
    for (const fields of [
      { lat: 90.000001 },
      { lng: -180.000001 },
      { lat: Number.NaN },
      { lat: '48.8' },
      { name: '' },
      { name: 'x'.repeat(201) },
      { name: 'lone \ud800' },
      { category: 'Fast Food' },
      { attributes: many },
      { attributes: { 'Not a name': true } },
      { attributes: { nested: { deep: true } } },
      { rating: { average: 5.1, count: 1 } },
      { popularity: -1 },
      { status: 'deleted' },
      { sourceVersion: 1.5 },
      hours({ weekly: [{ ...interval, day: 0 }] }),
      hours({ weekly: [{ ...interval, open: '24:00' }] }),
      hours({ weekly: Array.from({ length: 57 }, () => interval) }),
      hours({ exceptions: [{ date: noDay, intervals: [] }] }),
    ])
      assert.ok(refused(fields), JSON.stringify(fields));
  });
});
