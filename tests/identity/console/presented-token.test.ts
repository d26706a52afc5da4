/** What a pasted text is taken for on the page that revokes tokens. */
import assert from 'node:assert/strict';
import { presentedTokenIn } from '../../../read-api/web/identity/credentials/presented-token';

const payload = (claims: object): string => Buffer.from(JSON.stringify(claims)).toString('base64url');
const tokenOf = (claims: object): string => `eyJhbGciOiJFUzI1NiJ9.${payload(claims)}.c2lnbmF0dXJl`;
const refreshToken = `main.7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a.12.${'s'.repeat(43)}`;
const jti = 'b15f0540-0090-4b42-bdbd-08b6c906de1d';

describe('a pasted token', () => {
  const claims = { jti, sub: 'p-1', client_id: 'main.p-1', exp: 1_790_000_000, name: 'Ünal' };
  const token = tokenOf(claims);

  for (const text of [token, `  ${token}\n`, `Bearer ${token}`, `Authorization: Bearer ${token}`, `dpop ${token}`])
    it(`is an access token: ${text.slice(0, 24).trim()}`, () =>
      assert.deepEqual(presentedTokenIn(text), {
        kind: 'access',
        token,
        claims: { jti, sub: 'p-1', clientId: 'main.p-1', expiresAt: '2026-09-21T14:13:20.000Z' },
      }));

  it('shows only claims of the right kind', () => {
    const presented = presentedTokenIn(tokenOf({ jti: 7, sub: null, exp: 1e300 }));
    assert.ok(presented.kind === 'access');
    const none = { jti: undefined, sub: undefined, clientId: undefined, expiresAt: undefined };
    assert.deepEqual(presented.claims, none);
  });

  it('is a refresh token, which has four parts', () =>
    assert.deepEqual(presentedTokenIn(refreshToken), { kind: 'refresh', token: refreshToken }));
  it('is the id of a token', () => assert.deepEqual(presentedTokenIn(` ${jti} `), { kind: 'jti', jti }));
  it('is nothing yet', () => assert.deepEqual(presentedTokenIn(' \n'), { kind: 'none' }));

  for (const text of ['hello', 'a.b', `${token}.more`, `x.${payload({})}!.y`, 'e.bm90IGpzb24.f', jti.slice(1)])
    it(`is unknown: ${text.slice(0, 20)}`, () => assert.deepEqual(presentedTokenIn(text), { kind: 'unknown' }));
});
