import assert from 'node:assert/strict';
import { decodeJwt } from 'jose';
import { assertPage, field, jsonOf, redirectTarget } from '../authorization/fixture';
import { addPerson, signIn } from '../authorization/recorded-facts';
import { issuer } from '../token/fixture';
import { grantType, useDeviceRequest } from './fixture';

describe('the device flow', () => {
  const { deviceAnswer, decide, errorOf, look, poll, stage } = useDeviceRequest();

  it('tells the device what to show and how to ask', () => {
    const { device_code: _, user_code: code, ...rest } = deviceAnswer();
    assert.match(code ?? '', /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    const page = `${issuer}/device`;
    assert.deepEqual(rest, {
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${code}`,
      expires_in: 600,
      interval: 5,
    });
  });

  it('gives tokens once a person has allowed it', async () => {
    assert.equal(await errorOf(), 'authorization_pending');
    const page = await assertPage(await look(), 200);
    for (const text of ['Television', deviceAnswer().user_code ?? '', 'See people, pipelines and agents'])
      assert.ok(page.includes(text), text);
    await assertPage(await decide('allow'), 200);
    const tokens = await poll();
    assert.equal(decodeJwt(String(tokens.access_token)).sub, 'p-1');
    assert.ok(tokens.refresh_token);
    assert.equal(await errorOf(), 'invalid_grant');
  });

  it('tells the device that it was denied', async () => {
    await assertPage(await decide('deny'), 200);
    assert.equal(await errorOf(), 'access_denied');
    await assertPage(await decide('allow'), 404);
  });

  it('ends by itself', async () => {
    stage().wait(600);
    assert.equal(await errorOf(), 'expired_token');
    await assertPage(await look(), 404);
  });

  it('tells who asks too often to slow down', async () => {
    await poll();
    const form = { grant_type: grantType, client_id: 'acme~tv', device_code: deviceAnswer().device_code ?? '' };
    assert.equal((await jsonOf(stage().send('/oauth/token', form))).error, 'slow_down');
    assert.equal(await errorOf(), 'authorization_pending');
  });

  it('takes a code however it is typed, by a page without scripts', async () => {
    const form = await assertPage(await stage().visit('/device', stage().browser), 200);
    const typed = (deviceAnswer().user_code ?? '').toLowerCase().replace('-', ' ');
    const page = await stage().submit(
      '/device',
      { csrf: field(form, 'csrf'), user_code: ` ${typed} ` },
      stage().browser,
    );
    assert.match(await assertPage(page, 200), /Television/);
  });

  it('has the person sign in first, and come back to the same code', async () => {
    const there = redirectTarget(await stage().visit(`/device?user_code=${deviceAnswer().user_code}`));
    assert.equal(there.pathname, '/sign-in');
    assert.equal(there.searchParams.get('continue'), `/device?user_code=${deviceAnswer().user_code}`);
  });

  it('gives the device no more than the person has', async () => {
    await addPerson(stage(), 'acme.p-2');
    const poor = await signIn(stage(), 'acme.p-2');
    await assertPage(await decide('allow', poor), 403);
    assert.equal(await errorOf(), 'authorization_pending');
  });
});
