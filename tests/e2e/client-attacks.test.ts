/** Attacks on the registration of applications and on how they prove themselves, through the real gateway of a running system. */
import assert from 'node:assert/strict';
import {
  appOrigin,
  type ClientCredential,
  contentOf,
  openTenant,
  redirectUri,
  type Tenant,
} from '../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../support/processes/running-system';
import { fromRunner } from '../support/servers/shared-servers';

const otherOrigin = 'https://other.example';
const documents = ['/oauth/jwks', '/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];

interface Refusal {
  readonly code?: string;
  readonly error?: string;
  readonly error_description?: string;
  readonly errors?: readonly { readonly pointer: string }[];
}

describe('attacks on applications, through the gateway', function () {
  this.timeout(240_000);
  let system: System;
  let tenant: Tenant;
  let principalId: string;

  before(async () => {
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
    tenant = await openTenant(system);
    ({ principalId } = await contentOf<{ principalId: string }>(
      tenant.send('POST', '/v1/principals', { principalType: 'PIPELINE' }),
    ));
    await contentOf(tenant.send('POST', `/v1/principals/${principalId}/scopes/grant`, { scopes: ['principals:read'] }));
  });
  after(() => system.close());

  /** One that gets tokens for a pipeline, besides people's. */
  const registerService = (authentication: string, exactAuthentication = false): Promise<ClientCredential> => {
    const grantTypes = ['authorization_code', 'client_credentials'];
    const more = { grantTypes, firstParty: false, servicePrincipalId: principalId, exactAuthentication };
    return tenant.registerConfidential(authentication, more);
  };
  const refusalOf = async (answer: Promise<Response>) => {
    const { status } = await answer;
    return { status, ...((await (await answer).json()) as Refusal) };
  };

  it('a registration says what no field is for: it is refused with the place of each, and leaves nothing', async () => {
    const registration = {
      name: 'Strange',
      scopes: ['principals:read'],
      grantTypes: ['authorization_code'],
      redirectUris: [redirectUri],
      authentication: 'none',
    };
    const clientId = await tenant.registerClient();
    const [, applicationId] = clientId.split('~');
    const attempts: readonly (readonly [object, readonly string[]])[] = [
      [
        { logoUri: 'https://app.example/logo.png', allowedOrigins: [otherOrigin] },
        ['/body/logoUri', '/body/allowedOrigins'],
      ],
      [{ jwks: { keys: [], use: 'sig' } }, ['/body/jwks/use']],
    ];
    for (const [unknown, pointers] of attempts)
      for (const [method, path] of [
        ['POST', '/v1/clients'],
        ['PUT', `/v1/clients/${applicationId}`],
      ] as const) {
        const { status, code, errors } = await refusalOf(tenant.send(method, path, { ...registration, ...unknown }));
        assert.deepEqual([status, code], [400, 'invalid-input'], method);
        assert.deepEqual(
          errors?.map(({ pointer }) => pointer),
          pointers,
          method,
        );
      }
    const last = await tenant.send('POST', '/v1/clients', { ...registration, name: 'Plain' });
    const clients = await tenant.list<{ readonly name: string }>('/v1/clients', last.headers.get('position') ?? '');
    const names = clients.map(({ name }) => name);
    assert.ok(names.includes('Plain') && !names.includes('Strange'), names.join());
  });

  const allowedFor = ({ headers }: Response): string | null => {
    assert.equal(headers.get('access-control-allow-credentials'), null);
    return headers.get('access-control-allow-origin');
  };

  it('a page of an origin that is not registered for a client reads its tokens, or why it is refused', async () => {
    const service = await registerService('client_secret_post');
    const other = await tenant.registerClient({ redirectUris: [`${otherOrigin}/callback`] });
    const granted = {
      grant_type: 'client_credentials',
      client_id: service.clientId,
      client_secret: service.clientSecret,
    };
    const asOther = { grant_type: 'refresh_token', refresh_token: 'x', client_id: other };
    for (const [form, own, status] of [
      [granted, appOrigin, 200],
      [{ ...granted, client_secret: 'wrong' }, appOrigin, 401],
      [asOther, otherOrigin, 400],
    ] as const)
      for (const origin of [appOrigin, otherOrigin, `${appOrigin}.evil.example`, `${appOrigin}:8443`, 'null']) {
        const answer = await tenant.requestToken(form, { origin });
        assert.deepEqual(
          [answer.status, allowedFor(answer)],
          [status, origin === own ? own : null],
          `${status} ${origin}`,
        );
        assert.match(answer.headers.get('vary') ?? '', /\bOrigin\b/);
      }
  });

  it('a page of any origin reads discovery and signing keys, and no answer of the API', async () => {
    const headers = { origin: 'https://anywhere.example' };
    for (const path of documents) {
      const answer = await fetch(`${tenant.url}${path}`, { headers });
      assert.deepEqual([answer.status, allowedFor(answer)], [200, '*'], path);
    }
    const preflight = async (path: string, method: string) => {
      const preflightHeaders = { ...headers, 'access-control-request-method': method };
      return allowedFor(await fetch(`${tenant.url}${path}`, { method: 'OPTIONS', headers: preflightHeaders }));
    };
    for (const path of [...documents, '/oauth/token']) assert.equal(await preflight(path, 'POST'), '*', path);
    for (const path of ['/v1/clients', '/oauth/introspect', '/sign-in'])
      assert.equal(await preflight(path, 'POST'), null, path);
    assert.equal(allowedFor(await fetch(`${tenant.url}/v1/clients`, { headers })), null);
  });

  const byForm = ({ clientId, clientSecret }: ClientCredential) =>
    tenant.requestToken({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret });
  const byBasic = ({ clientId, clientSecret }: ClientCredential, more: Readonly<Record<string, string>> = {}) => {
    const authorization = `Basic ${btoa(`${encodeURIComponent(clientId)}:${clientSecret}`)}`;
    return tenant.requestToken({ grant_type: 'client_credentials', ...more }, { authorization });
  };

  it('a client presents its secret in the header or the form, whichever it is registered for', async () => {
    for (const authentication of ['client_secret_post', 'client_secret_basic']) {
      const client = await registerService(authentication);
      assert.deepEqual([(await byForm(client)).status, (await byBasic(client)).status], [200, 200], authentication);
    }
  });

  it('a client authenticates by another method than it is held to: only a caller with its secret learns which', async () => {
    const form = await registerService('client_secret_post', true);
    const basic = await registerService('client_secret_basic', true);
    assert.deepEqual([(await byForm(form)).status, (await byBasic(basic)).status], [200, 200]);
    for (const [attempt, registered] of [
      [byForm(basic), 'client_secret_basic'],
      [byBasic(form), 'client_secret_post'],
    ] as const) {
      const { status, error, error_description: description } = await refusalOf(attempt);
      assert.deepEqual([status, error], [401, 'invalid_client']);
      assert.match(description ?? '', new RegExp(`registered for ${registered}`));
    }
    const unknownClient = await refusalOf(byForm({ clientId: `${tenant.tenantId}~nobody`, clientSecret: 'wrong' }));
    assert.deepEqual([unknownClient.status, unknownClient.error], [401, 'invalid_client']);
    const guesses = [
      byForm({ ...basic, clientSecret: 'wrong' }),
      byBasic({ ...form, clientSecret: 'wrong' }),
      byForm({ ...basic, clientSecret: form.clientSecret }),
      tenant.requestToken({ grant_type: 'client_credentials', client_id: basic.clientId }),
    ];
    for (const guess of guesses) assert.deepEqual(await refusalOf(guess), unknownClient);
    const both = byBasic(basic, { client_id: basic.clientId, client_secret: basic.clientSecret });
    assert.equal((await refusalOf(both)).error, 'invalid_request');
  });

  it('what discovery lists as ways to prove oneself is none for a client that has a secret', async () => {
    const discovered = await contentOf<Record<string, unknown>>(fetch(`${tenant.url}${documents[1]}`));
    const methods = discovered.token_endpoint_auth_methods_supported as readonly string[];
    assert.ok(methods.includes('none') && methods.includes('client_secret_post'), methods.join());
    const { clientId } = await registerService('client_secret_post');
    assert.equal(
      (await refusalOf(tenant.requestToken({ grant_type: 'client_credentials', client_id: clientId }))).status,
      401,
    );
    const open = await tenant.registerClient();
    assert.deepEqual([methods[0], methods[1], methods.at(-1)], ['client_secret_basic', 'client_secret_post', 'none']);
    const asPublic = tenant.requestToken({ grant_type: 'refresh_token', refresh_token: 'x', client_id: open });
    assert.equal((await refusalOf(asPublic)).error, 'invalid_grant');
  });
});
