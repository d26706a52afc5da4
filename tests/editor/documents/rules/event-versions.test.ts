import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { documents } from '../../../../domain/editor/document/events';
import { historyOf } from '../../../support/domain/event-history';

const lines = historyOf('editor');

describe('events of documents, every version ever written', () => {
  for (const storedType of documents.storedTypes)
    it(`has ${storedType} on record, and decodes it`, () => {
      const recorded = lines.filter(({ type }) => type === storedType);
      assert.ok(recorded.length > 0);
      for (const { data } of recorded) assert.ok(isRight(documents.decode(storedType, data)));
    });
});
