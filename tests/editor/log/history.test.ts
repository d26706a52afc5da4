import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { type OperationLogEvent, operationLog } from '../../../domain/editor/operation-log/events';
import { evolveLog, initialLogState } from '../../../domain/editor/operation-log/state';
import { historyOf } from '../../support/domain/event-history';

const lines = historyOf('editor');

describe('events of document contents, every version ever written', () => {
  const events: OperationLogEvent[] = [];
  for (const storedType of operationLog.storedTypes)
    it(`has ${storedType} on record, and decodes it to what was written`, () => {
      const recorded = lines.filter(({ type }) => type === storedType);
      assert.ok(recorded.length > 0);
      for (const { data } of recorded) {
        const event = operationLog.decode(storedType, data);
        assert.ok(isRight(event));
        assert.deepEqual(event.right.data, data);
        events.push(event.right);
      }
    });

  it('folds to its epoch, its committed version and its snapshot version', () => {
    const state = events.reduce(evolveLog, initialLogState);
    assert.deepEqual(state, { epoch: 1, committedVersion: 5, snapshotVersion: 5 });
  });
});
