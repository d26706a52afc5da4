/** Approvals over HTTP, and the attacks on them. */
import assert from 'node:assert/strict';
import type { PrincipalEvent } from '../../../domain/identity/principal/events';
import { principalStream, principals } from '../../../domain/identity/principal/events';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { agentId } from '../delegations/examples';
import { noon, tenantId } from '../examples';
import { personId, record } from '../grants/fixture';
import { approver, approverId, openApprovals, wanted } from './fixture';

type Approvals = Awaited<ReturnType<typeof openApprovals>>;

const outcome = async (answer: Promise<Response>): Promise<string> => {
  const response = await answer;
  if (response.ok) return String(response.status);
  const { code } = (await response.json()) as { readonly code: string };
  return `${response.status} ${code}`;
};

describe('approvals over HTTP', () => {
  let world: Approvals;
  beforeEach(async () => {
    world = await openApprovals();
  });
  afterEach(() => world.close());

  const approvedId = async (): Promise<string> => {
    const { approvalId } = await world.requested();
    assert.equal(await outcome(world.approve(approvalId)), '200');
    return approvalId;
  };
  const recordOf = (principalId: PrincipalId, ...events: readonly PrincipalEvent[]) =>
    record(world.shared, [principalStream(tenantId, principalId), principals], events);

  it('name the operation of the API, what it needs, and the hash of exactly the request', async () => {
    const answer = await world.request();
    const { approvalId, expiresAt, ...made } = (await answer.json()) as Record<string, unknown>;
    assert.deepEqual([answer.status, answer.headers.get('location')], [201, `/v1/approvals/${String(approvalId)}`]);
    assert.deepEqual(made, {
      actionHash: world.hashOf(wanted),
      operation: 'labelPrincipal',
      summary: made.summary,
      scopes: ['principals:write'],
    });
    assert.ok(String(expiresAt) > noon);
  });

  it('are for actions of the API that a person can read', async () => {
    for (const [changes, expected] of [
      [{ target: '/v1/nothing' }, '422 action-unknown'],
      [{ method: 'DELETE' }, '422 action-unknown'],
      [{ method: 'GET', target: '/v1/principals' }, '422 action-not-approvable'],
      [{ method: 'PUT', target: '/v1/uploads/u-1/parts/1', body: undefined }, '422 action-unknown'],
      [{ body: { label: 'a'.repeat(20_000) } }, '422 action-not-approvable'],
      [{ body: { label: '\ud800' } }, '422 action-not-approvable'],
      [{ target: 'v1/principals' }, '400 invalid-input'],
      [{ method: 'PATCH' }, '400 invalid-input'],
    ] as const)
      assert.equal(await outcome(world.request(changes)), expected, JSON.stringify(changes).slice(0, 99));
  });

  it('are asked for by agents alone, with the scopes of the action', async () => {
    assert.equal(await outcome(world.request({}, { principalType: 'HUMAN' })), '403 agents-only');
    assert.equal(await outcome(world.request({}, { scopes: ['principals:read'] })), '403 scope-not-held');
  });

  it('are not decided by the agent, the person for whom it acts, an agent, or a person with less', async () => {
    const { approvalId } = await world.requested();
    const { delegation } = world.agent;
    for (const [as, expected] of [
      [{ principalId: agentId, principalType: 'AI_AGENT' }, '403 approver-not-a-person'],
      [{ delegation }, '403 approver-not-a-person'],
      [{ principalId: agentId }, '403 approver-involved'],
      [{ principalId: personId }, '403 approver-involved'],
      [{ scopes: ['approvals:decide'] }, '403 scope-not-held'],
      [{ scopes: ['principals:write'] }, '403 forbidden'],
      [{ tenantId: 'globex' }, '404 approval-unknown'],
      [{ authenticatedAt: Date.parse(noon) - 301_000 }, '401 insufficient-user-authentication'],
    ] as const)
      assert.equal(await outcome(world.approve(approvalId, as as object)), expected, JSON.stringify(as));
    assert.equal(await outcome(world.approve(approvalId, {}, 'ab'.repeat(32))), '409 action-differs');
    const stale = await world.approve(approvalId, { authenticatedAt: Date.parse(noon) - 301_000 });
    assert.match(stale.headers.get('www-authenticate') ?? '', /insufficient_user_authentication.*max_age="300"/);
    assert.equal(await outcome(world.issue(approvalId)), '409 approval-pending');
  });

  it('give a capability to their agent alone, the same for a retry', async () => {
    const approvalId = await approvedId();
    for (const as of [{ principalId: 'agent-2' }, { tenantId: 'globex' }, { principalId: approverId }])
      assert.equal(await outcome(world.issue(approvalId, as)), '404 approval-unknown');
    const [one, same] = [await world.issue(approvalId, {}, 'a-key'), await world.issue(approvalId, {}, 'a-key')];
    assert.deepEqual(await one.json(), await same.json());
  });

  it('are used up by one request of exactly the action', async () => {
    const capability = await world.issued(await approvedId());
    assert.equal(await outcome(world.consume(capability)), '200');
    assert.equal(await outcome(world.consume(capability)), '403 capability-spent');
  });

  it('raced by a hundred requests let one pass', async () => {
    const capability = await world.issued(await approvedId());
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => outcome(world.consume(capability))));
    assert.equal(outcomes.filter((one) => one === '200').length, 1);
  });

  it('are not for an action that differs in any part, and not for others', async () => {
    const capability = await world.issued(await approvedId());
    const { label, note } = wanted.body;
    const altered = [
      { ...wanted, method: 'PUT' },
      { ...wanted, target: '/v1/principals/p-2/label' },
      { ...wanted, target: `${wanted.target}?a=1` },
      { ...wanted, target: `${wanted.target}?` },
      { ...wanted, body: { label, note: note + 1 } },
      { ...wanted, body: { label: `${label} `, note } },
      { ...wanted, body: { label, note, more: null } },
    ];
    const hashes = altered.map((action) => world.hashOf(action as typeof wanted));
    const delegation = world.agent.delegation as NonNullable<typeof world.agent.delegation>;
    const others = [
      { principalId: 'agent-2' },
      { tenantId: 'globex' },
      { delegation: { ...delegation, delegationId: 'd-9' } },
      { delegation: { ...delegation, taskId: 'ticket-2' } },
    ].map((identity) => world.hashOf(wanted, identity));
    assert.equal(new Set([...hashes, ...others, world.hashOf(wanted)]).size, altered.length + 5);
    const presented = [
      ...[...hashes, ...others].map((actionHash) => ({ actionHash })),
      { agentId: 'agent-2' },
      { keyThumbprint: 'l'.repeat(43) },
      { keyThumbprint: null },
      { clientId: `${tenantId}.agent-2` },
      { secret: 'guessed' },
    ];
    for (const changes of presented)
      assert.equal(
        await outcome(world.consume(capability, changes)),
        '403 capability-invalid',
        JSON.stringify(changes),
      );
    assert.equal(await outcome(world.consume(capability, {}, { tenantId: 'globex' })), '403 capability-invalid');
    assert.equal(await outcome(world.consume(capability)), '200');
  });

  it('are dead after two minutes, and when another one was issued', async () => {
    const approvalId = await approvedId();
    const [first, second] = [await world.issued(approvalId), await world.issued(approvalId)];
    assert.equal(await outcome(world.consume(first)), '403 capability-invalid');
    world.shared.wait(120);
    assert.equal(await outcome(world.consume(second)), '403 capability-invalid');
    const third = await world.issued(approvalId);
    assert.equal(await outcome(world.consume(third)), '200');
  });

  const reason = 'Lost.';
  const bumped = (principalId: PrincipalId): PrincipalEvent => ({
    type: 'SecurityEpochBumped',
    data: { principalId, from: 1, to: 2, grants: 'ended', reason },
  });
  const suspended = (principalId: PrincipalId) =>
    recordOf(principalId, { type: 'PrincipalSuspended', data: { principalId, reason } });
  const ends = {
    'the delegation is revoked': () => world.world.revoke(world.delegationId),
    'the delegator is suspended': () => suspended(personId as PrincipalId),
    'the agent is suspended': () => suspended(agentId),
    'the agent has another epoch': () => recordOf(agentId, bumped(agentId)),
    'the approver is suspended': () => suspended(approverId),
    'the tokens of the approver were ended': () => recordOf(approverId, bumped(approverId)),
    'the approver may no longer do it': () =>
      recordOf(approverId, { type: 'RolesWithdrawn', data: { principalId: approverId, roles: ['admin'], reason } }),
  };
  for (const [what, end] of Object.entries(ends))
    it(`are dead when ${what}`, async () => {
      const capability = await world.issued(await approvedId());
      await end();
      assert.equal(await outcome(world.consume(capability)), '403 capability-invalid');
    });

  it('are denied and withdrawn, also when a capability is out', async () => {
    const decisions = [
      (id: string) => world.send(`/${id}/deny`, { reason }, approver),
      (id: string) => world.send(`/${id}/withdraw`, { reason }, world.agent),
    ];
    for (const decide of decisions) {
      const approvalId = await approvedId();
      const capability = await world.issued(approvalId);
      assert.equal(await outcome(decide(approvalId)), '200');
      assert.equal(await outcome(world.consume(capability)), '403 capability-invalid');
      assert.equal(await outcome(world.issue(approvalId)), '409 approval-decided');
    }
    const { approvalId } = await world.requested();
    const elsewhere = { ...world.agent, principalId: 'agent-2' };
    assert.equal(await outcome(world.send(`/${approvalId}/withdraw`, { reason }, elsewhere)), '404 approval-unknown');
  });

  it('are used and answered by gateways alone', async () => {
    const capability = await world.issued(await approvedId());
    for (const as of [world.agent, approver, { ...world.agent, principalId: 'gateway' }])
      assert.equal(await outcome(world.consume(capability, {}, as)), '403 forbidden');
    const [id = ''] = capability.split('.');
    const answer = { requestId: 'r-1', status: 200 };
    assert.equal(await outcome(world.send(`/${id}/answer`, answer, world.agent)), '403 forbidden');
    assert.equal(await outcome(world.send(`/${id}/answer`, answer, world.gateway)), '404 approval-unknown');
    assert.equal(await outcome(world.consume(capability, { requestId: 'r-1' })), '200');
    for (let times = 0; times < 2; times += 1)
      assert.equal(await outcome(world.send(`/${id}/answer`, answer, world.gateway)), '200');
  });
});
