/** Every flow by which people and applications get tokens, through the system's own gateway, each as its owner would go it. */
import assert from 'node:assert/strict';
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
import type { Session } from '../system/harness/admin-session';
import { recordSecretsThrough } from './recording-browser';
import { marker, type Secrets } from './secrets';

const site = 'http://septet.test';
const device = 'urn:ietf:params:oauth:grant-type:device_code';

interface Setting {
  readonly session: Session;
  readonly secrets: Secrets;
  readonly address: string;
}

type JsonObject = Readonly<Record<string, unknown>>;

const made = async ({ session, secrets }: Setting, path: string, body: JsonObject): Promise<JsonObject> => {
  const headers = { 'idempotency-key': marker() };
  let answered: Awaited<ReturnType<typeof session.send>>;
  // Refused for now is not refused.
  await eventually(async () => {
    answered = await session.send('POST', path, { body, headers });
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
const newPerson = (secrets: Secrets) => {
  const [login, displayName, password] = [`${marker()}@example.org`, `Ada ${marker()}`, `${marker()} by the sea`];
  secrets.set(login, 'login').set(displayName, 'name of a person').set(password, 'password');
  return { login, displayName, password };
};

const enrolled = async (setting: Setting, browser: ScriptlessBrowser) => {
  const { password, ...person } = newPerson(setting.secrets);
  const { principalId, enrolmentUrl } = await made(setting, '/v1/people', { ...person, roles: ['auditor'] });
  await browser.press(pageAt(await browser.go(String(enrolmentUrl))), { password }, '/sign-in/enrol');
  return { person: String(principalId), login: person.login, password };
};

interface KnownBy {
  readonly login: string;
  readonly password: string;
}

/** The server counts guesses, and refuses sign-ins while its store is too slow to count. */
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

const application = async (setting: Setting, more: JsonObject): Promise<JsonObject> =>
  made(setting, '/v1/clients', {
    redirectUris: [redirectUri],
    scopes: ['openid', 'offline_access', 'principals:read'],
    ...more,
  });

const applications = async (setting: Setting) => {
  const grantTypes = ['authorization_code', 'refresh_token'];
  const authentication = 'none';
  const open = await application(setting, {
    name: 'Flows',
    grantTypes: [...grantTypes, device],
    authentication,
    firstParty: true,
  });
  const thirdParty = await application(setting, { name: 'Asks', grantTypes });
  const secret = await made(setting, `/v1/clients/${String(thirdParty.applicationId)}/secrets`, {});
  return {
    open: `main~${String(open.applicationId)}`,
    thirdParty: { id: `main~${String(thirdParty.applicationId)}`, secret: String(secret.clientSecret) },
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
  const authorizationServer: AuthorizationServer = {
    issuer: site,
    fetch,
    browser: () => browser,
    secondsAhead: 0,
    person,
    tenant: 'main',
    ...(await applications(setting)),
  };
  await codeFlow(authorizationServer);
  await dpopBoundFlow(authorizationServer);
  await deviceFlow(authorizationServer);
  await commandLineFlow(authorizationServer);
  return secrets.size - before;
};
