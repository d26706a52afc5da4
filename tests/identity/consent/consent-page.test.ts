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
import { addPerson, type Browser, changeRegistration, register, signIn } from '../oauth/authorization/recorded-facts';
import { issuer } from '../oauth/token/fixture';

const fieldsOf = (page: string): Record<string, string> => ({
  csrf: field(page, 'csrf'),
  request: field(page, 'request'),
  shown: field(page, 'shown'),
});

const name = 'Bills & <script>alert(1)</script>';

describe('consent', () => {
  let stage: Awaited<ReturnType<typeof startWithSignedInPerson>>;
  beforeEach(async () => {
    stage = await startWithSignedInPerson();
    await register(stage, 'acme~foreign', { name });
  });
  afterEach(() => stage.close());

  const begin = async (changes: Record<string, string> = {}, browser = stage.browser): Promise<string> => {
    const there = redirectTarget(
      await stage.authorize(authorizationRequest({ client_id: 'acme~foreign', ...changes }), browser),
    );
    return `${there.pathname}${there.search}`;
  };
  const opened = async (changes: Record<string, string> = {}): Promise<Record<string, string>> => {
    const page = await assertPage(await stage.visit(await begin(changes), stage.browser), 200);
    return fieldsOf(page);
  };
  const decide = (fields: Record<string, string>, browser: Browser | undefined = stage.browser) =>
    stage.submit('/consent', fields, browser);

  it('names the client, its scopes and where the answer goes', async () => {
    const page = await assertPage(await stage.visit(await begin(), stage.browser), 200);
    for (const expected of [
      'Bills &amp; &lt;script&gt;',
      'Know who you are',
      'See people, pipelines and agents',
      'app.example',
    ])
      assert.ok(page.includes(expected), expected);
    assert.ok(!page.includes('<script>'));
  });

  it('names who is signed in, and lets another person sign in and answer', async () => {
    const page = await assertPage(await stage.visit(await begin(), stage.browser), 200);
    assert.match(page, /Signed in as <strong>[^<]+<\/strong>/);
    const [, href = ''] = /href="([^"]*)">Use another account</.exec(page) ?? [];
    const { pathname, searchParams } = new URL(href.replaceAll('&amp;', '&'), 'https://septet.example');
    assert.deepEqual([pathname, searchParams.get('prompt')], ['/sign-in', 'select_account']);
    assert.match(searchParams.get('continue') ?? '', /^\/oauth\/authorize\?/);
  });

  it('shows what a name of before hides, and keeps its direction to itself', async () => {
    await register(stage, 'acme~masked', { name: 'Bank\u202e\u200b\nof Ada' });
    const page = await assertPage(await stage.visit(await begin({ client_id: 'acme~masked' }), stage.browser), 200);
    assert.ok(page.includes('<bdi><strong>Bank\ufffd\ufffd\nof Ada</strong></bdi>'), page);
    assert.ok(!/[\u200b\u202e]/.test(page));
  });

  it('lets the application have what was allowed, and asks no more', async () => {
    const { code = '' } = redirectParameters(
      await refreshTarget(await decide({ ...(await opened()), decision: 'allow' })),
    );
    assert.equal((await stage.redeem(code, { client_id: 'acme~foreign' })).status, 200);
    const again = redirectTarget(
      await stage.authorize(authorizationRequest({ client_id: 'acme~foreign' }), stage.browser),
    );
    assert.ok(redirectParameters(again).code);
  });

  it('asks again for more, for other resources, and when the application wants it', async () => {
    await decide({ ...(await opened({ scope: 'openid' })), decision: 'allow' });
    assert.match(await begin({ scope: 'openid principals:read' }), /^\/consent/);
    assert.match(await begin({ scope: 'openid', resource: 'https://files.example' }), /^\/consent/);
    assert.match(await begin({ scope: 'openid', prompt: 'consent' }), /^\/consent/);
    assert.match(await begin({ scope: 'openid' }), /^\/callback/);
  });

  describe('to an application that is changed afterwards', () => {
    const moved = { redirectUris: ['https://evil.example/callback'] };
    const there = { redirect_uri: 'https://evil.example/callback' };
    const allow = async (changes: Record<string, string> = {}): Promise<string> =>
      redirectParameters(await refreshTarget(await decide({ ...(await opened(changes)), decision: 'allow' }))).code ??
      '';
    const client = { client_id: 'acme~foreign' };
    const change = async (is: object): Promise<void> => {
      stage.wait(1);
      await changeRegistration(stage, 'acme~foreign', { was: { name }, is });
      stage.wait(1);
    };

    it('is void: a link without a prompt gets no code, and the person is asked, with what changed', async () => {
      await allow();
      await change({ ...moved, name: 'Bills Pro', authentication: 'none' });
      const silent = { ...client, ...there, prompt: 'none' };
      const refused = redirectTarget(await stage.authorize(authorizationRequest(silent), stage.browser));
      assert.equal(redirectParameters(refused).error, 'consent_required');
      const page = await assertPage(await stage.visit(await begin(there), stage.browser), 200);
      for (const text of [
        'It was changed since',
        '<strong>evil.example</strong></bdi>, no longer <bdi>app.example</bdi>',
        '<strong>Bills Pro</strong>',
      ])
        assert.ok(page.includes(text), text);
    });

    it('is not given by an answer to a page from before: the page is shown again', async () => {
      const fields = { ...(await opened()), decision: 'allow' };
      await change({ redirectUris: ['https://app.example/callback', 'https://evil.example/callback'] });
      const page = await assertPage(await decide(fields), 200);
      assert.ok(page.includes('Nothing was allowed'));
      const silent = redirectTarget(
        await stage.authorize(authorizationRequest({ ...client, ...there, prompt: 'none' }), stage.browser),
      );
      assert.equal(redirectParameters(silent).error, 'consent_required');
      const again = { ...fieldsOf(page), decision: 'allow' };
      assert.ok(redirectParameters(await refreshTarget(await decide(again))).code);
    });

    it('says what was shown, however often the client changed in between, and where it was changed back', async () => {
      await allow();
      for (let times = 0; times < 25; times += 1)
        await changeRegistration(stage, 'acme~foreign', { was: { name }, is: moved });
      const page = await assertPage(await stage.visit(await begin(there), stage.browser), 200);
      assert.ok(page.includes('no longer <bdi>app.example</bdi>'), page);
      await change({});
      const back = await assertPage(await stage.visit(await begin(), stage.browser), 200);
      assert.ok(back.includes('It was changed, and changed back.'), back);
    });

    it('says so where only the way of authenticating changed', async () => {
      await allow();
      await change({ authentication: 'client_secret_basic' });
      const page = await assertPage(await stage.visit(await begin(), stage.browser), 200);
      assert.ok(page.includes('<strong>a secret</strong></bdi>, no longer <bdi>nothing'), page);
      assert.ok(!page.includes('no longer <bdi>app.example'));
    });

    it('ends codes and refresh tokens of before, and lets new ones be had', async () => {
      const code = await allow({ scope: 'openid offline_access principals:read' });
      const tokens = await jsonOf(stage.redeem(code, client));
      const unused = redirectParameters(
        redirectTarget(await stage.authorize(authorizationRequest({ ...client, scope: 'openid' }), stage.browser)),
      ).code;
      await change({ postLogoutRedirectUris: [] });
      assert.equal((await jsonOf(stage.redeem(unused ?? '', client))).error, 'invalid_grant');
      const refresh = { grant_type: 'refresh_token', ...client, refresh_token: String(tokens.refresh_token) };
      assert.equal((await jsonOf(stage.send('/oauth/token', refresh))).error, 'invalid_grant');
      const again = await jsonOf(stage.redeem(await allow(), client));
      assert.equal(again.token_type, 'Bearer');
      assert.match(await begin(), /^\/callback/);
    });
  });

  it('goes on where the application wanted to be asked for', async () => {
    const fields = await opened({ prompt: 'consent' });
    assert.ok(redirectParameters(await refreshTarget(await decide({ ...fields, decision: 'allow' }))).code);
  });

  it('always asks for programs, as any other can pose as them', async () => {
    await register(stage, 'acme~native', { redirectUris: ['http://127.0.0.1/cb'] });
    const changes = { client_id: 'acme~native', redirect_uri: 'http://127.0.0.1:4711/cb' };
    const page = await assertPage(await stage.visit(await begin(changes), stage.browser), 200);
    assert.ok(page.includes('an application on this device'));
    const fields = fieldsOf(page);
    assert.ok(redirectParameters(await refreshTarget(await decide({ ...fields, decision: 'allow' }))).code);
    assert.match(await begin(changes), /^\/consent/);
  });

  it('tells the application that it was denied, and remembers nothing', async () => {
    for (const decision of ['deny', 'perhaps'])
      assert.equal(
        redirectParameters(await refreshTarget(await decide({ ...(await opened()), decision }))).error,
        'access_denied',
      );
    assert.match(await begin(), /^\/consent/);
  });

  it('answers a click that came twice the same', async () => {
    const fields = { ...(await opened()), decision: 'allow' };
    const once = redirectParameters(await refreshTarget(await decide(fields)));
    assert.deepEqual(redirectParameters(await refreshTarget(await decide(fields))), once);
  });

  it('CSRF: a form of another site allows nothing', async () => {
    const { csrf = '', request = '' } = await opened();
    const headers = { cookie: stage.browser.cookie };
    const sent = (fields: Record<string, string>, more: Record<string, string>) =>
      stage.send('/consent', { request, decision: 'allow', ...fields }, { ...headers, ...more });
    await assertPage(await sent({}, { origin: issuer }), 403);
    await assertPage(await sent({ csrf: 'x' }, { origin: issuer }), 403);
    await assertPage(await sent({ csrf }, { origin: 'https://evil.example' }), 403);
    await assertPage(await sent({ csrf }, { 'sec-fetch-site': 'cross-site' }), 403);
    assert.match(await begin(), /^\/consent/);
  });

  it('CSRF: the token of another person allows nothing', async () => {
    const { csrf = '' } = await opened();
    await addPerson(stage, 'acme.p-2', ['principals:read']);
    const other = await signIn(stage, 'acme.p-2');
    const page = await assertPage(await stage.visit(await begin({}, other), other), 200);
    await assertPage(await decide({ csrf, request: field(page, 'request'), decision: 'allow' }, other), 403);
  });

  it('clickjacking: no page may be framed, run a script but our own files, or be kept', async () => {
    const error = await stage.authorize(authorizationRequest({ client_id: 'acme~nobody' }), stage.browser);
    const after = await decide({ ...(await opened()), decision: 'deny' });
    for (const answer of [await stage.visit(await begin(), stage.browser), error, after]) {
      const policy = answer.headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/);
      assert.ok(policy.includes("script-src 'self';") && !policy.includes('unsafe'));
      assert.equal(answer.headers.get('x-frame-options'), 'DENY');
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
    }
  });

  it('sends who is not signed in back to the sign-in, with nothing allowed', async () => {
    const target = await begin();
    assert.equal(redirectTarget(await stage.visit(target)).pathname, '/oauth/authorize');
    const request = new URL(target, issuer).searchParams.get('request') ?? '';
    const answer = await stage.submit('/consent', { csrf: 'x', request, decision: 'allow' });
    assert.equal(redirectTarget(answer).pathname, '/oauth/authorize');
  });

  it('forgets what was allowed when it is over', async () => {
    const fields = await opened();
    stage.wait(1_800);
    await assertPage(await decide({ ...fields, decision: 'allow' }), 400);
  });
});
