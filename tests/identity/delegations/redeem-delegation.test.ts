/** Agents redeem delegations at the token endpoint, and what no agent gets. */
import assert from 'node:assert/strict';
import { decodeJwt } from 'jose';
import type { DelegationId } from '../../../domain/identity/ids';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { plusSeconds, wholeSeconds } from '../../../domain/kernel/instant';
import { noon, scope, tenantId } from '../examples';
import { personId, sessionId } from '../grants/fixture';
import { agentId } from './examples';
import { openDelegations, registerAgent } from './fixture';

type Delegations = Awaited<ReturnType<typeof openDelegations>>;

const secondAgent = 'agent-2' as PrincipalId;
const raised = { principalId: personId, from: 1, to: 2, reason: 'Lost.' };

describe('redeeming a delegation', () => {
  let world: Delegations;
  beforeEach(async () => {
    world = await openDelegations();
    await registerAgent(world.shared, secondAgent);
  });
  afterEach(() => world.close());

  it('gives the agent a token of its own that says for whom it acts', async () => {
    const { delegationId, grantId } = await world.created({ scopes: ['principals:read', 'principals:write'] });
    const claims = await world.claimsOf(world.redeem(delegationId));
    assert.deepEqual(claims.scopes, ['principals:read']);
    const { jti: _, iss: __, ...named } = claims;
    assert.deepEqual(named, {
      ...{ sub: agentId, actor_id: agentId, principal_type: 'AI_AGENT', tenant_id: tenantId },
      ...{ on_behalf_of: personId, obo_epoch: 1, security_epoch: 1, act: { sub: agentId } },
      ...{ delegation_id: delegationId, task_id: 'ticket-1', auth_context: ['delegated'] },
      ...{ aud: ['septet'], scopes: ['principals:read'], scope: 'principals:read' },
      ...{ gid: grantId, sid: sessionId, client_id: `${tenantId}.${agentId}` },
      ...{ iat: wholeSeconds(noon), exp: wholeSeconds(plusSeconds(noon, 600)) },
    });
  });

  it('gives what the task requires, as often as it is needed, until the delegation ends', async () => {
    const { delegationId } = await world.created({ scopes: ['principals:read'], expiresInSeconds: 900 });
    const wanted = { scope: 'principals:read keys:write' };
    assert.deepEqual((await world.claimsOf(world.redeem(delegationId, wanted))).scopes, ['principals:read']);
    world.shared.wait(600);
    const { exp } = await world.claimsOf(world.redeem(delegationId));
    assert.equal(exp, wholeSeconds(plusSeconds(noon, 900)));
    world.shared.wait(300);
    assert.equal(await world.errorOf(world.redeem(delegationId)), 'invalid_grant');
  });

  it('refuses an empty rest of scopes', async () => {
    const { delegationId } = await world.created({ scopes: ['principals:write'] });
    assert.equal(await world.errorOf(world.redeem(delegationId)), 'invalid_scope');
    const other = await world.created();
    assert.equal(await world.errorOf(world.redeem(other.delegationId, { scope: 'security:read' })), 'invalid_scope');
  });

  it('refuses another agent, task, audience and tenant, all alike where they would tell', async () => {
    const { delegationId } = await world.created();
    assert.equal(await world.errorOf(world.redeem(delegationId, {}, secondAgent)), 'invalid_grant');
    assert.equal(await world.errorOf(world.redeem(delegationId, { task_id: 'ticket-2' })), 'invalid_grant');
    assert.equal(await world.errorOf(world.redeem('no-such' as DelegationId)), 'invalid_grant');
    assert.equal(await world.errorOf(world.redeem('../x' as DelegationId)), 'invalid_grant');
    const files = { resource: 'https://files.example' };
    assert.equal(await world.errorOf(world.redeem(delegationId, files)), 'invalid_target');
    assert.equal(await world.errorOf(world.redeem(delegationId, { task_id: '' })), 'invalid_request');
    const elsewhere = 'globex' as typeof tenantId;
    await registerAgent(world.shared, agentId, elsewhere);
    assert.equal(await world.errorOf(world.redeem(delegationId, {}, agentId, elsewhere)), 'invalid_grant');
  });

  it('is for agents only', async () => {
    const pipeline = 'pipeline-1' as PrincipalId;
    await registerAgent(world.shared, pipeline, tenantId, 'PIPELINE');
    const { delegationId } = await world.created();
    assert.equal(await world.errorOf(world.redeem(delegationId, {}, pipeline)), 'invalid_grant');
  });

  const ends = {
    'the delegation is revoked': async ({ revoke }: Delegations, { delegationId }: { delegationId: string }) =>
      void (await revoke(delegationId)),
    'its delegator is suspended': ({ recordOf }: Delegations) =>
      recordOf(
        personId,
        { type: 'PrincipalSuspended', data: { principalId: personId, reason: 'Lost.' } },
        { type: 'SecurityEpochBumped', data: { ...raised, grants: 'ended' } },
      ),
    'its delegator is compromised': ({ recordOf }: Delegations) =>
      recordOf(
        personId,
        { type: 'PrincipalMarkedCompromised', data: { principalId: personId, reason: 'Lost.', incidentId: null } },
        { type: 'SecurityEpochBumped', data: { ...raised, grants: 'ended' } },
      ),
    'the epoch of its delegator rises': ({ recordOf }: Delegations) =>
      recordOf(personId, { type: 'SecurityEpochBumped', data: { ...raised, grants: 'ended' } }),
    'its delegator loses every role': ({ recordOf }: Delegations) =>
      recordOf(
        personId,
        { type: 'RolesWithdrawn', data: { principalId: personId, roles: ['admin'], reason: 'Moved.' } },
        { type: 'SecurityEpochBumped', data: { ...raised, grants: 'kept' } },
      ),
    'the session ends in which it was made': ({ endSession }: Delegations) => endSession(),
    'the agent is suspended': ({ recordOf }: Delegations) =>
      recordOf(agentId, { type: 'PrincipalSuspended', data: { principalId: agentId, reason: 'Lost.' } }),
  };
  for (const [what, end] of Object.entries(ends))
    it(`refuses after ${what}`, async () => {
      const made = await world.created();
      await world.claimsOf(world.redeem(made.delegationId));
      await end(world, made);
      assert.match(await world.errorOf(world.redeem(made.delegationId)), /^invalid_(grant|scope|client)$/);
    });

  it('narrows with the authority of the delegator', async () => {
    const { delegationId } = await world.created({ scopes: ['principals:read', 'delegations:create'] });
    assert.equal((await world.claimsOf(world.redeem(delegationId))).scopes.length, 2);
    await world.recordOf(
      personId,
      { type: 'ScopesGranted', data: { principalId: personId, scopes: [scope('principals:read')] } },
      { type: 'RolesWithdrawn', data: { principalId: personId, roles: ['admin'], reason: 'Moved.' } },
      { type: 'SecurityEpochBumped', data: { ...raised, grants: 'kept' } },
    );
    const claims = await world.claimsOf(world.redeem(delegationId));
    assert.deepEqual([claims.scopes, claims.obo_epoch], [['principals:read'], 2]);
  });

  it('lets an agent pass its task on with less, and ends that with its own', async () => {
    const scopes = ['principals:read', 'delegations:create'];
    const first = await world.created({ scopes });
    const acting = await world.identityOf(world.redeem(first.delegationId));
    const passedOn = { agentId: secondAgent, scopes: ['principals:read'], expiresInSeconds: 28_800 };
    const more = await world.create({ ...passedOn, scopes: ['security:read'] }, acting);
    assert.equal(more.status, 403);
    const elsewhere = await world.create({ ...passedOn, audience: 'https://files.example' }, acting);
    assert.equal(elsewhere.status, 403);
    const second = await world.created(passedOn, acting);
    assert.equal(second.expiresAt, first.expiresAt);
    const claims = await world.claimsOf(world.redeem(second.delegationId, {}, secondAgent));
    assert.deepEqual(
      [claims.sub, claims.on_behalf_of, claims.act],
      [secondAgent, personId, { sub: secondAgent, act: { sub: agentId, security_epoch: 1, gid: first.grantId } }],
    );
    await world.revoke(first.delegationId);
    assert.equal(await world.errorOf(world.redeem(second.delegationId, {}, secondAgent)), 'invalid_grant');
  });

  it('passes a task on three times at most', async () => {
    const scopes = ['principals:read', 'delegations:create'];
    const agents = [agentId, secondAgent, 'agent-3', 'agent-4'] as PrincipalId[];
    await registerAgent(world.shared, 'agent-3' as PrincipalId);
    await registerAgent(world.shared, 'agent-4' as PrincipalId);
    let acting = {};
    for (const agent of agents.slice(0, 3)) {
      const { delegationId } = await world.created({ agentId: agent, scopes }, acting);
      acting = await world.identityOf(world.redeem(delegationId, {}, agent));
    }
    const fourth = await world.create({ agentId: agents[3], scopes }, acting);
    assert.equal(fourth.status, 409);
    assert.equal(((await fourth.json()) as { code: string }).code, 'delegation-too-deep');
  });
});

describe('introspection of a delegated token', () => {
  it('answers its actors, and that it ended with the delegator', async () => {
    const world = await openDelegations();
    const { delegationId } = await world.created();
    const token = await world.tokenOf(world.redeem(delegationId));
    const live = await world.introspect(token);
    assert.deepEqual([live.active, live.act, live.on_behalf_of], [true, { sub: agentId }, personId]);
    assert.equal(decodeJwt(token).obo_epoch, 1);
    await world.recordOf(personId, { type: 'SecurityEpochBumped', data: { ...raised, grants: 'kept' } });
    assert.deepEqual(await world.introspect(token), { active: false });
    await world.close();
  });
});
