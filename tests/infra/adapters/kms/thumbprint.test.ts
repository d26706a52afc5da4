import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { importPrivate, okpJwk, signWith, thumbprintOf } from '../../../../infra/adapters/kms/signing-key';

const ed25519 = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
};

describe('the id of a key', () => {
  it('is that of RFC 7638 section 3.1', () =>
    assert.equal(
      thumbprintOf({
        kty: 'RSA',
        n:
          '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknj' +
          'hMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQ' +
          'vRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw',
        e: 'AQAB',
      }),
      'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
    ));

  it('is that of RFC 8037 appendix A.3', () =>
    assert.equal(okpJwk(ed25519.x).kid, 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'));
});

describe('an Ed25519 key', () => {
  it('signs as RFC 8037 appendix A.4 shows', () => {
    const der = createPrivateKey({ key: ed25519, format: 'jwk' }).export({ format: 'der', type: 'pkcs8' });
    const key = importPrivate(der);
    assert.ok(key !== undefined);
    assert.equal('x' in key.jwk && key.jwk.x, ed25519.x);
    const signed = signWith(key, Buffer.from('eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc'));
    assert.equal(
      Buffer.from(signed).toString('base64url'),
      'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
    );
  });

  it('differs from keys of other types', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
    assert.equal(importPrivate(privateKey.export({ format: 'der', type: 'pkcs8' })), undefined);
  });
});
