/** The running system notifies applications of the end of a session that they signed into, at a receiver of their own. */
import assert from 'node:assert/strict';
import { decodeJwt } from 'jose';
import { type LogoutReceiver, startLogoutReceiver } from '../support/identity/logout-receiver';
import { openScriptlessBrowser, type ScriptlessBrowser } from '../support/identity/scriptless-browser';
import { appOrigin, contentOf, openTenant, pageOf, type Tenant } from '../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../support/processes/running-system';
import { fromRunner } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';

interface Tokens {
  readonly id_token: string;
  readonly access_token: string;
}

interface JobRow {
  readonly queue: string;
  readonly state: string;
  readonly attempt?: number;
  readonly reason: string | null;
}

describe('back-channel logout', function () {
  this.timeout(240_000);
  let system: System;
  let tenant: Tenant;
  const receivers: LogoutReceiver[] = [];
  before(async () => {
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
    tenant = await openTenant(system);
  });
  afterEach(async () => {
    for (const receiver of receivers.splice(0)) await receiver.close();
  });
  after(() => system.close());

  const application = async (more: object = {}) => {
    const receiver = await startLogoutReceiver();
    receivers.push(receiver);
    const clientId = await tenant.registerClient({
      scopes: ['openid', 'offline_access'],
      postLogoutRedirectUris: [`${appOrigin}/bye`],
      backchannelLogoutUri: receiver.uri,
      backchannelLogoutSessionRequired: true,
      ...more,
    });
    receiver.expect(system.url, clientId);
    return { clientId, receiver };
  };
  const signInto = async (browser: ScriptlessBrowser, clientId: string, scope = 'openid'): Promise<Tokens> => {
    const code = await tenant.codeFor(browser, clientId, { scope });
    return contentOf<Tokens>(tenant.requestToken(tenant.redemptionOf(code, clientId)));
  };
  const notificationsOf = (receiver: LogoutReceiver) =>
    receiver.accepted.map(({ aud, sub, sid }) => ({ aud, sub, sid }));
  const jobs = async (): Promise<readonly JobRow[]> =>
    (await tenant.list<JobRow>('/v1/platform/work/jobs')).filter(
      ({ queue }) => queue === 'identity-logout-notifications',
    );

  it('notifies every application that the session signed into, and no other, when one signs the person out', async () => {
    const [one, other, unused] = [await application(), await application(), await application()];
    const silent = await tenant.registerClient({ scopes: ['openid'] });
    const { principalId, browser } = await tenant.enrol('ada@example.org');
    const { id_token: hint } = await signInto(browser, one.clientId, 'openid offline_access');
    const { sid } = decodeJwt(hint);
    await signInto(browser, other.clientId);
    await signInto(browser, other.clientId);
    await signInto(browser, silent);
    const [toOne, toOther] = [one.receiver.next('accept'), other.receiver.next('accept')];
    const query = new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: `${appOrigin}/bye` });
    const gone = await browser.go(`/oauth/logout?${query}`);
    assert.ok('left' in gone && gone.left.href === `${appOrigin}/bye`, 'nothing is asked');
    await Promise.all([toOne, toOther]);
    for (const { clientId, receiver } of [one, other])
      assert.deepEqual(notificationsOf(receiver), [{ aud: clientId, sub: principalId, sid }]);
    await eventually(async () => assert.ok((await jobs()).every(({ state }) => state === 'done')));
    assert.equal((await jobs()).length, 2);
    assert.deepEqual(notificationsOf(unused.receiver), []);
  });

  it('notifies it of sessions that end by the person or a suspension', async () => {
    const { clientId, receiver } = await application();
    const ends: readonly (readonly [string, (principalId: string, browser: ScriptlessBrowser) => Promise<unknown>])[] =
      [
        [
          'by the person',
          async (_, browser) => browser.press(await pageOf(browser.go('/account/sign-out')), {}, '/account/sign-out'),
        ],
        [
          'by a suspension',
          (principalId) => contentOf(tenant.send('POST', `/v1/principals/${principalId}/suspend`, { reason: 'Left.' })),
        ],
      ];
    for (const [how, end] of ends) {
      const { principalId, browser } = await tenant.enrol(`${how.replaceAll(' ', '-')}@example.org`);
      const { sid } = decodeJwt((await signInto(browser, clientId)).id_token);
      const next = receiver.next('accept');
      await end(principalId, browser);
      await next;
      assert.deepEqual(notificationsOf(receiver).at(-1), { aud: clientId, sub: principalId, sid }, how);
    }
    assert.equal(receiver.accepted.length, ends.length);
  });

  it('retries the notification of an end by an administrator until it is accepted: while it is away and fails, each time by a fresh token', async () => {
    const { clientId, receiver } = await application();
    const { principalId, browser } = await tenant.enrol('grace@example.org');
    const { sid } = decodeJwt((await signInto(browser, clientId)).id_token);
    await receiver.close();
    await contentOf(tenant.send('POST', `/v1/principals/${principalId}/sessions/end`, { reason: 'Away.' }));
    const waiting = async (): Promise<readonly (string | null)[]> =>
      (await jobs()).filter(({ state }) => state !== 'done').map(({ reason }) => reason);
    await eventually(async () => assert.deepEqual(await waiting(), ['The address does not answer.']));
    receiver.behave('fail');
    const failed = receiver.next('fail');
    await receiver.listen();
    await failed;
    assert.deepEqual(notificationsOf(receiver), []);
    receiver.behave('accept');
    await receiver.next('accept');
    assert.deepEqual(notificationsOf(receiver), [{ aud: clientId, sub: principalId, sid }]);
    assert.equal(new Set(receiver.tokenIds).size, receiver.tokenIds.length);
    assert.ok(receiver.tokenIds.length >= 2);
    await eventually(async () => assert.deepEqual(await waiting(), []));
  });

  it('is announced, and registered by applications themselves', async () => {
    const document = await contentOf<Record<string, unknown>>(fetch(`${system.url}/.well-known/openid-configuration`));
    assert.deepEqual(
      [document.backchannel_logout_supported, document.backchannel_logout_session_supported],
      [true, true],
    );
    const { clientId, receiver } = await application();
    const [, applicationId = ''] = clientId.split('~');
    await eventually(async () => {
      const client = await contentOf<Record<string, unknown>>(tenant.read(`/v1/clients/${applicationId}`));
      assert.deepEqual([client.backchannelLogoutUri, client.backchannelLogoutSessionRequired], [receiver.uri, true]);
    });
    const stranger = openScriptlessBrowser(system.url, fetch);
    assert.ok('text' in (await stranger.go('/oauth/logout')));
  });
});
