/** Delegations through the real gateway of a running system: the guide as written, and what ends a token of an agent everywhere. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { decodeJwt } from 'jose';
import { installSeparate, separatePackages } from '../../tools/separate-packages/install';
import { runDocument } from '../support/documents/run-document';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { type ClientCredential, contentOf, openTenant, type Tenant } from '../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../support/processes/running-system';
import { needs } from '../support/runner/prerequisites';
import { fromRunner } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';

const field = /^field\(\).*$/m.exec(readFileSync(join(process.cwd(), 'README.md'), 'utf8'))?.[0] ?? '';
const loader = pathToFileURL(require.resolve('tsx')).href;

/** What the guide's programs import: our packages from their sources, so that nothing has to be packed. */
const installInto = (home: string): void => {
  installSeparate('thirdParty');
  const modules = join(home, 'node_modules');
  for (const name of ['client', 'resource-server']) {
    const directory = join(modules, '@septet', name);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'package.json'), JSON.stringify({ type: 'module', exports: './index.ts' }));
    const source = join(process.cwd(), 'packages', name, 'src', 'index.ts');
    writeFileSync(join(directory, 'index.ts'), `export * from ${JSON.stringify(source)};`);
  }
  for (const name of ['@modelcontextprotocol', 'express', 'zod'])
    symlinkSync(join(separatePackages.thirdParty, 'node_modules', name), join(modules, name));
};

const signedIn = `SEPTET=http://localhost:7070\n${field}\nauth="Authorization: Bearer $TOKEN"`;

describe('delegations, through the gateway', function () {
  this.timeout(240_000);
  needs('bash', 'curl');
  let system: System;
  let tenant: Tenant;
  let agent: ClientCredential & { readonly principalId: string };

  before(async () => {
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
    tenant = await openTenant(system);
    const { principalId } = await contentOf<{ principalId: string }>(
      tenant.send('POST', '/v1/principals', { principalType: 'AI_AGENT', label: 'Ticket agent' }),
    );
    const credential = { scopes: ['principals:read', 'principals:write'] };
    const issued = await contentOf<ClientCredential>(
      tenant.send('POST', `/v1/principals/${principalId}/credentials`, credential),
    );
    agent = { ...issued, principalId };
  });
  after(() => system.close());

  /** A person with every scope, and their token of a sign-in. */
  const signIn = async (name: string) => {
    const { browser, principalId } = await tenant.enrol(`${name}@example.org`, ['admin']);
    const scopes = ['principals:read', 'principals:write', 'delegations:create'];
    const clientId = await tenant.registerClient({ name: `${name}'s app`, scopes });
    const code = await tenant.codeFor(browser, clientId, { scope: scopes.join(' ') });
    const tokens = await contentOf<{ access_token: string }>(tenant.requestToken(tenant.redemptionOf(code, clientId)));
    return { principalId, token: tokens.access_token };
  };
  const delegate = async (token: string) => {
    const task = { agentId: agent.principalId, taskId: 'ticket-1', audience: 'septet', scopes: ['principals:read'] };
    const made = tenant.send('POST', '/v1/delegations', { ...task, expiresInSeconds: 28_800 }, token);
    return contentOf<{ delegationId: string; expiresAt: string }>(made);
  };
  const redeem = async (delegationId: string): Promise<string> => {
    const form = {
      ...{ grant_type: 'client_credentials', delegation_id: delegationId, task_id: 'ticket-1' },
      ...{ client_id: agent.clientId, client_secret: agent.clientSecret },
    };
    return (await contentOf<{ access_token: string }>(tenant.requestToken(form))).access_token;
  };
  const statusOf = async (token: string): Promise<number> =>
    (await tenant.read('/v1/principals?limit=1', { token })).status;
  const isRefused = (token: string): Promise<void> => eventually(async () => assert.equal(await statusOf(token), 401));

  it('are for the audience, scopes and task, and no more', async () => {
    const person = await signIn('ada');
    const { delegationId, expiresAt } = await delegate(person.token);
    assert.ok(Date.parse(expiresAt) <= Date.now() + 28_800_000);
    const token = await redeem(delegationId);
    const { sub, on_behalf_of: onBehalfOf, act } = decodeJwt(token);
    assert.deepEqual([sub, onBehalfOf, act], [agent.principalId, person.principalId, { sub: agent.principalId }]);
    assert.equal(await statusOf(token), 200);
    const write = await tenant.send('POST', '/v1/principals', { principalType: 'PIPELINE' }, token);
    assert.equal(write.status, 403);
  });

  const ends = {
    suspended: (principalId: string) =>
      tenant.send('POST', `/v1/principals/${principalId}/suspend`, { reason: 'Lost.' }),
    compromised: (principalId: string) =>
      tenant.send('POST', `/v1/principals/${principalId}/compromise`, { reason: 'Lost.' }),
    'without a role': (principalId: string) =>
      tenant.send('POST', `/v1/principals/${principalId}/roles/withdraw`, { roles: ['admin'], reason: 'Moved.' }),
    'of a new epoch': (principalId: string) =>
      tenant.send('POST', `/v1/principals/${principalId}/epoch/bump`, { reason: 'Lost.' }),
  };
  for (const [what, end] of Object.entries(ends))
    it(`are over at every gateway when the delegator is ${what}`, async () => {
      const person = await signIn(`person-${what.replaceAll(' ', '-')}`);
      const token = await redeem((await delegate(person.token)).delegationId);
      assert.equal(await statusOf(token), 200);
      await contentOf(end(person.principalId));
      await isRefused(token);
    });

  it('say in events for whom the agent acted', async () => {
    const person = await signIn('grace');
    const task = { agentId: agent.principalId, taskId: 'ticket-1', audience: 'septet', scopes: ['principals:write'] };
    const { delegationId } = await contentOf<{ delegationId: string }>(
      tenant.send('POST', '/v1/delegations', { ...task, expiresInSeconds: 600 }, person.token),
    );
    const token = await redeem(delegationId);
    const made = tenant.send('POST', '/v1/principals', { principalType: 'PIPELINE' }, token);
    const { principalId } = await contentOf<{ principalId: string }>(made);
    const path = `/v1/platform/streams/identity.principal-${tenant.tenantId}.${principalId}/events`;
    const [first] = await tenant.list<{ readonly metadata: Record<string, unknown> }>(path);
    const { actor, onBehalfOf, delegationId: by, taskId } = first?.metadata ?? {};
    assert.deepEqual(
      [actor, onBehalfOf, by, taskId],
      [agent.principalId, person.principalId, delegationId, 'ticket-1'],
    );
  });

  it('work as docs/agents.md describes, also at an MCP server', async () => {
    const home = temporaryDirectory('agents-guide');
    installInto(home.path);
    const env = { TOKEN: tenant.adminToken, HOME: home.path };
    const place = { directory: home.path, url: system.url, env };
    const change = (script: string): string =>
      script.replaceAll(/node (?=\w+\.mjs)/g, `NODE_OPTIONS="--import ${loader}" node `);
    const output = await runDocument({ document: 'docs/agents.md', after: signedIn, change }, place);
    assert.match(output, /^principals:read$/m);
    const [, metadata] = /401 .*resource_metadata="([^"]+)"/m.exec(output) ?? [];
    assert.match(metadata ?? output, /\/\.well-known\/oauth-protected-resource\/mcp$/);
    const [, person, by] = /^4711 is closed for (\S+) by (\S+), task ticket-4711$/m.exec(output) ?? [];
    assert.equal(person, decodeJwt(tenant.adminToken).sub);
    assert.notEqual(by, person);
    assert.match(output, /^200\n\{.*\}401\ninvalid_grant\n$/m);
    home.remove();
  });
});
