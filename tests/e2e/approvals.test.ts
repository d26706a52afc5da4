/** Approvals through the real gateway of a running system: an agent's request is refused, approved by a person, and done once. */
import assert from 'node:assert/strict';
import { decodeJwt } from 'jose';
import { accessPolicyStream } from '../../domain/identity/policy/events';
import type { TenantId } from '../../domain/kernel/ids';
import { ApprovalRefusedError, openAgent } from '../../packages/client/src/index';
import { type ClientCredential, contentOf, openTenant, type Tenant } from '../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../support/processes/running-system';
import { fromRunner } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';

const rule = { ruleId: 'risky', effect: 'STEP_UP_REQUIRED', action: { operations: ['labelPrincipal'] } };
const scopes = ['principals:read', 'principals:write', 'delegations:create', 'approvals:decide'];

describe('approvals, through the gateway', function () {
  this.timeout(240_000);
  let system: System;
  let tenant: Tenant;
  let agentToken: string;
  let agentId: string;
  let approverToken: string;
  let agentCredential: ClientCredential;
  let agentDelegation: { readonly delegationId: string; readonly taskId: string };
  let delegatorToken: string;
  let approverId: string;

  const signIn = async (name: string) => {
    const { browser, principalId } = await tenant.enrol(`${name}@example.org`, ['admin']);
    const clientId = await tenant.registerClient({ name: `${name}'s app`, scopes });
    const code = await tenant.codeFor(browser, clientId, { scope: scopes.join(' ') });
    const tokens = await contentOf<{ access_token: string }>(tenant.requestToken(tenant.redemptionOf(code, clientId)));
    return { principalId, token: tokens.access_token };
  };

  before(async () => {
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
    tenant = await openTenant(system);
    const { send } = tenant;
    ({ principalId: agentId } = await contentOf<{ principalId: string }>(
      send('POST', '/v1/principals', { principalType: 'AI_AGENT', label: 'Ticket agent' }),
    ));
    agentCredential = await contentOf<ClientCredential>(
      send('POST', `/v1/principals/${agentId}/credentials`, { scopes: ['principals:read', 'principals:write'] }),
    );
    const { clientId, clientSecret } = agentCredential;
    ({ token: delegatorToken } = await signIn('ada'));
    ({ token: approverToken, principalId: approverId } = await signIn('grace'));
    const task = { agentId, taskId: 'ticket-1', audience: 'septet', scopes: ['principals:write'] };
    const { delegationId } = await contentOf<{ delegationId: string }>(
      send('POST', '/v1/delegations', { ...task, expiresInSeconds: 3_600 }, delegatorToken),
    );
    agentDelegation = { delegationId, taskId: task.taskId };
    const form = {
      ...{ grant_type: 'client_credentials', delegation_id: delegationId, task_id: 'ticket-1' },
      ...{ client_id: clientId, client_secret: clientSecret },
    };
    ({ access_token: agentToken } = await contentOf<{ access_token: string }>(tenant.requestToken(form)));
    const document = { covers: [], rules: [rule] };
    const stream = accessPolicyStream(tenant.tenantId as TenantId);
    await system.record(
      stream,
      'identity.AccessPolicyDrafted.v1',
      { version: 1, document, note: null },
      tenant.tenantId,
    );
    const enforced = { version: 1, document, previous: null };
    await system.record(stream, 'identity.AccessPolicyEnforced.v1', enforced, tenant.tenantId);
  });
  after(() => system.close());

  /** Once the view has it. */
  const eventuallyOk = async (read: () => Promise<Response>): Promise<Response> => {
    let answer = await read();
    await eventually(async () => {
      answer = await read();
      assert.equal(answer.status, 200);
    });
    return answer;
  };
  const body = { label: 'Agent of the ticket' };
  const act = (capability?: string, changes: object = {}): Promise<Response> =>
    fetch(`${system.url}/v1/principals/${agentId}/label`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${agentToken}`,
        'content-type': 'application/json',
        ...(capability === undefined ? {} : { 'septet-capability': capability }),
      },
      body: JSON.stringify({ ...body, ...changes }),
    });
  const codeOf = async (answer: Promise<Response>): Promise<string> =>
    ((await (await answer).json()) as { readonly code: string }).code;

  it('let an action be done once, after another person approved exactly it', async () => {
    await eventually(async () => assert.equal(await codeOf(act()), 'STEP_UP_REQUIRED'));
    const action = { method: 'POST', target: `/v1/principals/${agentId}/label`, body, reason: 'The ticket.' };
    const requested = await contentOf<{ approvalId: string; actionHash: string }>(
      tenant.send('POST', '/v1/approvals', action, agentToken),
    );
    const { approvalId, actionHash } = requested;
    const path = `/v1/approvals/${approvalId}`;
    assert.equal(
      await codeOf(tenant.send('POST', `${path}/approve`, { actionHash }, delegatorToken)),
      'approver-involved',
    );
    const waiting = tenant.read(`${path}?waitSeconds=20`, { token: agentToken });
    await contentOf(tenant.send('POST', `${path}/approve`, { actionHash }, approverToken));
    await eventually(async () => {
      const found = await contentOf<{ status: string; body: string }>(tenant.read(path, { token: approverToken }));
      assert.deepEqual([found.status, JSON.parse(found.body)], ['APPROVED', body]);
    });
    assert.ok((await waiting).status === 200 || (await waiting).status === 404);
    const { capability } = await contentOf<{ capability: string }>(
      tenant.send('POST', `${path}/capability`, {}, agentToken),
    );
    assert.equal(await codeOf(act(capability, { label: 'Another' })), 'capability-invalid');
    const outcomes = await Promise.all(Array.from({ length: 10 }, async () => (await act(capability)).status));
    assert.equal(outcomes.filter((status) => status === 200).length, 1);
    assert.equal(await codeOf(act(capability)), 'capability-spent');

    await eventually(async () => {
      const [record] = await tenant.list<Record<string, unknown>>(`/v1/agent-actions?agentId=${agentId}`);
      const { result, httpStatus, taskId, approverId: by, policyVersion, policyDecision } = record ?? {};
      assert.deepEqual(
        [result, httpStatus, taskId, by, policyVersion, policyDecision],
        ['SUCCEEDED', 200, 'ticket-1', approverId, 1, 'STEP_UP_REQUIRED'],
      );
    });
  });

  it('are requested and awaited by the agent of the client, which then repeats its request', async () => {
    const agent = openAgent({ baseUrl: system.url, ...agentCredential, delegation: agentDelegation });
    const request = {
      method: 'POST',
      target: `/v1/principals/${agentId}/label`,
      body: { label: 'By the client' },
    } as const;
    const decide =
      (approve: boolean) =>
      async ({ approvalId }: { readonly approvalId: string }) => {
        const { actionHash } = await contentOf<{ actionHash: string }>(
          await eventuallyOk(() => tenant.read(`/v1/approvals/${approvalId}`, { token: approverToken })),
        );
        const path = `/v1/approvals/${approvalId}/${approve ? 'approve' : 'deny'}`;
        await contentOf(tenant.send('POST', path, approve ? { actionHash } : { reason: 'Not now.' }, approverToken));
      };
    const done = await agent.perform(request, { reason: 'The ticket.', waiting: (one) => void decide(true)(one) });
    assert.equal(done.status, 200);
    await assert.rejects(
      agent.perform(request, { reason: 'The ticket.', waiting: (one) => void decide(false)(one) }),
      (error) => error instanceof ApprovalRefusedError && error.approval.endReason === 'Not now.',
    );
    agent.client.close();
  });

  it('give capabilities to the key that asked, which the tokens are bound to', async () => {
    const open = () => openAgent({ baseUrl: system.url, ...agentCredential, delegation: agentDelegation });
    const [agent, thief] = [open(), open()];
    const token = (await agent.token({ refresh: false, signal: AbortSignal.timeout(60_000) })) ?? '';
    assert.ok((decodeJwt(token).cnf as { readonly jkt?: string }).jkt);
    const action = {
      ...{ method: 'POST' as const, target: `/v1/principals/${agentId}/label` },
      ...{ body: { label: 'Bound' }, reason: 'The ticket.' },
    };
    assert.equal((await tenant.send('POST', action.target, action.body, token)).status, 401);
    const { approvalId, actionHash } = (await agent.client.requestApproval({ body: action })).body;
    await contentOf(tenant.send('POST', `/v1/approvals/${approvalId}/approve`, { actionHash }, approverToken));
    const { capability } = (await agent.client.issueCapability({ approvalId })).body;
    const use = (by: typeof agent): Promise<Response> =>
      by.fetch(`${system.url}${action.target}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'septet-capability': capability },
        body: JSON.stringify(action.body),
      });
    assert.equal(await codeOf(use(thief)), 'capability-invalid');
    assert.equal((await use(agent)).status, 200);
    for (const one of [agent, thief]) one.client.close();
  });
});
