import assert from 'node:assert/strict';
import { createHmac, createPublicKey, sign } from 'node:crypto';
import { isLeft, isRight, left, right } from 'fp-ts/Either';
import { type Authentication, authenticate } from '../../../infra/gateway/authenticate';
import { epochCache } from '../../../infra/gateway/epochs';
import { keyring } from '../../../infra/gateway/keyring';
import { verifiedTokens } from '../../../infra/gateway/verified';
import { keptLog } from '../../support/http-service';
import { claimsAt, signingKey, tokenWith } from '../../support/tokens';

const start = 1_750_000_000_000;
const key = signingKey('key-1');
const encoded = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');

const gate = (changes: Partial<Authentication> = {}) => {
  const clock = { now: start, keys: [key], away: false, asked: 0 };
  const epochs = epochCache(() => clock.now);
  epochs.apply({ kind: 'heartbeat' });
  const fetch = async () => {
    clock.asked += 1;
    return clock.away ? left('away') : right({ keys: clock.keys.map(({ jwk }) => jwk) });
  };
  const keys = keyring({ fetch, log: keptLog(), now: () => clock.now });
  const using: Authentication = {
    keys,
    epochs,
    verified: verifiedTokens(),
    denied: () => false,
    issuer: 'http://septet.test',
    audience: 'septet',
    now: () => clock.now,
    ...changes,
  };
  return { clock, epochs, keys, using, enter: (token: string) => authenticate(using, `Bearer ${token}`) };
};

const codeOf = (entered: Awaited<ReturnType<typeof authenticate>>): string => {
  assert.ok(isLeft(entered), 'The token was accepted.');
  const { problem, headers = {} } = entered.left;
  if (problem.status === 401) assert.match(headers['WWW-Authenticate'] ?? '', /^Bearer/);
  return problem.code;
};

describe('access tokens at the gateway', () => {
  const good = tokenWith(key, claimsAt(start));

  it('lets a good one in, with who it stands for', async () => {
    const entered = await gate().enter(good);
    assert.ok(isRight(entered));
    assert.deepEqual(entered.right, {
      tenantId: 'acme',
      principalId: 'p-1',
      principalType: 'HUMAN',
      scopes: ['things:read', 'things:write'],
      tokenId: 'jti-1',
      expiresAt: start + 600_000,
    });
  });

  const [header = '', claims = '', signature = ''] = good.split('.');
  const publicPem = createPublicKey({ key: key.jwk, format: 'jwk' }).export({ format: 'pem', type: 'spki' });
  const hmac = (input: string) => createHmac('sha256', publicPem).update(input).digest('base64url');
  const confused = `${encoded({ alg: 'HS256', typ: 'at+jwt', kid: 'key-1' })}.${claims}`;
  const der = sign('sha256', Buffer.from(`${header}.${claims}`), key.privateKey).toString('base64url');
  const other = signingKey('key-1');
  const forged: { readonly [what: string]: string } = {
    nothing: '',
    'a text': 'hello',
    'no signature': `${header}.${claims}.`,
    'the algorithm none': `${encoded({ alg: 'none', typ: 'at+jwt', kid: 'key-1' })}.${claims}.`,
    'the algorithm none over a real signature': tokenWith(key, claimsAt(start), { alg: 'none' }),
    'a MAC under the public key': `${confused}.${hmac(confused)}`,
    'a signature in another encoding': `${header}.${claims}.${der}`,
    'a signature of zeros': `${header}.${claims}.${Buffer.alloc(64).toString('base64url')}`,
    'changed claims': `${header}.${encoded(claimsAt(start, { scopes: ['admin'] }))}.${signature}`,
    'another key under the same id': tokenWith(other, claimsAt(start)),
    'its own key inside': tokenWith(other, claimsAt(start), { jwk: other.jwk }),
    'a key to be fetched': tokenWith(key, claimsAt(start), { jku: 'http://127.0.0.1/keys' }),
    'a critical extension': tokenWith(key, claimsAt(start), { crit: ['b64'], b64: false }),
    'the type of an identity token': tokenWith(key, claimsAt(start), { typ: 'JWT' }),
    'no type': tokenWith(key, claimsAt(start), { typ: undefined }),
    'a path for a key id': tokenWith(key, claimsAt(start), { kid: '../../key-1' }),
    'a list for a key id': tokenWith(key, claimsAt(start), { kid: ['key-1'] }),
    'more than 8 KB': tokenWith(key, claimsAt(start, { padding: 'x'.repeat(8_192) })),
    'a line end after it': `${good}\n`,
    'another token after it': `${good}.${good}`,
    'padding of base64': `${good}=`,
  };
  for (const [what, token] of Object.entries(forged))
    it(`refuses ${what}`, async () => assert.equal(codeOf(await gate().enter(token)), 'unauthenticated'));

  for (const [what, changes] of [
    ['that has expired', { exp: start / 1000 - 11 }],
    ['that begins later', { nbf: start / 1000 + 11 }],
    ['from the future', { iat: start / 1000 + 11, exp: start / 1000 + 60 }],
    ['that lives longer than an hour', { exp: start / 1000 + 3_601 }],
    ['of another issuer', { iss: 'http://other.test' }],
    ['for another audience', { aud: ['other'] }],
    ['for an audience that only begins alike', { aud: ['septet.evil'] }],
    ['for a text as audience', { aud: 'septet' }],
    ['without a tenant', { tenant_id: undefined }],
    ['with an epoch that is a text', { security_epoch: '99' }],
    ['without an end', { exp: undefined }],
    ['with an end beyond numbers', { exp: 1e300 }],
  ] as const)
    it(`refuses one ${what}`, async () =>
      assert.equal(codeOf(await gate().enter(tokenWith(key, claimsAt(start, changes)))), 'unauthenticated'));

  it('allows clocks to differ by ten seconds', async () => {
    const late = tokenWith(key, claimsAt(start, { exp: start / 1000 - 9, iat: start / 1000 - 600 }));
    const early = tokenWith(key, claimsAt(start, { iat: start / 1000 + 9, nbf: start / 1000 + 9 }));
    for (const token of [late, early]) assert.ok(isRight(await gate().enter(token)));
  });

  it('checks the end again for a token it knows', async () => {
    const { clock, epochs, enter } = gate();
    assert.ok(isRight(await enter(good)));
    clock.now += 611_000;
    epochs.apply({ kind: 'heartbeat' });
    assert.equal(codeOf(await enter(good)), 'unauthenticated');
  });

  it('asks for a token when there is none, and for a Bearer when it is something else', async () => {
    const { using } = gate();
    assert.equal(codeOf(await authenticate(using, undefined)), 'unauthenticated');
    assert.equal(codeOf(await authenticate(using, `Basic ${good}`)), 'unauthenticated');
    assert.equal(codeOf(await authenticate(using, `Bearer ${good} ${good}`)), 'unauthenticated');
  });

  describe('revocation', () => {
    const bump = { kind: 'bump', tenantId: 'acme', principalId: 'p-1', securityEpoch: 2, at: start } as const;
    it('refuses a token below the epoch of its principal, known or new', async () => {
      const { epochs, enter } = gate();
      assert.ok(isRight(await enter(good)));
      epochs.apply(bump);
      assert.equal(codeOf(await enter(good)), 'token_revoked');
      assert.ok(isRight(await enter(tokenWith(key, claimsAt(start, { security_epoch: 2 })))));
    });
    it('keeps to the tenant and the principal', async () => {
      const { epochs, enter } = gate();
      epochs.apply({ ...bump, tenantId: 'other' });
      epochs.apply({ ...bump, principalId: 'p-2' });
      assert.ok(isRight(await enter(good)));
    });
    it('refuses a token that was revoked by its id', async () => {
      const { enter } = gate({ denied: (tokenId) => tokenId === 'jti-1' });
      assert.equal(codeOf(await enter(good)), 'revoked');
    });
    it('lets nobody in before it knows, nor when it has not heard for a minute', async () => {
      const { clock, epochs, enter } = gate();
      clock.now += 60_001;
      assert.equal(codeOf(await enter(good)), 'revocation-state-stale');
      epochs.apply({ kind: 'heartbeat' });
      assert.ok(isRight(await enter(good)));
      assert.equal(codeOf(await gate({ epochs: epochCache() }).enter(good)), 'revocation-state-stale');
    });
  });

  describe('signing keys', () => {
    it('asks once for a key that is not known, then not again for a while', async () => {
      const { clock, keys, enter } = gate();
      await keys.refresh();
      clock.now += 6_000;
      const invented = Array.from({ length: 20 }, (_, at) => tokenWith(signingKey(`k-${at}`), claimsAt(start)));
      for (const token of invented) assert.equal(codeOf(await enter(token)), 'unauthenticated');
      assert.equal(clock.asked, 2);
    });
    it('learns a new key from the first token signed with it', async () => {
      const { clock, keys, enter } = gate();
      await keys.refresh();
      clock.now += 6_000;
      const next = signingKey('key-2');
      clock.keys = [key, next];
      assert.ok(isRight(await enter(tokenWith(next, claimsAt(start)))));
    });
    it('refuses tokens of a withdrawn key, also those it had accepted', async () => {
      const { clock, keys, enter } = gate();
      assert.ok(isRight(await enter(good)));
      clock.keys = [];
      await keys.refresh();
      assert.equal(codeOf(await enter(good)), 'unauthenticated');
    });
    it('keeps its keys while the command API is away; without any it says so', async () => {
      const { clock, keys, enter } = gate();
      await keys.refresh();
      clock.away = true;
      await keys.refresh();
      assert.ok(isRight(await enter(good)));
      const empty = gate();
      empty.clock.away = true;
      assert.equal(codeOf(await empty.enter(good)), 'service-unavailable');
    });
    it('passes over keys of other kinds and points off the curve', async () => {
      const { clock, enter } = gate();
      const odd = { ...key, jwk: { ...key.jwk, kid: 'odd', x: Buffer.alloc(32, 1).toString('base64url') } };
      clock.keys = [{ ...key, jwk: { kty: 'RSA', n: 'AQAB', e: 'AQAB', kid: 'rsa' } }, odd, key];
      assert.ok(isRight(await enter(good)));
    });
  });
});
