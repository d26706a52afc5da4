import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { key, verifier } from '../authorization/examples';
import { authorizationRequest, codeOf, errorOf, redirectTarget } from '../authorization/fixture';
import { addPerson, register } from '../authorization/recorded-facts';
import { assertRefused, useIssuedCode } from './fixture';

describe('attacks on authorization codes', () => {
  const { stage, code, grantEvents } = useIssuedCode();

  it('code injection into another client', async () => {
    await register(stage(), 'acme~thief', { firstParty: true });
    await assertRefused(stage().redeem(code(), { client_id: 'acme~thief' }), 'invalid_grant');
    assert.equal((await stage().redeem(code())).status, 200);
    await assertRefused(stage().redeem(code(), { client_id: 'acme~thief' }), 'invalid_grant');
    assert.deepEqual(await grantEvents(), ['GrantOpened']);
  });

  it('code injection into another session: the verifier there is another', async () => {
    await addPerson(stage(), 'acme.p-2', ['principals:read']);
    const other = 'another-browser-began-with-another-verifier-of-its-own';
    await assertRefused(stage().redeem(code(), { code_verifier: other }), 'invalid_grant');
  });

  it('a code of another tenant', async () => {
    await register(stage(), 'other~app', { firstParty: true });
    await assertRefused(stage().redeem(code(), { client_id: 'other~app' }), 'invalid_grant');
    await assertRefused(stage().redeem(code().replace('acme.', 'other.'), { client_id: 'other~app' }), 'invalid_grant');
    await assertRefused(stage().redeem(code().replace('acme.', 'other.')), 'invalid_grant');
  });

  it('PKCE downgrade: no challenge, plain, and odd ones are not begun', async () => {
    const begun = async (changes: Record<string, string | undefined>) =>
      errorOf(redirectTarget(await stage().authorize(authorizationRequest(changes), stage().browser)));
    for (const changes of [
      { code_challenge: undefined },
      { code_challenge: '' },
      { code_challenge_method: undefined },
      { code_challenge_method: 'plain' },
      { code_challenge_method: 's256' },
      { code_challenge: verifier.slice(1) },
      { code_challenge: `${verifier}=` },
    ])
      assert.equal(await begun(changes), 'invalid_request', JSON.stringify(changes));
  });

  it('PKCE downgrade: no verifier, a wrong one, the challenge in its place', async () => {
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    await assertRefused(stage().redeem(code(), { code_verifier: '' }), 'invalid_request');
    await assertRefused(stage().redeem(code(), { code_verifier: 'short' }), 'invalid_request');
    await assertRefused(stage().redeem(code(), { code_verifier: 'x'.repeat(129) }), 'invalid_request');
    await assertRefused(stage().redeem(code(), { code_verifier: `${verifier.slice(0, 42)}l` }), 'invalid_grant');
    await assertRefused(stage().redeem(code(), { code_verifier: challenge }), 'invalid_grant');
    assert.equal((await stage().redeem(code())).status, 200);
  });

  it('another redirect_uri at the token endpoint, or none', async () => {
    await assertRefused(stage().redeem(code(), { redirect_uri: 'https://app.example/callback/' }), 'invalid_grant');
    await assertRefused(stage().redeem(code(), { redirect_uri: '' }), 'invalid_request');
  });

  it('an expired code', async () => {
    stage().wait(60);
    await assertRefused(stage().redeem(code()), 'invalid_grant');
  });

  it('a stripped DPoP key', async () => {
    const bound = await codeOf(stage().authorize(authorizationRequest({ dpop_jkt: key }), stage().browser));
    await assertRefused(stage().redeem(bound), 'invalid_grant');
  });

  it('more at the token endpoint than was allowed', () =>
    assertRefused(stage().redeem(code(), { resource: 'https://files.example' }), 'invalid_target'));

  it('codes that are none', async () => {
    for (const wrong of ['x', 'acme.', `acme.${'x'.repeat(43)}`, `$all.${'x'.repeat(43)}`, '.'.repeat(4_000)])
      await assertRefused(stage().redeem(wrong), 'invalid_grant');
  });
});
