/** Attacks on sign-ins and on the lists of sessions, through the real gateway of a running system; named after what they try. */
import assert from 'node:assert/strict';
import { decodeJwt } from 'jose';
import { startProvider } from '../identity/sign-in/federation/controlled-provider';
import { codeAtTime, keyIn } from '../support/identity/authenticator-app';
import { openScriptlessBrowser, type Page, type ScriptlessBrowser } from '../support/identity/scriptless-browser';
import { contentOf, openTenant, pageOf, type Tenant } from '../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../support/processes/running-system';
import { fromRunner } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';

const mfaContext = 'urn:example:mfa';
const policy = { mfa: 'required', passwords: true, passkeys: true, sessionSeconds: 3_600 };
const policyScopes = ['security:write', 'tenant:write'];

type Provider = Awaited<ReturnType<typeof startProvider>>;

interface SessionRow {
  readonly methods: readonly string[];
  readonly upstreamIssuer: string | null;
}

interface AccessRow {
  readonly status: string;
  readonly endedBy: string | null;
  readonly reason: string | null;
}

const startShared = async (): Promise<System> => openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);

describe('sign-ins through an enterprise’s provider where two factors are required, through the gateway', function () {
  this.timeout(240_000);
  let system: System;
  let tenant: Tenant;
  let provider: Provider;
  let clientId: string;

  const enterCode = (browser: ScriptlessBrowser, page: Page, code: string): Promise<Page> =>
    pageOf(browser.press(page, { code }, '/sign-in/code'));

  /** As an administrator has to: with a second factor, a moment ago. */
  const setProvider = async (): Promise<void> => {
    await contentOf(tenant.send('PUT', '/v1/sign-in-policy', { ...policy, providers: [] }));
    const { browser, page } = await tenant.enrol('admin@example.org', ['admin']);
    await enterCode(browser, page, codeAtTime(keyIn(page.text), Date.now()));
    const settings = await tenant.registerClient({ scopes: policyScopes });
    const code = await tenant.codeFor(browser, settings, { scope: policyScopes.join(' ') });
    const issued = tenant.requestToken(tenant.redemptionOf(code, settings));
    const { access_token: token } = await contentOf<{ access_token: string }>(issued);
    const one = {
      providerId: 'p',
      name: 'Example Ltd',
      issuer: provider.origin,
      clientId: 'septet',
      password: 'secret',
    };
    const providers = [{ ...one, provisioning: 'on', domains: [], mfaContexts: [mfaContext] }];
    await contentOf(tenant.send('PUT', '/v1/sign-in-policy', { ...policy, providers }, token));
  };

  before(async () => {
    system = await startShared();
    provider = await startProvider();
    tenant = await openTenant(system);
    clientId = await tenant.registerClient({ scopes: ['openid'], grantTypes: ['authorization_code'] });
    await setProvider();
  });
  after(async () => {
    await system.close();
    await provider.close();
  });

  /** What the browser shows after the provider has vouched for the person with these claims. */
  const arrive = async (browser: ScriptlessBrowser, login: string, claims: object): Promise<Page> => {
    const email = `${login}@example.org`;
    provider.answering.claims = { sub: login, email, email_verified: true, name: login, ...claims };
    const page = await pageOf(browser.go(`/sign-in?tenant=${tenant.tenantId}`));
    const gone = await browser.press(page, {}, '/sign-in/with');
    assert.ok('left' in gone && gone.left.origin === provider.origin);
    assert.equal(gone.left.searchParams.get('acr_values'), mfaContext);
    return pageOf(browser.go(provider.back(gone.left.href)));
  };
  const isSignedIn = async (browser: ScriptlessBrowser): Promise<boolean> => {
    const account = await pageOf(browser.go('/account'));
    const step = await tenant.authorize(browser, clientId, { scope: 'openid' });
    const isAnswered = 'left' in step && step.left.searchParams.has('code');
    assert.equal(isAnswered, /Signed in as/.test(account.text), 'an application gets a code of a session alone');
    return isAnswered;
  };
  /** The authentication methods in the application's ID token and in the list of sessions. */
  const provenBy = async (browser: ScriptlessBrowser) => {
    const code = await tenant.codeFor(browser, clientId, { scope: 'openid' });
    const issued = tenant.requestToken(tenant.redemptionOf(code, clientId));
    const { acr, amr, sub } = decodeJwt((await contentOf<{ id_token: string }>(issued)).id_token);
    await eventually(async () => {
      const [row] = await tenant.list<SessionRow>(`/v1/sessions?principalId=${sub}`);
      assert.deepEqual([row?.upstreamIssuer, row?.methods], [provider.origin, amr]);
    });
    return { acr, amr };
  };

  it('a person whose provider proved one factor, or claims more by unknown values, gets no session', async () => {
    const attempts = [{ amr: ['pwd'] }, { acr: `${mfaContext}:not` }];
    for (const [index, claims] of attempts.entries()) {
      const browser = openScriptlessBrowser(system.url, fetch);
      const page = await arrive(browser, `one-factor-${index}`, claims);
      assert.match(page.text, /Set up a second factor/, JSON.stringify(claims));
      assert.equal(await isSignedIn(browser), false, JSON.stringify(claims));
    }
  });

  it('a person whose provider proved two factors is signed in, and tokens say so', async () => {
    const browser = openScriptlessBrowser(system.url, fetch);
    assert.match((await arrive(browser, 'two-factors', { acr: mfaContext })).text, /Signed in as/);
    assert.ok(await isSignedIn(browser));
    assert.deepEqual(await provenBy(browser), { acr: '2', amr: ['fed', 'mfa'] });
  });

  it('a person whose provider proved one factor guesses the second one, or uses its code twice', async () => {
    const [first, again] = [openScriptlessBrowser(system.url, fetch), openScriptlessBrowser(system.url, fetch)];
    const claims = { amr: ['pwd'] };
    const setUp = await arrive(first, 'second-step', claims);
    const [key, now] = [keyIn(setUp.text), Date.now()];
    const refused = await enterCode(first, setUp, '000000');
    assert.equal(refused.status, 401);
    assert.equal(await isSignedIn(first), false);
    const code = codeAtTime(key, now);
    assert.match((await enterCode(first, await pageOf(first.go('/sign-in/code')), code)).text, /Keep these codes/);
    assert.ok(await isSignedIn(first));

    const secondStep = await arrive(again, 'second-step', claims);
    assert.match(secondStep.text, /Enter your code/);
    assert.equal((await enterCode(again, secondStep, code)).status, 401);
    assert.equal(await isSignedIn(again), false);
    const next = codeAtTime(key, now, 1);
    assert.match((await enterCode(again, await pageOf(again.go('/sign-in/code')), next)).text, /Signed in as/);
    assert.deepEqual(await provenBy(again), { acr: '2', amr: ['fed', 'otp', 'mfa'] });
  });
});

describe('access that a raised epoch ended, through the gateway', function () {
  this.timeout(240_000);
  let system: System;
  let tenant: Tenant;
  let clientId: string;

  before(async () => {
    system = await startShared();
    tenant = await openTenant(system);
    clientId = await tenant.registerClient();
  });
  after(() => system.close());

  /** A person with a session, a grant and refresh tokens. */
  const connected = async (login: string) => {
    const person = await tenant.enrol(login);
    const code = await tenant.codeFor(person.browser, clientId);
    const issued = tenant.requestToken(tenant.redemptionOf(code, clientId));
    return { ...person, ...(await contentOf<{ access_token: string; refresh_token: string }>(issued)) };
  };
  type Connected = Awaited<ReturnType<typeof connected>>;

  const listed = async ({ principalId }: Connected, position: string): Promise<Record<string, unknown>> => {
    const entries = ['sessions', 'grants', 'refresh-families'].map(async (name) => {
      // The console has a grant of its own since the sign-in.
      const query = new URLSearchParams({ principalId, ...(name === 'grants' ? { clientId } : {}) });
      const rows = await tenant.list<AccessRow>(`/v1/${name}?${query}`, position);
      return [name, rows.map(({ status, endedBy, reason }) => [status, endedBy, reason])] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  };
  const isHonoured = async ({ browser, access_token: token, refresh_token: refreshToken }: Connected) => {
    const read = await tenant.read('/v1/principals', { token });
    const account = await pageOf(browser.go('/account'));
    const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken };
    const refreshed = await tenant.requestToken(form);
    return [read.status, /Signed in as/.test(account.text), refreshed.status];
  };

  it('stays usable or listed after all tokens were ended or the principal was suspended', async () => {
    const reason = 'Laptop stolen.';
    const bystander = await connected('bystander@example.org');
    for (const verb of ['epoch/bump', 'suspend']) {
      const person = await connected(`${verb.replace('/', '-')}@example.org`);
      const ended = await tenant.send('POST', `/v1/principals/${person.principalId}/${verb}`, { reason });
      const position = ended.headers.get('position') ?? '';
      await contentOf(ended);
      assert.deepEqual(await listed(person, position), {
        sessions: [['ENDED', 'security-epoch', reason]],
        grants: [['REVOKED', 'security-epoch', reason]],
        'refresh-families': [['REVOKED', 'security-epoch', reason]],
      });
      assert.deepEqual(await isHonoured(person), [401, false, 400], verb);
      const active = [['ACTIVE', null, null]];
      assert.deepEqual(await listed(bystander, position), {
        sessions: active,
        grants: active,
        'refresh-families': active,
      });
    }
    assert.deepEqual(await isHonoured(bystander), [200, true, 200]);
  });
});
