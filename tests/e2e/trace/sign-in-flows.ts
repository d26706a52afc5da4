/** Every flow by which people and applications come by tokens, through the system's own door, each as its owner would go it. */
import assert from 'node:assert/strict';
import type { Session } from '../../faults/system/harness/admin-session';
import { codeAtTime, keyIn } from '../../support/identity/authenticator-app';
import { commandLineFlow } from '../../support/identity/oauth-command-line';
import {
  type AuthorizationServer,
  codeFlow,
  deviceFlow,
  dpopBoundFlow,
  redirectUri,
} from '../../support/identity/oauth-flows';
import { openScriptlessBrowser, type Page, type ScriptlessBrowser } from '../../support/identity/scriptless-browser';
import { eventually } from '../../support/waiting/eventually';
import { recordSecretsThrough } from './recording-browser';
import { marker, type Secrets } from './secrets';

const site = 'http://septet.test';
const device = 'urn:ietf:params:oauth:grant-type:device_code';

interface Setting {
  readonly session: Session;
  readonly secrets: Secrets;
  readonly address: string;
}

type Asked = Readonly<Record<string, unknown>>;

const made = async ({ session, secrets }: Setting, path: string, body: Asked): Promise<Asked> => {
  const headers = { 'idempotency-key': marker() };
  let answered: Awaited<ReturnType<typeof session.ask>>;
  // Refused for now is not refused.
  await eventually(async () => {
    answered = await session.ask('POST', path, { body, headers });
    assert.ok(answered !== undefined, `${path}: ${JSON.stringify(session.seen())}`);
  });
  assert.equal(answered?.status, 201, `${path}: ${JSON.stringify(answered?.body)}`);
  const { clientSecret, enrolmentUrl } = answered.body;
  if (typeof clientSecret === 'string') secrets.set(clientSecret, 'client secret');
  if (typeof enrolmentUrl === 'string') secrets.set(enrolmentUrl.split('=').at(-1) as string, 'enrolment link');
  return answered.body;
};

const pageAt = (found: Awaited<ReturnType<ScriptlessBrowser['go']>>): Page => {
  assert.ok('text' in found, 'stayed on the site');
  assert.ok(found.status < 400, `${found.url.pathname}: ${found.status} ${found.text}`);
  return found;
};

/** Personal, and so not to be found either: in the log they are ciphertext. */
const somebody = (secrets: Secrets) => {
  const [login, displayName, password] = [`${marker()}@example.org`, `Ada ${marker()}`, `${marker()} by the sea`];
  secrets.set(login, 'login').set(displayName, 'name of a person').set(password, 'password');
  return { login, displayName, password };
};

const enrolled = async (setting: Setting, browser: ScriptlessBrowser) => {
  const { password, ...person } = somebody(setting.secrets);
  const { principalId, enrolmentUrl } = await made(setting, '/v1/people', { ...person, roles: ['auditor'] });
  await browser.press(pageAt(await browser.go(String(enrolmentUrl))), { password }, '/sign-in/enrol');
  return { person: String(principalId), login: person.login, password };
};

interface KnownBy {
  readonly login: string;
  readonly password: string;
}

/** Who guesses is counted, and so nobody is let in while that cannot be done in time. */
const entered = (browser: ScriptlessBrowser, known: KnownBy): Promise<void> =>
  eventually(async () => {
    pageAt(await browser.press(pageAt(await browser.go('/sign-in')), { ...known }, '/sign-in'));
  });

/** An app, and the codes for when it is lost, one of which is used. */
const secondFactor = async (secrets: Secrets, [browser, other]: readonly ScriptlessBrowser[], known: KnownBy) => {
  assert.ok(browser !== undefined && other !== undefined);
  const page = pageAt(await browser.go('/account/totp'));
  const code = codeAtTime(keyIn(page.text), Date.now());
  const { text } = pageAt(await browser.press(page, { code }, '/account/totp'));
  const codes = text.match(/(?<=<li>)[A-Z2-7-]{19}(?=<)/g) ?? [];
  assert.equal(codes.length, 10);
  secrets.set(/(?<=data-key>)[A-Z2-7]+/.exec(page.text)?.[0] ?? '', 'key of an app');
  for (const one of codes) secrets.set(one, 'recovery code').set(one.replaceAll('-', ''), 'recovery code');
  await entered(other, known);
  const paper = pageAt(await other.go('/sign-in/recovery'));
  const [used = ''] = codes;
  const account = pageAt(await other.press(paper, { code: used }, '/sign-in/recovery'));
  assert.match(account.text, /9 recovery codes are left/);
};

const application = async (setting: Setting, more: Asked): Promise<Asked> =>
  made(setting, '/v1/clients', {
    redirectUris: [redirectUri],
    scopes: ['openid', 'offline_access', 'principals:read'],
    ...more,
  });

const applications = async (setting: Setting) => {
  const grantTypes = ['authorization_code', 'refresh_token'];
  const authentication = 'none';
  const open = await application(setting, {
    ...{ name: 'Flows', grantTypes: [...grantTypes, device], authentication, firstParty: true },
  });
  const asks = await application(setting, { name: 'Asks', grantTypes });
  const secret = await made(setting, `/v1/clients/${String(asks.applicationId)}/secrets`, {});
  return {
    open: `main~${String(open.applicationId)}`,
    asks: { id: `main~${String(asks.applicationId)}`, secret: String(secret.clientSecret) },
  };
};

/** How many secrets passed. */
export const signInEverywhere = async (setting: Setting): Promise<number> => {
  const { secrets, address } = setting;
  const before = secrets.size;
  const fetch = recordSecretsThrough(secrets, [site, address]);
  const browser = openScriptlessBrowser(site, fetch);
  const { person, login, password } = await enrolled(setting, browser);
  const again = openScriptlessBrowser(site, fetch);
  await entered(again, { login, password });
  await secondFactor(secrets, [again, openScriptlessBrowser(site, fetch)], { login, password });
  const door: AuthorizationServer = {
    ...{ issuer: site, fetch, browser: () => browser, secondsAhead: 0, person, tenant: 'main' },
    ...(await applications(setting)),
  };
  await codeFlow(door);
  await dpopBoundFlow(door);
  await deviceFlow(door);
  await commandLineFlow(door);
  return secrets.size - before;
};
