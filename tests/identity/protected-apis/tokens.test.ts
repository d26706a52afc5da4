/** Tokens for registered APIs: every grant that may issues them, with what the API, its tools and every link of a delegation allow. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { clientSecretHash } from '../../../commands/identity/clients/client-secret';
import type { CredentialId } from '../../../domain/identity/ids';
import type { PrincipalEvent } from '../../../domain/identity/principal/events';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { openDelegations } from '../delegations/fixture';
import { noon, scope, tenantId } from '../examples';
import { appSecret, open, personId, registerApplication } from '../grants/fixture';
import { api, audience, ticketsRead, ticketsWrite, tool } from './examples';

type World = Awaited<ReturnType<typeof openDelegations>>;

const agentId = 'ticket-agent' as PrincipalId;
const writer = { scopes: ['apis:write', 'delegations:create'] };

describe('tokens for registered APIs', () => {
  let world: World;
  let apiId: string;

  const send = (method: string, path: string, body: object, identity: object = writer) =>
    world.call(path, {
      method,
      identity: { ...world.person, ...identity },
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify(body),
    });
  const setTool = (name: string, changes: object = {}) =>
    send('PUT', `/v1/apis/${apiId}/tools/${name}`, { ...tool, ...changes });
  const register = (identity: object = writer, changes: object = {}) =>
    send('POST', '/v1/apis', { audience, ...api, ...changes }, identity);

  beforeEach(async () => {
    world = await openDelegations();
    const answer = await register();
    assert.equal(answer.status, 201);
    ({ apiId } = (await answer.json()) as { readonly apiId: string });
    const scopes = [ticketsRead, ticketsWrite, scope('principals:read')];
    const secret = { credentialId: 'c-1' as CredentialId, secretHash: clientSecretHash(appSecret) };
    const issued = { principalId: agentId, ...secret, scopes, createdAt: noon, expiresAt: null };
    await world.recordOf(
      agentId,
      {
        type: 'PrincipalRegistered',
        data: { principalId: agentId, tenantId, principalType: 'AI_AGENT', createdAt: noon },
      },
      { type: 'CredentialIssued', data: issued },
    );
  });
  afterEach(() => world.close());

  const direct = (more: Record<string, string> = {}) =>
    world.post('/oauth/token', { grant_type: 'client_credentials', ...more }, world.authorizationOf(agentId, tenantId));
  const scopesOf = async (answer: Promise<Response>) => {
    const { aud, scopes } = await world.claimsOf(answer);
    return [aud, [...scopes]];
  };
  const delegate = (changes: object = {}, identity: object = writer) =>
    world.created({ agentId: agentId, audience, scopes: [ticketsRead, ticketsWrite], ...changes }, identity);

  it('have the scopes of the API alone, and name it as their audience', async () => {
    assert.deepEqual(await scopesOf(direct({ resource: audience })), [[audience], [ticketsRead, ticketsWrite]]);
    assert.deepEqual(await scopesOf(direct()), [['septet'], ['principals:read', ticketsRead, ticketsWrite]]);
  });

  it('are not issued for two audiences, for those of other tenants, or without a scope of the API', async () => {
    const both = { resource: audience, audience: 'septet' };
    assert.equal(await world.errorOf(direct(both)), 'invalid_target');
    assert.equal(await world.errorOf(direct({ resource: 'https://other.example' })), 'invalid_target');
    assert.equal(await world.errorOf(direct({ resource: audience, scope: 'principals:read' })), 'invalid_scope');
  });

  it('are of one tenant: no other registers the audience, or gets tokens for it', async () => {
    const answer = await register({ ...writer, tenantId: 'globex' });
    assert.deepEqual([answer.status, ((await answer.json()) as { code: string }).code], [409, 'audience-taken']);
    await world.registerAgent(world.shared, agentId, 'globex' as TenantId);
    const theirs = world.post(
      '/oauth/token',
      { grant_type: 'client_credentials', resource: audience },
      world.authorizationOf(agentId, 'globex'),
    );
    assert.equal(await world.errorOf(theirs), 'invalid_target');
  });

  it('have for agents what the tools allow', async () => {
    await setTool('find');
    assert.deepEqual(await scopesOf(direct({ resource: audience })), [[audience], [ticketsRead]]);
    await setTool('close', { requiredScopes: [ticketsWrite], agentScopes: [ticketsWrite] });
    const both = [ticketsRead, ticketsWrite];
    assert.deepEqual(await scopesOf(direct({ resource: audience })), [[audience], both]);
    assert.deepEqual(await scopesOf(direct({ resource: audience, tool: 'close' })), [[audience], [ticketsWrite]]);
    assert.equal(await world.errorOf(direct({ resource: audience, tool: 'open' })), 'invalid_target');
    assert.equal(await world.errorOf(direct({ tool: 'close' })), 'invalid_target');
  });

  it('are not issued for a tool that needs an approval, or that is not for agents', async () => {
    await setTool('close', { requiredScopes: [ticketsWrite], agentScopes: [ticketsWrite], stepUp: true });
    const answer = await direct({ resource: audience, tool: 'close' });
    const { error, error_description: description } = (await answer.json()) as Record<string, string>;
    assert.deepEqual([answer.status, error], [400, 'access_denied']);
    assert.match(description ?? '', /^STEP_UP_REQUIRED/);
    assert.equal(await world.errorOf(direct({ resource: audience })), 'invalid_scope');
    await setTool('close', { principalTypes: ['HUMAN'] });
    assert.equal(await world.errorOf(direct({ resource: audience, tool: 'close' })), 'invalid_target');
    assert.equal(await world.errorOf(direct({ resource: audience })), 'invalid_scope');
  });

  it('of a delegation have what every link and the tool allow', async () => {
    const { delegationId } = await delegate();
    const redeem = (more: Record<string, string> = {}) => world.redeem(delegationId, more, agentId);
    assert.deepEqual(await scopesOf(redeem()), [[audience], [ticketsRead, ticketsWrite]]);
    await setTool('find');
    assert.deepEqual(await scopesOf(redeem()), [[audience], [ticketsRead]]);
    const claims = await world.claimsOf(redeem({ tool: 'find' }));
    assert.deepEqual([claims.scopes, claims.auth_context], [[ticketsRead], ['delegated', 'tool:find']]);
    assert.equal(await world.errorOf(redeem({ tool: 'find', scope: ticketsWrite })), 'invalid_scope');
  });

  it('of a delegation need that the delegator holds the scopes', async () => {
    const own: PrincipalEvent = { type: 'ScopesGranted', data: { principalId: personId, scopes: [ticketsRead] } };
    await world.recordOf(
      personId,
      { type: 'RolesWithdrawn', data: { principalId: personId, roles: ['admin'], reason: 'Moved on.' } },
      own,
    );
    const person = { scopes: ['delegations:create'], securityEpoch: 2 };
    const refused = await world.create({ agentId: agentId, audience, scopes: [ticketsWrite] }, person);
    assert.equal(refused.status, 403);
    const { delegationId } = await delegate({ scopes: [ticketsRead] }, person);
    assert.deepEqual(await scopesOf(world.redeem(delegationId, {}, agentId)), [[audience], [ticketsRead]]);
  });

  it('narrow when the API does, and end with it', async () => {
    const { delegationId } = await delegate();
    const narrow = { name: api.name, scopes: api.scopes.slice(0, 1) };
    assert.equal((await send('PUT', `/v1/apis/${apiId}`, narrow)).status, 200);
    assert.deepEqual(await scopesOf(world.redeem(delegationId, {}, agentId)), [[audience], [ticketsRead]]);
    await setTool('find');
    assert.equal((await send('POST', `/v1/apis/${apiId}/tools/find/remove`, { reason: 'Not in use.' })).status, 200);
    assert.equal(await world.errorOf(world.redeem(delegationId, {}, agentId)), 'invalid_scope');
    assert.equal((await send('POST', `/v1/apis/${apiId}/remove`, { reason: 'Moved.' })).status, 200);
    assert.equal(await world.errorOf(world.redeem(delegationId, {}, agentId)), 'invalid_target');
    assert.equal(await world.errorOf(direct({ resource: audience })), 'invalid_target');
  });

  it('of applications are refreshed as long as the API is registered', async () => {
    const clientId = await registerApplication(world.shared, 'tickets', {
      audiences: ['septet', audience],
      scopes: [ticketsRead, scope('offline_access'), scope('openid')],
    });
    const opened = await open(world.deps, clientId, {
      audience: [audience],
      scopes: [ticketsRead, scope('offline_access'), scope('openid')],
    });
    const refreshed = await world.refresh(opened.refreshToken, clientId);
    const { refresh_token: next = '', scope: given } = (await refreshed.json()) as Record<string, string>;
    assert.equal(given, 'offline_access openid tickets:read');
    await send('POST', `/v1/apis/${apiId}/remove`, { reason: 'Moved.' });
    const ended = await world.refresh(next, clientId);
    assert.equal(((await ended.json()) as { readonly error: string }).error, 'invalid_target');
  });

  it('are registered with apis:write alone', async () => {
    assert.equal((await register({ scopes: ['apis:read'] }, { audience: 'https://other.example' })).status, 403);
  });
});
