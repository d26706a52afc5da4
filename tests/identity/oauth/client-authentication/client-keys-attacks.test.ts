import assert from 'node:assert/strict';
import { left, right } from 'fp-ts/Either';
import { fault } from '../../../../domain/kernel/rejection';
import { type Applications, assertAnswer, assertionOf, inSeconds, keyPair, startApplications } from './fixture';

const first = keyPair();
const second = keyPair('key-2');
const jwksUri = 'https://app.example/jwks';
const atAddress = { authentication: 'private_key_jwt', jwks: null, jwksUri } as const;

describe('keys at an address', () => {
  let around: Applications;
  let fetched: string[];
  let served: unknown;
  beforeEach(async () => {
    fetched = [];
    served = { keys: [first.jwk] };
    around = await startApplications(async (address) => {
      fetched.push(address);
      return served === undefined ? left(fault('remote-unavailable', 'It is away.')) : right(served);
    });
    await around.register('acme~app', atAddress);
  });
  afterEach(() => around.close());
  const show = async (key = first) =>
    around.assertion(await assertionOf(key.privateKey, { header: { kid: key.jwk.kid } }));

  it('are fetched once, for minutes', async () => {
    await assertAnswer(show(), 200);
    await assertAnswer(show(), 200);
    assert.deepEqual(fetched, [jwksUri]);
    around.wait(301);
    const claims = { iat: inSeconds(301), exp: inSeconds(360) };
    await assertAnswer(around.assertion(await assertionOf(first.privateKey, { claims })), 200);
    assert.equal(fetched.length, 2);
  });

  it('are fetched again for an unknown key, but not for every one', async () => {
    await assertAnswer(show(), 200);
    served = { keys: [first.jwk, second.jwk] };
    await assertAnswer(show(second), 401, 'invalid_client');
    assert.equal(fetched.length, 1);
    around.wait(31);
    const late = await assertionOf(second.privateKey, { header: { kid: 'key-2' } });
    await assertAnswer(around.assertion(late), 200);
    assert.equal(fetched.length, 2);
  });

  it('are missed clearly', async () => {
    served = undefined;
    await assertAnswer(show(), 503, 'temporarily_unavailable');
  });

  for (const [what, keys] of [
    ['nothing', {}],
    ['a text', 'keys'],
    ['private keys', { keys: [{ ...first.jwk, d: 'AA' }] }],
    ['shared secrets', { keys: [{ kty: 'oct', k: 'AAAA', kid: 'key-1' }] }],
    ['other things', { keys: [null, 1, 'x', [], {}] }],
  ] as const)
    it(`authenticate no client when they are ${what}`, async () => {
      served = keys;
      const answer = await show();
      assert.ok([401, 503].includes(answer.status));
      assert.deepEqual(await around.issued(), []);
    });
});
