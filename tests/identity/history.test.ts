import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRight } from 'fp-ts/Either';
import { issuance } from '../../domain/identity/issuance/events';
import { principals } from '../../domain/identity/principal/events';
import type { DomainEvent, Family } from '../../domain/kernel/family';

interface Line {
  readonly type: string;
  readonly data: unknown;
}

const lines = readFileSync(join(__dirname, '..', 'history', 'identity.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line);

const decodes = (family: Pick<Family<DomainEvent>, 'decode'>, { type, data }: Line): boolean =>
  isRight(family.decode(type, data));

describe('identity events of every version ever written', () => {
  for (const family of [principals, issuance])
    for (const storedType of family.storedTypes) {
      const recorded = lines.filter(({ type }) => type === storedType);
      it(`has ${storedType} on record`, () => assert.ok(recorded.length > 0));
      it(`decodes ${storedType}`, () => {
        for (const line of recorded) assert.ok(decodes(family, line));
      });
    }

  it('belongs to a family, line by line', () => {
    const known = [...principals.storedTypes, ...issuance.storedTypes];
    assert.deepEqual(
      lines.map(({ type }) => type).filter((type) => !known.includes(type)),
      [],
    );
  });

  it('names no token and no secret', () => {
    const fields = lines.flatMap(({ data }) => Object.keys(data as object));
    assert.deepEqual(
      fields.filter((field) => /token|secret(?!Hash)/i.test(field)),
      [],
    );
  });

  it('declares the address of a person as personal', () =>
    assert.deepEqual(issuance.secrets.TokenIssued, ['sourceIp']));
});
