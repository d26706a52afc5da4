import assert from 'node:assert/strict';
import {
  assertPage,
  authorizationRequest,
  field,
  jsonOf,
  redirectParameters,
  redirectTarget,
  refreshTarget,
  startWithSignedInPerson,
} from '../oauth/authorization/fixture';
import { addPerson, register, signIn } from '../oauth/authorization/recorded-facts';
import { issuer } from '../oauth/token/fixture';

describe('applications that a person allowed', () => {
  let stage: Awaited<ReturnType<typeof startWithSignedInPerson>>;
  beforeEach(async () => {
    stage = await startWithSignedInPerson();
    await register(stage, 'acme~foreign', { name: 'Bills' });
  });
  afterEach(() => stage.close());

  const list = async (browser = stage.browser): Promise<string> =>
    assertPage(await stage.visit('/account/applications', browser), 200);
  const takeBack = async (client = 'acme~foreign', browser = stage.browser): Promise<Response> =>
    stage.submit('/account/applications', { csrf: await csrf(browser), client }, browser);
  const csrf = async (browser = stage.browser): Promise<string> =>
    field(await (await stage.visit('/device', browser)).text(), 'csrf');
  const codeOfAllowed = async (): Promise<string> => {
    const scope = 'principals:read offline_access';
    const there = redirectTarget(
      await stage.authorize(authorizationRequest({ client_id: 'acme~foreign', scope }), stage.browser),
    );
    const page = await (await stage.visit(`${there.pathname}${there.search}`, stage.browser)).text();
    const fields = {
      csrf: field(page, 'csrf'),
      request: field(page, 'request'),
      shown: field(page, 'shown'),
      decision: 'allow',
    };
    return redirectParameters(await refreshTarget(await stage.submit('/consent', fields, stage.browser))).code ?? '';
  };
  const allow = async (): Promise<Record<string, unknown>> =>
    jsonOf(stage.redeem(await codeOfAllowed(), { client_id: 'acme~foreign' }));
  const refresh = (token: unknown): Promise<Response> =>
    stage.send('/oauth/token', {
      grant_type: 'refresh_token',
      client_id: 'acme~foreign',
      refresh_token: String(token),
    });

  it('are listed with what they may do', async () => {
    assert.match(await list(), /not allowed any application/);
    await allow();
    const page = await list();
    for (const text of ['Bills', 'See people, pipelines and agents', 'septet']) assert.ok(page.includes(text), text);
  });

  it('lose all that came of it when it is taken back, and have to ask again', async () => {
    const { refresh_token: token } = await allow();
    const renewed = await jsonOf(refresh(token));
    assert.equal((await takeBack()).status, 303);
    assert.equal((await refresh(renewed.refresh_token)).status, 400);
    assert.match(await list(), /not allowed any application/);
    const there = redirectTarget(
      await stage.authorize(authorizationRequest({ client_id: 'acme~foreign' }), stage.browser),
    );
    assert.equal(there.pathname, '/consent');
  });

  it('get nothing for what was taken back before they came for it', async () => {
    const code = await codeOfAllowed();
    await takeBack();
    const answer = await jsonOf(stage.redeem(code, { client_id: 'acme~foreign' }));
    assert.deepEqual([answer.error, answer.access_token], ['invalid_grant', undefined]);
  });

  for (const place of ['identity.consent-acme.p-1', 'identity.grant-acme'])
    it(`get nothing for what is taken back while they come for it, after a fact of ${place}`, async () => {
      const code = await codeOfAllowed();
      const { append } = stage.store;
      const interrupted: typeof append = async (stream, expected, events) => {
        const appended = await append(stream, expected, events);
        if (!stream.startsWith(place)) return appended;
        Object.assign(stage.store, { append });
        assert.equal((await takeBack()).status, 303);
        return appended;
      };
      Object.assign(stage.store, { append: interrupted });
      const answer = await jsonOf(stage.redeem(code, { client_id: 'acme~foreign' }));
      assert.deepEqual([answer.error, answer.access_token], ['invalid_grant', undefined]);
    });

  it('can be taken back twice, and unknown ones without harm', async () => {
    await allow();
    for (const client of ['acme~foreign', 'acme~foreign', 'acme~nobody', '../x', ''])
      assert.equal((await takeBack(client)).status, 303, client);
  });

  it('are of one person only', async () => {
    const { refresh_token: token } = await allow();
    await addPerson(stage, 'acme.p-2', ['principals:read']);
    const other = await signIn(stage, 'acme.p-2');
    assert.match(await list(other), /not allowed any application/);
    await takeBack('acme~foreign', other);
    assert.equal((await refresh(token)).status, 200);
  });

  it('CSRF: a form of another site takes nothing back', async () => {
    const { refresh_token: token } = await allow();
    const headers = { cookie: stage.browser.cookie, origin: issuer };
    await assertPage(await stage.send('/account/applications', { client: 'acme~foreign' }, headers), 403);
    await assertPage(await stage.submit('/account/applications', { client: 'acme~foreign', csrf: 'x' }), 403);
    assert.equal((await refresh(token)).status, 200);
  });

  it('are those of the signed-in person', async () => {
    assert.equal(redirectTarget(await stage.visit('/account/applications')).pathname, '/sign-in');
  });
});
