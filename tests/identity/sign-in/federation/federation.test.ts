import assert from 'node:assert/strict';
import { updateAuthenticators } from '../../../../commands/identity/people/load-person';
import type { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
import { openIdentityProviders } from '../../../../infra/adapters/oidc/identity-providers';
import { enrolPerson, startPeople } from '../fixture';
import { ada, rules, useProvider } from './fixture';

describe('signing in through an enterprise’s provider', () => {
  const { stage, provider, allow, leave } = useProvider();

  it('asks with code, PKCE, nonce and state; knows the person again by issuer and subject', async () => {
    await allow();
    provider().answering.claims = ada;
    const browser = stage().browser();
    const url = await leave(browser);
    const { searchParams } = new URL(url);
    for (const name of ['state', 'nonce', 'code_challenge'])
      assert.ok((searchParams.get(name) ?? '').length >= 43, name);
    assert.deepEqual(
      ['response_type', 'code_challenge_method', 'redirect_uri'].map((name) => searchParams.get(name)),
      ['code', 'S256', 'https://septet.example/sign-in/back'],
    );
    assert.match((await browser.open(provider().back(url))).text, /Signed in as <strong>ada@example.org</);
    const again = stage().browser();
    provider().answering.claims = { ...ada, email: 'renamed@example.org' };
    const second = await again.open(provider().back(await leave(again)));
    assert.match(second.text, /Signed in as <strong>ada@example.org</);
  });

  it('links to the signed-in person, never by an e-mail address', async () => {
    await allow();
    const { browser } = await enrolPerson(stage(), 'ada@example.org');
    provider().answering.claims = ada;
    const stranger = stage().browser();
    const refused = await stranger.open(provider().back(await leave(stranger)));
    assert.deepEqual([refused.status, /is not linked/.test(refused.text)], [403, true]);
    await browser.open('/account/link?provider=p');
    const url = browser.onward(await browser.submit('/sign-in/with')) ?? '';
    assert.match((await browser.open(provider().back(url))).text, new RegExp(provider().origin));
    const other = stage().browser();
    const page = await other.open(provider().back(await leave(other)));
    assert.match(page.text, /Signed in as <strong>ada@example.org</);
    await browser.open('/account');
    await browser.submit('/account/links/remove');
    assert.equal((await stranger.open(provider().back(await leave(stranger)))).status, 403);
  });

  it('refuses a removed link, although its identifier is still claimed, and can link it again', async () => {
    await allow({ provisioning: 'off' });
    const { browser, principalId: id } = await enrolPerson(stage(), 'ada@example.org');
    provider().answering.claims = ada;
    const linkIt = async () => {
      await browser.open('/account/link?provider=p');
      return browser.open(provider().back(browser.onward(await browser.submit('/sign-in/with')) ?? ''));
    };
    await linkIt();
    const subjectHash = browser.fields('/account/links/remove').link ?? '';
    const [person, at] = [{ tenantId: 'acme' as TenantId, principalId: id as PrincipalId }, stage().deps.clock.now()];
    const removing = { type: 'UnlinkUpstream', principalId: person.principalId, subjectHash, at } as const;
    await updateAuthenticators(stage().deps, person, { command: removing, context: { requestId: 'r-1', actor: id } });
    const stranger = stage().browser();
    assert.equal((await stranger.open(provider().back(await leave(stranger)))).status, 403);
    await linkIt();
    assert.match((await stranger.open(provider().back(await leave(stranger)))).text, /Signed in as/);
  });

  it('creates no person if that is off, or the address is unverified or of another domain', async () => {
    const tries: readonly (readonly [object, object])[] = [
      [{ provisioning: 'off' }, ada],
      [{}, { ...ada, email_verified: false }],
      [{ domains: ['example.com'] }, ada],
      [{ domains: ['example.org'] }, { ...ada, email: 'ada@example.org@evil.example' }],
    ];
    for (const [more, claims] of tries) {
      await allow(more);
      provider().answering.claims = { ...claims };
      const browser = stage().browser();
      assert.equal(
        (await browser.open(provider().back(await leave(browser)))).status,
        403,
        JSON.stringify([more, claims]),
      );
    }
  });

  it('nonce and state replay: an answer is for the browser that left, once', async () => {
    await allow();
    provider().answering.claims = ada;
    const browser = stage().browser();
    const url = await leave(browser);
    const back = provider().back(url);
    assert.equal((await stage().browser().open(back)).status, 403);
    const copy = stage().browser();
    for (const [name, value] of browser.jar) copy.jar.set(name, value);
    assert.match((await browser.open(back)).text, /Signed in as/);
    assert.equal((await copy.open(back)).status, 403);
    assert.equal((await copy.open('/sign-in/back?code=x')).status, 403);
  });

  it('lets a whole office in by one address, and lets that wait only for what fails', async () => {
    await allow();
    const arrive = async (claims: object) => {
      provider().answering.claims = { ...claims };
      const browser = stage().browser();
      return (await browser.open(provider().back(await leave(browser)))).status;
    };
    for (let index = 0; index < 8; index += 1)
      assert.equal(await arrive({ ...ada, sub: `s${index}`, email: `u${index}@example.org` }), 200, `${index}`);
    for (let index = 0; index < 8; index += 1) assert.equal(await arrive({ ...ada, nonce: 'x' }), 403, `${index}`);
    assert.equal(await arrive({ ...ada, sub: 's0' }), 200);
  });

  it('reports an unavailable or inconsistent provider, without a redirect', async () => {
    for (const spoil of [{ issuer: 'https://evil.example' }, { authorization_endpoint: undefined }]) {
      provider().answering.metadata = spoil;
      await allow({ name: JSON.stringify(spoil).slice(0, 50), clientId: `septet-${JSON.stringify(spoil).length}` });
      const browser = stage().browser();
      await browser.open('/sign-in');
      const page = await browser.submit('/sign-in/with');
      assert.deepEqual([page.status, browser.onward(page)], [503, undefined]);
    }
    await allow({}, 'http://127.0.0.1:9/');
    const browser = stage().browser();
    await browser.open('/sign-in');
    assert.equal((await browser.submit('/sign-in/with')).status, 503);
  });

  it('reaches no address of the installation’s own network, however it is named', async () => {
    const guarded = await startPeople({
      providers: openIdentityProviders({ allowPrivate: false, milliseconds: 2_000 }),
    });
    for (const issuer of [
      provider().origin,
      'https://localhost',
      'https://127.0.0.1',
      'https://[::1]',
      'https://169.254.169.254',
      'https://[::ffff:10.0.0.1]',
    ]) {
      const one = { providerId: 'p', name: 'P', issuer, clientId: 'septet', provisioning: 'on', domains: [] };
      await guarded.api('PUT', '/v1/sign-in-policy', { ...rules, providers: [one] });
      const browser = guarded.browser();
      await browser.open('/sign-in');
      assert.equal((await browser.submit('/sign-in/with')).status, 503, issuer);
    }
    await guarded.close();
  });
});
