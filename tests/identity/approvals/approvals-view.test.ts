/** Approvals on the query side: what a row becomes, who sees it, and the audit record of what was done. */
import assert from 'node:assert/strict';
import { type ApprovalEvent, approvals } from '../../../domain/identity/approval/events';
import type { ViewRow } from '../../../infra/ports/views/view-store';
import { approvalsProjection } from '../../../projections/identity/approvals/project';
import type { ApprovalRow } from '../../../projections/identity/approvals/view';
import { eventsOfStory, story } from '../projections/access-examples';
import { rowsAfter } from '../projections/rows';
import { reader, startReadApi, stranger } from '../read-api/fixture';
import { ada, agentId, answered, approvalId, approved, consumed, denied, grace, issued, requested } from './examples';

const rowAfter = async (...lines: readonly ApprovalEvent[]): Promise<ApprovalRow> => {
  const lifecycle = story<ApprovalEvent>({
    family: approvals,
    stream: (tenant) => `identity.approval-${tenant}.${approvalId}`,
    lines,
  });
  const [row] = await rowsAfter(approvalsProjection, [eventsOfStory(lifecycle)]);
  return row as ApprovalRow;
};

describe('the view of approvals', () => {
  it('follows what people decide and agents do', async () => {
    const { status, body, approverId } = await rowAfter(requested);
    assert.deepEqual([status, body, approverId], ['PENDING', '{"reason":"Left."}', null]);
    const refused = await rowAfter(requested, denied);
    assert.deepEqual([refused.status, refused.approverId, refused.endReason], ['DENIED', grace, 'No.']);
    const done = await rowAfter(requested, approved, issued, consumed, answered);
    assert.deepEqual([done.status, done.jti, done.result, done.httpStatus], ['CONSUMED', 'j-1', 'SUCCEEDED', 200]);
  });
});

describe('reading approvals', () => {
  let api: Awaited<ReturnType<typeof startReadApi>>;
  before(async () => {
    api = await startReadApi();
    const done = await rowAfter(requested, approved, issued, consumed, answered);
    const waiting = { ...(await rowAfter(requested)), approvalId: 'a-2' };
    await api.views.write(approvalsProjection.view, 7n, [done, waiting] as unknown as readonly ViewRow[]);
  });
  after(() => api.close());

  const as = (identity: object) => ({ identity: { ...reader(), scopes: [], ...identity } });
  const status = async (path: string, identity: object) => (await api.get(path, as(identity))).status;
  const agent = { principalId: agentId, principalType: 'AI_AGENT' };
  const decider = { scopes: ['approvals:decide'] };

  it('is for who may decide, and for the agent', async () => {
    for (const who of [decider, agent]) assert.equal(await status(`/v1/approvals/${approvalId}`, who), 200);
    for (const who of [{}, { ...agent, principalId: 'agent-2' }, { principalId: ada }, { ...stranger, ...decider }])
      assert.equal(await status(`/v1/approvals/${approvalId}`, who), 404, JSON.stringify(who));
    assert.equal(await status('/v1/approvals', {}), 403);
    assert.equal(await status(`/v1/approvals?agentId=${agentId}`, agent), 200);
    assert.equal(await status('/v1/approvals?agentId=agent-2', agent), 403);
  });

  it('waits no longer than it is told, and not for what is decided', async () => {
    const { body } = await api.get('/v1/approvals/a-2?waitSeconds=1', as(agent));
    assert.equal(body.status, 'PENDING');
    assert.equal((await api.get(`/v1/approvals/${approvalId}?waitSeconds=25`, as(agent))).body.status, 'CONSUMED');
    assert.equal(await status('/v1/approvals/a-2?waitSeconds=26', agent), 400);
  });

  it('has every field of the audit record of an action that was done, and no other', async () => {
    assert.equal(await status('/v1/agent-actions', decider), 403);
    const { body } = await api.get('/v1/agent-actions', as({ scopes: ['security:read'] }));
    const { operation: _, approverId: __, ...one } = (body.items as readonly Record<string, unknown>[])[0] ?? {};
    assert.equal((body.items as readonly unknown[]).length, 1);
    assert.deepEqual(one, {
      ...{ initiatorId: ada, agentId, delegationId: 'd-1', taskId: 'ticket-1', requestId: 'r-1', tool: 'septet' },
      ...{ resource: 'POST /v1/principals/p-1/suspend', scopes: ['principals:write'] },
      ...{ policyDecision: 'STEP_UP_REQUIRED', policyVersion: 3, approvalId, actionHash: 'ab'.repeat(32), jti: 'j-1' },
      ...{ result: 'SUCCEEDED', httpStatus: 200, timestamp: one.timestamp },
    });
    assert.ok(one.timestamp !== null);
  });

  it('has one such record for who may read them, in the own tenant, and filters by agent and person', async () => {
    const auditor = { scopes: ['security:read'] };
    const path = `/v1/agent-actions/${approvalId}`;
    assert.equal((await api.get(path, as(auditor))).body.approvalId, approvalId);
    assert.equal(await status(path, decider), 403);
    assert.equal(await status(path, { ...stranger, ...auditor }), 404);
    // What was not done is no action.
    assert.equal(await status('/v1/agent-actions/a-2', auditor), 404);
    for (const [query, count] of [
      [`agentIds=${agentId}&initiatorIds=${ada}`, 1],
      ['agentIds=agent-2', 0],
      [`initiatorIds=${grace}`, 0],
    ] as const) {
      const { body } = await api.get(`/v1/agent-actions?${query}`, as(auditor));
      assert.equal((body.items as readonly unknown[]).length, count, query);
    }
  });
});
