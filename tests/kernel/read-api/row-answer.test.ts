import assert from 'node:assert/strict';
import * as t from 'io-ts';
import { fieldsOf, integer, record, text } from '../../../domain/kernel/codec';
import { answerFields, toResponseOf } from '../../../read-api/kernel/row-answer';

const Row = record('AnsweredRow', {
  tenantId: text('TenantId', { maxLength: 63 }),
  thingId: text('ThingId', { maxLength: 64 }),
  size: integer(0),
  plainName: t.string,
  revision: integer(0),
});
const row = { tenantId: 'acme', thingId: 't-1', size: 3, plainName: 'lamp', revision: 4 };

describe('answers of rows', () => {
  it('have the fields of the row, but not the tenant, the revision and those that are named', () => {
    const fields = answerFields(Row, 'plainName');
    assert.deepEqual(Object.entries(fields), Object.entries(fieldsOf(Row)).slice(1, 3));
  });

  it('show of a row what they have, and nothing else', () => {
    const Answer = record('Answer', { ...answerFields(Row, 'plainName'), name: t.string });
    assert.deepEqual(toResponseOf(Answer)({ ...row, name: 'Lamp' }), { thingId: 't-1', size: 3, name: 'Lamp' });
    // @ts-expect-error The row has no name.
    toResponseOf(Answer)(row);
  });

  it('are not made of a codec that is no record', () => {
    assert.throws(() => fieldsOf(t.string), /string is not a record of required fields/);
  });
});
