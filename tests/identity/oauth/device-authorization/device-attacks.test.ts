import assert from 'node:assert/strict';
import { assertRateLimited } from '../../../support/http/rate-limited';
import { assertPage, authorizationRequest, field, redirectTarget } from '../authorization/fixture';
import { addPerson, register, signIn, signOut } from '../authorization/recorded-facts';
import { issuer } from '../token/fixture';
import { grantType, useDeviceRequest } from './fixture';

describe('attacks on the device flow', () => {
  const { requestCode, deviceAnswer, decide, errorOf, look, poll, stage } = useDeviceRequest();

  it('cross-tenant: the device of another tenant cannot be found or polled for', async () => {
    await addPerson(stage(), 'other.p-1', ['principals:read']);
    const stranger = await signIn(stage(), 'other.p-1');
    await assertPage(await look(deviceAnswer().user_code, stranger), 404);
    await assertPage(await decide('allow', stranger), 404);
    await register(stage(), 'other~tv', { grantTypes: [grantType] });
    assert.equal(await errorOf({ client_id: 'other~tv' }), 'invalid_grant');
  });

  it('a device code of another client, a guessed one, a user code in its place', async () => {
    await register(stage(), 'acme~other-tv', { grantTypes: [grantType] });
    await decide('allow');
    assert.equal(await errorOf({ client_id: 'acme~other-tv' }), 'invalid_grant');
    const [tenant, id] = (deviceAnswer().device_code ?? '').split('.');
    for (const wrong of [
      `${tenant}.${id}.${'x'.repeat(43)}`,
      `${tenant}.${id}.`,
      deviceAnswer().user_code ?? '',
      '...',
    ])
      assert.equal(await errorOf({ device_code: wrong }), 'invalid_grant', wrong);
    assert.ok((await poll()).access_token);
  });

  it('user-code brute force: a session and an address may try a few', async () => {
    const statuses: number[] = [];
    for (let tried = 0; tried < 22; tried += 1) statuses.push((await look('BBBB-BBBB')).status);
    assert.deepEqual(statuses.slice(18), [404, 404, 429, 429]);
    assert.equal((await look()).status, 429);
    for (let browsers = 0; browsers < 4; browsers += 1) {
      const browser = await signIn(stage(), 'acme.p-1');
      for (let tried = 0; tried < 20; tried += 1) await look('CCCC-CCCC', browser);
    }
    assert.equal((await look(deviceAnswer().user_code, await signIn(stage(), 'acme.p-1'))).status, 429);
  });

  it('user-code brute force by answers in place of looks', async () => {
    for (let tried = 0; tried < 20; tried += 1) await look('DDDD-DDDD');
    assert.equal((await decide('allow')).status, 429);
    assert.equal(await errorOf(), 'authorization_pending');
  });

  it('CSRF: a form of another site allows no device', async () => {
    const fields = { user_code: deviceAnswer().user_code ?? '', decision: 'allow' };
    const headers = { cookie: stage().browser.cookie, origin: issuer };
    await assertPage(await stage().send('/device', fields, headers), 403);
    await assertPage(await stage().send('/device', { ...fields, csrf: 'x' }, headers), 403);
    assert.equal(await errorOf(), 'authorization_pending');
  });

  it('a look alone allows nothing', async () => {
    await assertPage(await look(), 200);
    await assertPage(
      await stage().visit(`/device?user_code=${deviceAnswer().user_code}&decision=allow`, stage().browser),
      200,
    );
    assert.equal(await errorOf(), 'authorization_pending');
  });

  it('clickjacking: no page of it may be framed', async () => {
    for (const answer of [await stage().visit('/device', stage().browser), await look(), await look('BBBB-BBBB')]) {
      assert.match(answer.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
      assert.equal(answer.headers.get('x-frame-options'), 'DENY');
    }
  });

  it('a device that waits until what it was allowed has been taken back', async () => {
    await decide('allow');
    const csrf = field(await (await stage().visit('/device', stage().browser)).text(), 'csrf');
    await stage().submit('/account/applications', { csrf, client: 'acme~tv' }, stage().browser);
    assert.equal(await errorOf(), 'invalid_grant');
  });

  it('a person who signed out before the device came back', async () => {
    await decide('allow');
    await signOut(stage(), stage().browser);
    assert.equal(await errorOf(), 'invalid_grant');
  });

  it('clients that are not registered for it, and scopes that they cannot have', async () => {
    assert.equal((await requestCode({ client_id: 'acme~app' })).error, 'unauthorized_client');
    assert.equal((await requestCode({ client_id: 'acme~nobody' })).error, 'invalid_client');
    assert.equal((await requestCode({ scope: 'platform:write' })).error, 'invalid_scope');
    assert.equal((await requestCode({ scope: 'groups' })).error, 'invalid_scope');
    assert.equal((await requestCode({ scope: 'groups principals:read' })).error, undefined);
    assert.equal((await requestCode({ resource: 'https://evil.example' })).error, 'invalid_target');
    const changes = { client_id: 'acme~tv' };
    assert.equal(
      redirectTarget(await stage().authorize(authorizationRequest(changes), stage().browser)).searchParams.get('error'),
      'unauthorized_client',
    );
  });

  it('a flood from one place: a client that anybody can pose as does not make the log grow for long', async () => {
    const form = { client_id: 'acme~tv', scope: 'principals:read' };
    const taken = [];
    for (let sent = 0; sent < 310; sent += 1)
      taken.push((await stage().send('/oauth/device_authorization', form)).status);
    assert.deepEqual([taken[298], taken[299], taken.at(-1)], [200, 429, 429]);
    const limit = { limit: 300, isOAuth: true } as const;
    await assertRateLimited(await stage().send('/oauth/device_authorization', form), limit);
    await assertRateLimited(await stage().send('/oauth/par', authorizationRequest()), limit);
    stage().wait(301);
    assert.equal((await stage().send('/oauth/device_authorization', form)).status, 200);
  });

  it('leaves neither of its codes in the log', async () => {
    await decide('allow');
    await poll();
    const [, , secret = ''] = (deviceAnswer().device_code ?? '').split('.');
    const typed = (deviceAnswer().user_code ?? '').replace('-', '');
    for await (const { data } of stage().store.readAll({ after: null }))
      assert.ok(!JSON.stringify(data).includes(secret) && !JSON.stringify(data).includes(typed));
    assert.ok(secret.length === 43 && typed.length === 8);
  });
});
