/** Making and revoking delegations over HTTP. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { loadStream } from '../../../commands/kernel/load-stream';
import { grant } from '../../../domain/identity/grant/decider';
import { grantStream } from '../../../domain/identity/grant/events';
import type { GrantId } from '../../../domain/identity/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { noon, tenantId } from '../examples';
import { personId, registerApplication } from '../grants/fixture';
import { agentId } from './examples';
import { openDelegations, task } from './fixture';

type Delegations = Awaited<ReturnType<typeof openDelegations>>;

const grantOf = async ({ deps }: Delegations, grantId: string) => {
  const found = await loadStream(deps, grant, grantStream(tenantId, grantId as GrantId));
  assert.ok(isRight(found) && found.right.kind === 'grant');
  return found.right;
};

const refusalOf = async (answer: Promise<Response>): Promise<string> => {
  const response = await answer;
  const { code } = (await response.json()) as { readonly code: string };
  return `${response.status} ${code}`;
};

describe('delegations over HTTP', () => {
  let world: Delegations;
  beforeEach(async () => {
    world = await openDelegations();
  });
  afterEach(() => world.close());

  it('are made with a grant of their own, once per key', async () => {
    const first = await world.send('/v1/delegations', task, {}, 'a-key');
    const { delegationId, grantId, ...made } = (await first.json()) as Record<string, string>;
    assert.deepEqual([first.status, first.headers.get('location')], [201, `/v1/delegations/${delegationId}`]);
    const { expiresInSeconds: _, ...same } = task;
    assert.deepEqual(made, { ...same, expiresAt: plusSeconds(noon, 3_600) });
    const { status, principalId, clientId, scopes, audience, methods } = await grantOf(world, grantId ?? '');
    assert.deepEqual(
      { status, principalId, clientId, scopes, audience, methods },
      {
        ...{ status: 'ACTIVE', principalId: personId, clientId: `${tenantId}.${agentId}` },
        ...{ scopes: task.scopes, audience: ['septet'], methods: ['mfa'] },
      },
    );
    world.shared.wait(60);
    const again = await world.send('/v1/delegations', task, {}, 'a-key');
    assert.deepEqual(await again.json(), { delegationId, grantId, ...made });
  });

  it('end with the session of the delegator', async () => {
    const { expiresAt } = await world.created({ expiresInSeconds: 28_800 });
    assert.equal(expiresAt, plusSeconds(noon, 7_200));
    await world.endSession();
    assert.equal(await refusalOf(world.create()), '409 delegator-signed-out');
  });

  it('take exactly the specified fields, within their limits', async () => {
    const { agentId: _, ...rest } = task;
    for (const body of [
      rest,
      { ...task, expiresInSeconds: 28_801 },
      { ...task, expiresInSeconds: 59 },
      { ...task, taskId: 'a task' },
      { ...task, taskId: 'a'.repeat(129) },
    ])
      assert.equal(await refusalOf(world.send('/v1/delegations', body)), '400 invalid-input');
  });

  it('need the scope, and every scope that they give', async () => {
    assert.equal((await world.create({}, { scopes: ['principals:read'] })).status, 403);
    assert.equal(await refusalOf(world.create({ scopes: ['keys:write'] })), '403 scope-not-held');
    assert.equal(await refusalOf(world.create({ scopes: [] })), '422 delegation-scopes-invalid');
    assert.equal(await refusalOf(world.create({ agentId: personId })), '422 agent-unknown');
  });

  it('of an application are for its audiences only', async () => {
    const clientId = await registerApplication(world.shared, 'orders-app', { audiences: ['septet'] });
    const files = { audience: 'https://files.example' };
    assert.equal((await world.create(files)).status, 201);
    assert.equal(await refusalOf(world.create(files, { clientId })), '403 audience-not-held');
  });

  it('are revoked with their grant, by who made them and by who may revoke grants', async () => {
    const other = { principalId: 'grace' };
    const { delegationId, grantId } = await world.created();
    assert.equal(await refusalOf(world.revoke(delegationId, other)), '404 delegation-unknown');
    assert.equal(await refusalOf(world.revoke(delegationId, { scopes: ['grants:read'] })), '403 forbidden');
    assert.equal(
      await refusalOf(world.revoke(delegationId, { scopes: ['grants:write'], tenantId: 'globex' })),
      '404 delegation-unknown',
    );
    assert.equal((await grantOf(world, grantId)).status, 'ACTIVE');
    for (let times = 0; times < 2; times += 1) assert.equal((await world.revoke(delegationId)).status, 200);
    assert.equal((await grantOf(world, grantId)).status, 'REVOKED');
    const second = await world.created();
    assert.equal((await world.revoke(second.delegationId, { ...other, scopes: ['grants:write'] })).status, 200);
    assert.equal((await grantOf(world, second.grantId)).status, 'REVOKED');
  });
});
