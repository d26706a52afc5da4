import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft, isRight, right } from 'fp-ts/Either';
import type { EntityId } from '../../domain/geo/ids';
import { type PlaceCommand, type PlaceState, place } from '../../domain/geo/place/decider';
import type { LocalDate, OpeningInterval } from '../../domain/geo/place/opening-hours';
import { Place } from '../../domain/geo/place/place';
import { fold } from '../../domain/kernel/decider';
import { twiceIsOnce, valuesOf } from '../support/domain/arbitrary';
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
          : { type: 'RecordPlace', place: { ...content, entityId, source: 'feed', sourceVersion } },
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

const recorded = (sourceVersion: number, name: string, source = 'feed'): PlaceCommand => {
  const [line] = historyOf('geo');
  return { type: 'RecordPlace', place: { ...(line?.data as unknown as Place), name, entityId, source, sourceVersion } };
};
const removed = (sourceVersion: number, source = 'feed'): PlaceCommand => ({
  type: 'RemovePlace',
  entityId,
  source,
  sourceVersion,
  occurredAt: null,
});
const codeOf = (command: PlaceCommand, state: PlaceState): string | undefined => {
  const decided = place.decide(command, state);
  return isLeft(decided) ? decided.left.code : undefined;
};

describe('a place', () => {
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
    assert.deepEqual(state, { kind: 'removed', owner: 'feed', versions: { feed: 7 } });
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

  it('takes the changes of its own source only, whatever their version', () => {
    const state = stateAfter([recorded(2, 'One')]);
    for (const command of [recorded(1, 'Other', 'other'), recorded(3, 'Other', 'other'), removed(3, 'third')])
      assert.equal(codeOf(command, state), 'owned-by-another-source');
    assert.deepEqual(place.decide(recorded(2, 'One'), state), right([]));
    assert.equal(codeOf(recorded(3, 'Next'), state), undefined);
  });

  it('is recorded again by its own source only, once it is removed', () => {
    for (const state of [stateAfter([recorded(1, 'One'), removed(2)]), stateAfter([removed(2)])]) {
      assert.equal(codeOf(recorded(3, 'Other', 'other'), state), 'owned-by-another-source');
      assert.equal(codeOf(removed(3, 'other'), state), 'owned-by-another-source');
      assert.equal(codeOf(recorded(3, 'Again'), state), undefined);
    }
  });

  const handOver = (fromSource: string, toSource: string): PlaceCommand => ({
    type: 'HandOverPlace',
    entityId,
    fromSource,
    toSource,
  });

  it('is handed over, once, by the name of its source', () => {
    const made = stateAfter([recorded(1_767_225_600_000, 'One')]);
    assert.deepEqual(
      place.decide(handOver('feed', 'guide'), made),
      right([{ type: 'PlaceHandedOver', data: { entityId, fromSource: 'feed', toSource: 'guide' } }]),
    );
    assert.equal(codeOf(handOver('other', 'guide'), made), 'owned-by-another-source');
    assert.equal(codeOf(handOver('feed', 'guide'), place.initial), 'place-unknown');
    const state = stateAfter([recorded(1_767_225_600_000, 'One'), handOver('feed', 'guide')]);
    assert.deepEqual(place.decide(handOver('feed', 'guide'), state), right([]));
    assert.equal(state.kind === 'recorded' && state.place.name, 'One');
    assert.equal(codeOf(recorded(1_767_225_600_001, 'Late'), state), 'owned-by-another-source');
  });

  it('counts the versions of each source apart', () => {
    const history = [recorded(1_767_225_600_000, 'One'), handOver('feed', 'guide'), recorded(1, 'Two', 'guide')];
    const state = stateAfter(history);
    assert.equal(state.kind === 'recorded' && state.place.name, 'Two');
    assert.equal(codeOf(recorded(0, 'Older', 'guide'), state), 'version-outdated');
    const back = stateAfter([...history, handOver('guide', 'feed')]);
    assert.equal(codeOf(recorded(1_767_225_599_999, 'Older'), back), 'version-outdated');
    assert.equal(codeOf(recorded(1_767_225_600_001, 'Three'), back), undefined);
  });

  it('is handed over when it is removed, so that its new source may record it', () => {
    const state = stateAfter([recorded(1, 'One'), removed(2), handOver('feed', 'guide')]);
    assert.equal(codeOf(recorded(3, 'Again'), state), 'owned-by-another-source');
    assert.equal(codeOf(recorded(1, 'Again', 'guide'), state), undefined);
  });

  it('belongs to the source of its newest change where several had written before', () => {
    const events = [recorded(1, 'One', 'feed'), recorded(2, 'Two', 'other')].flatMap((command) =>
      command.type === 'RecordPlace' ? [{ type: 'PlaceRecorded' as const, data: command.place }] : [],
    );
    const state = fold(place, place.initial, events);
    assert.equal(codeOf(recorded(3, 'Three', 'feed'), state), 'owned-by-another-source');
    assert.equal(codeOf(recorded(3, 'Three', 'other'), state), undefined);
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
