/** What holds of every aggregate and process of the domain: their events survive JSON, and the history has every version of each. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { aggregates } from '../../../domain/aggregates';
import { contexts } from '../../../domain/contexts';
import { processEvents } from '../../../domain/kernel/process-events';
import { survivesJson } from '../../support/domain/arbitrary';
import { type Line, recordedHistory } from '../../support/domain/event-history';

const history: readonly Line[] = recordedHistory();
/** The kernel's own events are of no context. */
const ofContext = ({ family }: (typeof aggregates)[number]): readonly string[] =>
  family.storedTypes.filter((type) => !processEvents.storedTypes.includes(type));

describe('the events of every aggregate', () => {
  it('are in streams of their own', () => {
    const categories = aggregates.map(({ family }) => family.category);
    assert.deepEqual([...new Set(categories)], categories);
    for (const { family } of aggregates) assert.ok(contexts.some(({ name }) => name === family.context));
  });

  it('are all that was ever recorded', () => {
    const known = new Set(aggregates.flatMap(({ family }) => family.storedTypes));
    assert.deepEqual(
      history.filter(({ type }) => !known.has(type)),
      [],
    );
  });

  for (const aggregate of aggregates) {
    const { family } = aggregate;
    it(`come back the same from JSON: ${family.category}`, () =>
      survivesJson(family as unknown as Parameters<typeof survivesJson>[0]));

    it(`are in the history in every version, and decode: ${family.category}`, () => {
      for (const storedType of ofContext(aggregate)) {
        const recorded = history.filter(({ type }) => type === storedType);
        assert.ok(recorded.length > 0, `the history has no ${storedType}`);
        for (const { type, data } of recorded) assert.ok(isRight(family.decode(type, data)), type);
      }
    });
  }
});
