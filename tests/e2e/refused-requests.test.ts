/** Why a request was refused, found by the request id that its caller has, through the real gateway of a running system. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openScriptlessBrowser } from '../support/identity/scriptless-browser';
import {
  type ClientCredential,
  contentOf,
  issueTokenTo,
  openTenant,
  pageOf,
  type Tenant,
} from '../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../support/processes/running-system';
import { fromRunner } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';

interface RefusedRequest {
  readonly principalId: string | null;
  readonly clientId: string | null;
  readonly isProven: boolean;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly code: string;
  readonly reason: string;
  readonly requestId: string;
}

interface Refused {
  readonly status: number;
  readonly requestId: string;
}

const path = '/v1/security/refused-requests';

describe('requests that are refused', function () {
  this.timeout(240_000);
  let address: SharedSystem;
  let system: System;
  let tenant: Tenant;

  before(async () => {
    address = JSON.parse(await fromRunner('system')) as SharedSystem;
    system = openSystem(address);
    tenant = await openTenant(system);
  });
  after(() => system.close());

  const refused = async (target: string, init: RequestInit = {}): Promise<Refused> => {
    const { status, headers } = await fetch(`${system.url}${target}`, init);
    return { status, requestId: headers.get('x-request-id') ?? '' };
  };
  const listed = async (query: string, token?: string): Promise<readonly RefusedRequest[]> => {
    const answer = tenant.read(`${path}?${query}`, token === undefined ? {} : { token });
    return (await contentOf<{ readonly items: readonly RefusedRequest[] }>(answer)).items;
  };
  const findById = async (requestId: string, token?: string): Promise<RefusedRequest> => {
    let found: RefusedRequest | undefined;
    await eventually(async () => {
      [found] = await listed(`requestId=${requestId}`, token);
      assert.ok(found !== undefined);
    });
    return found as RefusedRequest;
  };
  const operatorToken = async (): Promise<string> => {
    assert.ok(system.operator !== undefined);
    return issueTokenTo(system, system.operator);
  };

  const pipelineWith = async (
    ...scopes: readonly string[]
  ): Promise<ClientCredential & { readonly principalId: string }> => {
    const made = tenant.send('POST', '/v1/principals', { principalType: 'PIPELINE' });
    const { principalId } = await contentOf<{ readonly principalId: string }>(made);
    const issued = tenant.send('POST', `/v1/principals/${principalId}/credentials`, { scopes });
    return { ...(await contentOf<ClientCredential>(issued)), principalId };
  };
  const formOf = ({ clientId, clientSecret }: ClientCredential) => ({
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }),
  });

  it('for a missing scope are listed with the scope, the principal and the route, and only those with the scope see it', async () => {
    const { principalId, ...credential } = await pipelineWith('principals:read');
    const authorization = `Bearer ${await issueTokenTo(system, credential)}`;
    const { status, requestId } = await refused('/v1/clients/some-client?x=1', {
      headers: { authorization },
    });
    assert.equal(status, 403);
    const { isProven, ...found } = await findById(requestId);
    assert.deepEqual(
      [found.principalId, found.clientId, isProven, found.method, found.route, found.status, found.code, found.reason],
      [
        principalId,
        credential.clientId,
        true,
        'GET',
        '/v1/clients/{applicationId}',
        403,
        'forbidden',
        'The token lacks the scope clients:read.',
      ],
    );
    assert.deepEqual(
      (await listed(`principalIds=${principalId}&code=forbidden`)).map((one) => one.requestId),
      [requestId],
    );
    assert.deepEqual(await listed(`principalIds=${principalId}&code=unauthenticated`), []);
    assert.equal((await refused(path, { headers: { authorization } })).status, 403, 'it lacks security:read');
    assert.deepEqual(await listed(`requestId=${requestId}`, (await openTenant(system)).adminToken), [], 'of others');
  });

  it('for a revoked token are listed with whose it was', async () => {
    const { principalId, ...credential } = await pipelineWith('principals:read');
    const authorization = `Bearer ${await issueTokenTo(system, credential)}`;
    await contentOf(tenant.send('POST', `/v1/principals/${principalId}/suspend`, { reason: 'It leaked.' }));
    let last: Refused | undefined;
    await eventually(async () => {
      last = await refused('/v1/principals', { headers: { authorization } });
      assert.equal(last.status, 401);
    });
    const found = await findById(last?.requestId ?? '');
    assert.deepEqual(
      [found.principalId, found.code, found.reason],
      [principalId, 'token_revoked', 'The token was revoked.'],
    );
  });

  it('for a token that is none are for operators, and hold nothing of it', async () => {
    const requestId = `mine-${randomUUID()}`;
    const headers = { authorization: 'Bearer hunter2.hunter2.hunter2', 'x-request-id': requestId };
    assert.deepEqual(await refused('/v1/principals?q=hunter2', { headers }), { status: 401, requestId });
    const found = await findById(requestId, await operatorToken());
    assert.deepEqual(
      [found.principalId, found.clientId, found.isProven, found.route, found.status, found.reason],
      [null, null, false, '/v1/principals', 401, 'The token is malformed or of another kind.'],
    );
    assert.doesNotMatch(JSON.stringify(found), /hunter2/);
    assert.deepEqual(await listed(`requestId=${requestId}`), []);
    assert.equal((await tenant.read(`${path}?about=strangers`)).status, 403);
  });

  it('for a wrong client secret say so, which the answer does not', async () => {
    const { principalId, ...credential } = await pipelineWith('principals:read');
    const wrong = await refused('/oauth/token', formOf({ ...credential, clientSecret: 'hunter2' }));
    assert.equal(wrong.status, 401);
    const found = await findById(wrong.requestId);
    assert.deepEqual(
      [found.principalId, found.clientId, found.isProven, found.route, found.code, found.reason],
      [principalId, credential.clientId, false, '/oauth/token', 'invalid_client', 'The client secret is wrong.'],
    );
    const unknown = await refused('/oauth/token', formOf({ clientId: `${tenant.tenantId}.no-one`, clientSecret: 'x' }));
    const { reason } = await findById(unknown.requestId, await operatorToken());
    assert.equal(reason, 'No principal has this client id.');
    assert.deepEqual(await listed(`requestId=${unknown.requestId}`), []);
  });

  it('by the limit of the token endpoint name the client, in both lists', async () => {
    const { principalId, ...credential } = await pipelineWith('principals:read');
    assert.equal((await refused('/oauth/token', formOf(credential))).status, 200);
    let last: Refused | undefined;
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 30 }, () => refused('/oauth/token', formOf(credential))));
      last = answers.find(({ status }) => status === 429);
      assert.ok(last !== undefined);
    });
    const found = await findById(last?.requestId ?? '');
    assert.deepEqual(
      [found.principalId, found.clientId, found.isProven, found.status, found.reason],
      [principalId, credential.clientId, true, 429, 'Over the rate limit token-proven.'],
    );
    await eventually(async () => {
      const path = `/v1/ratelimit/refusals?principalId=${principalId}`;
      const { items } = await contentOf<{ readonly items: readonly Pick<RefusedRequest, 'clientId'>[] }>(
        tenant.read(path),
      );
      assert.equal(items[0]?.clientId, credential.clientId);
    });
  });

  it('for a scope that the client may not have are the client’s', async () => {
    const { principalId, ...credential } = await pipelineWith('principals:read');
    const { body } = formOf(credential);
    body.set('scope', 'principals:write');
    const { status, requestId } = await refused('/oauth/token', { method: 'POST', body });
    assert.equal(status, 400);
    const found = await findById(requestId);
    assert.deepEqual([found.principalId, found.isProven, found.code], [principalId, true, 'invalid_scope']);
  });

  it('for a wrong password name the person', async () => {
    const login = `grace-${randomUUID()}@example.org`;
    const { principalId } = await tenant.enrol(login);
    let requestId = '';
    const watched: typeof fetch = async (url, init) => {
      const answer = await fetch(url, init);
      requestId = answer.headers.get('x-request-id') ?? '';
      return answer;
    };
    const browser = openScriptlessBrowser(system.url, watched as never);
    const page = await pageOf(browser.go(`/sign-in?tenant=${tenant.tenantId}`));
    const again = await pageOf(browser.press(page, { login, password: 'hunter2' }, '/sign-in'));
    assert.equal(again.status, 401);
    const found = await findById(requestId);
    assert.deepEqual(
      [found.principalId, found.isProven, found.route, found.code, found.reason],
      [principalId, false, '/sign-in', 'sign-in-refused', 'The password is wrong, or none is set.'],
    );
  });

  it('for too many wrong passwords name the person, too', async () => {
    const login = `lin-${randomUUID()}@example.org`;
    const { principalId } = await tenant.enrol(login);
    let requestId = '';
    const watched: typeof fetch = async (url, init) => {
      const answer = await fetch(url, init);
      requestId = answer.headers.get('x-request-id') ?? '';
      return answer;
    };
    const browser = openScriptlessBrowser(system.url, watched as never);
    const page = await pageOf(browser.go(`/sign-in?tenant=${tenant.tenantId}`));
    const guess = () => pageOf(browser.press(page, { login, password: 'hunter2' }, '/sign-in'));
    for (let tries = 0; tries < 10; tries += 1) assert.equal((await guess()).status, 401);
    assert.equal((await guess()).status, 429);
    const found = await findById(requestId);
    assert.deepEqual(
      [found.principalId, found.isProven, found.status, found.code, found.reason],
      [principalId, false, 429, 'sign-in-limited', 'Too many wrong passwords: try again later.'],
    );
    const stranger = { login: `no-${randomUUID()}@example.org`, password: 'hunter2' };
    for (let tries = 0; tries < 11; tries += 1) await pageOf(browser.press(page, stranger, '/sign-in'));
    const unknown = await findById(requestId, await operatorToken());
    assert.deepEqual([unknown.principalId, unknown.code], [null, 'sign-in-limited'], 'nobody has this login');
  });

  it('without a token say so, and for a wrong first code what the page says', async () => {
    const bare = await refused('/v1/principals');
    assert.equal((await findById(bare.requestId, await operatorToken())).reason, 'The request had no access token.');
    let requestId = '';
    const watched: typeof fetch = async (url, init) => {
      const answer = await fetch(url, init);
      requestId = answer.headers.get('x-request-id') ?? '';
      return answer;
    };
    const browser = openScriptlessBrowser(system.url, watched as never);
    const page = await pageOf(browser.go('/sign-in/first'));
    const typed = { code: 'no-such-code-at-all', login: 'eve', displayName: 'Eve' };
    assert.equal((await pageOf(browser.press(page, typed, '/sign-in/first'))).status, 403);
    const found = await findById(requestId, await operatorToken());
    assert.deepEqual(
      [found.code, found.reason],
      ['sign-in-refused', 'This is not a code of a first start or of a new organization, or it has expired.'],
    );
  });

  it('have a line with the request id in the log of the gateway, and of the service that refused', async () => {
    const { clientId } = await pipelineWith('principals:read');
    const { requestId } = await refused('/oauth/token', formOf({ clientId, clientSecret: 'hunter2' }));
    await findById(requestId);
    const logs = join(address.data, 'logs');
    const lines = readdirSync(logs)
      .flatMap((file) => readFileSync(join(logs, file), 'utf8').split('\n'))
      .filter((line) => line.includes(requestId) && line.includes('request refused'))
      .map(
        (line) => JSON.parse(line.slice(line.indexOf('{'))) as { readonly service: string; readonly reason: string },
      );
    assert.deepEqual(lines.map(({ service }) => service).sort(), ['commands', 'gateway']);
    for (const { reason } of lines) assert.equal(reason, 'The client secret is wrong.');
  });
});
