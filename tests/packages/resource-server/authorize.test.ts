import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { createJwksCache } from '../../../packages/resource-server/src/jose/jwks-cache';
import { checkAccess } from '../../../packages/resource-server/src/verification/check-access';
import { left } from '../../../packages/resource-server/src/verification/either';
import { claimsAt } from '../../support/gateway/tokens';
import { answerOf, checks, enter, issuerKey, now, tokenOf, url } from './checks';

const second = now / 1000;
const bearer = (changes: object = {}, header: object = {}) => ({ authorization: `Bearer ${tokenOf(changes, header)}` });
const invalid = 'unauthenticated: Bearer invalid_token';
const revocations = { refusal: () => 'token_revoked' as const, stalenessMilliseconds: () => 0 };
const stale = { refusal: () => undefined, stalenessMilliseconds: () => 60_001 };

describe('the eight checks', () => {
  for (const [claim, least, most] of [
    ['exp', -9, 3_600],
    ['nbf', -10_000, 10],
    ['iat', -3_000, 10],
  ] as const)
    it(`let ${claim} be ${least} to ${most} seconds away, and not one more`, async () => {
      const others = claim === 'exp' ? {} : { exp: second + 500 };
      const at = (offset: number) => enter(checks(), bearer({ ...others, [claim]: second + offset }));
      for (const offset of [least, 0, most]) assert.equal(answerOf(await at(offset)), 'let in', `${offset}`);
      for (const offset of claim === 'exp' ? [least - 1, most + 1] : [most + 1])
        assert.equal(answerOf(await at(offset)), invalid, `${offset}`);
    });

  it('come in the order of the specification, each hiding those behind it', async () => {
    const using = checks({ revocations, policy: () => false });
    const bound = { cnf: { jkt: 'A'.repeat(43) } };
    const steps = [
      { claims: { ...bound, exp: second - 60, aud: ['other'] }, header: { kid: 'other' }, answer: invalid },
      { claims: { ...bound, exp: second - 60, aud: ['other'] }, header: {}, answer: invalid },
      { claims: { ...bound, aud: ['other'] }, header: {}, answer: invalid },
      { claims: { ...bound, scopes: [] }, header: {}, answer: 'forbidden: Bearer insufficient_scope' },
      { claims: bound, header: {}, answer: 'token_revoked: Bearer invalid_token' },
    ];
    for (const { claims, header, answer } of steps)
      assert.equal(answerOf(await enter(using, bearer(claims, header), ['things:read'])), answer);
    const known = checks({ policy: () => false });
    assert.equal(answerOf(await enter(known, bearer(bound))), 'unauthenticated: DPoP invalid_token');
    assert.equal(answerOf(await enter(known, bearer())), 'forbidden');
  });

  it('end with a policy, of which nothing but a yes is one', async () => {
    for (const [result, answer] of [
      [true, 'let in'],
      [false, 'forbidden'],
      [undefined, 'forbidden'],
      [1, 'forbidden'],
    ] as const)
      for (const policy of [() => result, async () => result])
        assert.equal(answerOf(await enter(checks({ policy: policy as never }), bearer())), answer);
    const calls: unknown[] = [];
    const policy = ({ claims }: { claims: { sub: string } }, { credentials }: { credentials: { method: string } }) =>
      calls.push([claims.sub, credentials.method]) > 0;
    await enter(checks({ policy }), { ...bearer(), method: 'DELETE' });
    assert.deepEqual(calls, [['p-1', 'DELETE']]);
  });

  it('refuse tokens while revocations may be missing', async () =>
    assert.equal(answerOf(await enter(checks({ revocations: stale }), bearer())), 'revocation-state-stale'));

  it('wait for fresh word of revocations where much harm could be done, and elsewhere go on', async () => {
    const withStaleness = (milliseconds: number) =>
      checks({ revocations: { refusal: () => undefined, stalenessMilliseconds: () => milliseconds } });
    const request = { credentials: { ...bearer(), method: 'GET', url }, required: [], sensitive: true };
    assert.equal(answerOf(await checkAccess(withStaleness(5_000), request)), 'let in');
    assert.equal(answerOf(await checkAccess(withStaleness(5_001), request)), 'revocation-state-stale');
    assert.equal(answerOf(await enter(withStaleness(5_001), bearer())), 'let in');
  });

  it('say that keys are missing, rather than that a token is no good', async () => {
    const keys = createJwksCache({ fetch: async () => left('away'), log: { warn: () => undefined }, now: () => now });
    assert.equal(answerOf(await enter(checks({ keys }), bearer())), 'service-unavailable');
  });

  for (const authorization of [
    'Bearer',
    'Bearer ',
    'bearer',
    'Basic eA==',
    'constructor x',
    '',
    ' ',
    'BearerX y',
    `Bearer\t${tokenOf()}`,
  ])
    it(`take nothing from ${JSON.stringify(authorization.slice(0, 12))}`, async () =>
      assert.equal(answerOf(await enter(checks(), { authorization })), invalid));

  it('know schemes in any letters, with spaces around the token', async () => {
    for (const scheme of ['bearer', 'BEARER'])
      assert.equal(answerOf(await enter(checks(), { authorization: `${scheme}   ${tokenOf()}  ` })), 'let in');
  });
});

describe('keys of two kinds', () => {
  const pair = generateKeyPairSync('ed25519');
  const jwk = { ...pair.publicKey.export({ format: 'jwk' }), kid: 'ed', alg: 'EdDSA', use: 'sig' };
  const keys = () => {
    const document = { keys: [issuerKey.jwk, jwk] };
    return createJwksCache({
      fetch: async () => ({ _tag: 'Right', right: document }),
      log: { warn: () => undefined },
      now: () => now,
    });
  };
  const signed = (header: object): string => {
    const parts = [{ typ: 'at+jwt', kid: 'ed', ...header }, claimsAt(now)];
    const input = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    return `${input}.${sign(null, Buffer.from(input), pair.privateKey).toString('base64url')}`;
  };

  it('verify what they signed', async () =>
    assert.equal(
      answerOf(await enter(checks({ keys: keys() }), { authorization: `Bearer ${signed({ alg: 'EdDSA' })}` })),
      'let in',
    ));
  it('verify nothing under the other’s algorithm or id', async () => {
    for (const header of [{ alg: 'ES256' }, { alg: 'Ed25519' }, { alg: 'EdDSA', kid: 'key-1' }])
      assert.equal(
        answerOf(await enter(checks({ keys: keys() }), { authorization: `Bearer ${signed(header)}` })),
        invalid,
      );
    assert.equal(answerOf(await enter(checks({ keys: keys() }), bearer({}, { kid: 'ed' }))), invalid);
    assert.equal(answerOf(await enter(checks({ keys: keys() }), bearer({}, { alg: 'EdDSA' }))), invalid);
  });
  it('are taken for what they say they are for', async () => {
    for (const more of [{ use: 'enc' }, { alg: 'ES384' }, { d: 'AAAA' }, { kid: 7 }]) {
      const document = { keys: [{ ...issuerKey.jwk, ...more }] };
      const odd = createJwksCache({
        fetch: async () => ({ _tag: 'Right', right: document }),
        log: { warn: () => undefined },
        now: () => now,
      });
      assert.equal(answerOf(await enter(checks({ keys: odd }), bearer())), invalid);
    }
  });
});
