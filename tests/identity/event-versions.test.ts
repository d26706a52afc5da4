import assert from 'node:assert/strict';
import { issuance } from '../../domain/identity/issuance/events';
import { historyOf } from '../support/domain/event-history';

const lines = historyOf('identity');

describe('identity events of every version ever written', () => {
  it('names no token and no secret', () => {
    const fields = lines.flatMap(({ data }) => Object.keys(data as object));
    // How tokens are made, not what is in them.
    const settings = ['idTokenAlgorithm', 'idTokenClaims', 'personClaimsInIdToken'];
    assert.deepEqual(
      fields.filter((field) => /token|secret(?!Hash)/i.test(field) && !settings.includes(field)),
      [],
    );
  });

  it('declares the address of a person as personal', () =>
    assert.deepEqual(issuance.secrets.TokenIssued, ['sourceIp']));
});
