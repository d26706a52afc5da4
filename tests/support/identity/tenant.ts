/** A separate tenant in a running system, so that files that share the system do not interfere. All requests go through the gateway. */
import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { adminScopes } from '../../../domain/identity/scopes';
import { challenge, verifier } from '../../identity/oauth/authorization/examples';
import type { System } from '../processes/running-system';
import { eventually } from '../waiting/eventually';
import { type LeftSite, openScriptlessBrowser, type Page, type ScriptlessBrowser } from './scriptless-browser';

/** Half of the lifetime of a pipeline's token. */
export const renewMilliseconds = 150_000;

const strongPassword = 'a quiet lamp by the sea';
export const appOrigin = 'https://app.example';
export const redirectUri = `${appOrigin}/callback`;

export interface ClientCredential {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface Person {
  readonly principalId: string;
  /** In which the person has set a password by the link. */
  readonly browser: ScriptlessBrowser;
  /** What the browser shows after that. */
  readonly page: Page;
}

export type Form = Readonly<Record<string, string>>;
type Headers = Readonly<Record<string, string>>;

export const pageOf = async (step: Promise<Page | LeftSite>): Promise<Page> => {
  const result = await step;
  assert.ok('text' in result, 'left' in result ? `left for ${result.left.origin}` : '');
  return result;
};

/** The content of an answer that has to be a success. */
export const contentOf = async <Content>(answer: Response | Promise<Response>): Promise<Content> => {
  const { status, url } = await answer;
  const text = await (await answer).text();
  assert.ok(status < 300, `${url}: ${status} ${text}`);
  return JSON.parse(text) as Content;
};

const requestToken = (system: Pick<System, 'url'>, form: Form, headers: Headers = {}): Promise<Response> =>
  fetch(`${system.url}/oauth/token`, { method: 'POST', headers, body: new URLSearchParams(form) });

export const issueTokenTo = async (
  system: Pick<System, 'url'>,
  { clientId, clientSecret }: ClientCredential,
): Promise<string> => {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  return (await contentOf<{ readonly access_token: string }>(requestToken(system, form))).access_token;
};

/** As an operator of the platform does, and then the tenant's first administrator. */
const registerTenant = async (
  system: Pick<System, 'url'>,
  { operator, tenantId }: { readonly operator: ClientCredential; readonly tenantId: string },
): Promise<ClientCredential> => {
  const post = (path: string, body: object, headers: Headers = {}): Promise<Response> =>
    fetch(`${system.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const authorization = `Bearer ${await issueTokenTo(system, operator)}`;
  const registered = post('/v1/tenants', { tenantId, name: `Tenant ${tenantId}` }, { authorization });
  const { code } = await contentOf<{ readonly code: string }>(registered);
  return contentOf<ClientCredential>(post('/v1/bootstrap', { code }));
};

/** A pipeline that may do everything in its tenant, recorded past the services: with scopes of contexts that are not shipped, or before a first sign-in. */
const recordAdministrator = async (
  system: System,
  tenantId: string,
  moreScopes: readonly string[] = [],
): Promise<ClientCredential> => {
  const [principalId, credentialId] = [randomUUID(), randomUUID()];
  const clientSecret = randomBytes(32).toString('base64url');
  const secretHash = createHash('sha256').update(clientSecret).digest('hex');
  const createdAt = new Date().toISOString();
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const stream = `identity.principal-${tenantId}.${principalId}`;
  const registered = { principalId, tenantId, principalType: 'PIPELINE', createdAt };
  const scopes = [...adminScopes, ...moreScopes];
  const credential = { principalId, credentialId, secretHash, scopes, createdAt, expiresAt };
  await system.record(stream, 'identity.PrincipalRegistered.v1', registered, tenantId);
  await system.record(stream, 'identity.CredentialIssued.v1', credential, tenantId);
  return { clientId: `${tenantId}.${principalId}`, clientSecret };
};

export const openTenant = async (
  system: System,
  /** Of contexts that are not shipped. */
  { moreScopes = [] }: { readonly moreScopes?: readonly string[] } = {},
) => {
  const tenantId = `tenant-${randomBytes(6).toString('hex')}`;
  const { operator } = system;
  const administrator =
    operator === undefined || moreScopes.length > 0
      ? await recordAdministrator(system, tenantId, moreScopes)
      : await registerTenant(system, { operator, tenantId });
  const issueToken = (): Promise<string> => issueTokenTo(system, administrator);
  const adminToken = await issueToken();
  let fresh = { token: adminToken, issuedAt: performance.now() };
  /** The administrator's, of what takes longer than a token lives. While none can be issued, the last one. */
  const freshToken = async (): Promise<string> => {
    if (performance.now() - fresh.issuedAt > renewMilliseconds) {
      const token = await issueToken().catch(() => undefined);
      if (token !== undefined) fresh = { token, issuedAt: performance.now() };
    }
    return fresh.token;
  };

  /** As the administrator, where no other token is named. */
  const send = (method: string, path: string, body: object, token = adminToken): Promise<Response> =>
    fetch(`${system.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const read = (path: string, { token = adminToken, position }: { token?: string; position?: string } = {}) =>
    fetch(`${system.url}${path}`, {
      headers: { authorization: `Bearer ${token}`, ...(position === undefined ? {} : { 'min-position': position }) },
    });
  /** Rows of a list, which include what was recorded up to the position; a view that is behind answers 503. */
  const list = async <Row>(path: string, position?: string): Promise<readonly Row[]> => {
    let rows: readonly Row[] = [];
    await eventually(async () => {
      const answer = await read(path, position === undefined ? {} : { position });
      rows = (await contentOf<{ readonly items: readonly Row[] }>(answer)).items;
    });
    return rows;
  };

  /** A public first-party application by default. */
  const registerClient = async (more: object = {}): Promise<string> => {
    const usual = {
      name: 'App',
      scopes: ['principals:read'],
      grantTypes: ['authorization_code', 'refresh_token'],
      redirectUris: [redirectUri],
      authentication: 'none',
      firstParty: true,
    };
    return (await contentOf<{ clientId: string }>(send('POST', '/v1/clients', { ...usual, ...more }))).clientId;
  };
  const registerConfidential = async (authentication: string, more: object = {}): Promise<ClientCredential> => {
    const clientId = await registerClient({ authentication, ...more });
    const [, applicationId] = clientId.split('~');
    return contentOf<ClientCredential>(send('POST', `/v1/clients/${applicationId}/secrets`, {}));
  };

  const enrol = async (login: string, roles: readonly string[] = ['auditor']): Promise<Person> => {
    const made = send('POST', '/v1/people', { login, displayName: 'Ada', roles });
    const { principalId, enrolmentUrl } = await contentOf<{ principalId: string; enrolmentUrl: string }>(made);
    const browser = openScriptlessBrowser(system.url, fetch);
    const link = await pageOf(browser.go(enrolmentUrl));
    const page = await pageOf(browser.press(link, { password: strongPassword }, '/sign-in/enrol'));
    return { principalId, browser, page };
  };

  /** Where the person's browser is led by the application's request. */
  const authorize = (browser: ScriptlessBrowser, clientId: string, more: Form = {}): Promise<Page | LeftSite> => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: 'principals:read',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state: 's',
      ...more,
    });
    return browser.go(`/oauth/authorize?${query}`);
  };
  const codeFor = async (browser: ScriptlessBrowser, clientId: string, more: Form = {}): Promise<string> => {
    const step = await authorize(browser, clientId, more);
    assert.ok('left' in step, 'left' in step ? '' : `stayed at ${step.url.pathname}: ${step.status}`);
    const code = step.left.searchParams.get('code');
    assert.ok(code !== null, step.left.href);
    return code;
  };
  const redemptionOf = (code: string, clientId: string): Form => ({
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
  });

  return {
    tenantId,
    url: system.url,
    administrator,
    adminToken,
    freshToken,
    send,
    read,
    list,
    requestToken: (form: Form, headers?: Headers) => requestToken(system, form, headers),
    registerClient,
    registerConfidential,
    enrol,
    authorize,
    codeFor,
    redemptionOf,
  };
};

export type Tenant = Awaited<ReturnType<typeof openTenant>>;
