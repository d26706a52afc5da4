/** Approvals over twins: an agent that acts by a delegation, a second person, and the routes of all of them. */
import { createHash, randomUUID } from 'node:crypto';
import {
  approveRoute,
  denyRoute,
  issueCapabilityRoute,
  requestApprovalRoute,
  withdrawRoute,
} from '../../../commands/identity/approvals/approval-routes';
import { consumeCapabilityRoute, recordAnswerRoute } from '../../../commands/identity/approvals/gateway-routes';
import { canonicalAction } from '../../../domain/identity/approval/action';
import { principalStream, principals } from '../../../domain/identity/principal/events';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { bind, type Identity } from '../../../infra/server/http/routing/route';
import { startHttpService } from '../../support/http/http-service';
import { openDelegations } from '../delegations/fixture';
import { noon, tenantId } from '../examples';
import { openProcess, record } from '../grants/fixture';

export const approverId = 'grace' as PrincipalId;
const scopes = ['principals:read', 'principals:write', 'approvals:decide'];

export const wanted = {
  method: 'POST',
  target: '/v1/principals/p-1/label',
  body: { label: 'Ada', note: 7 },
  reason: 'The ticket asks for it.',
};

/** Another person, who signed in a moment ago. */
export const approver: Identity = {
  ...{ tenantId, principalId: approverId, principalType: 'HUMAN', scopes, tokenId: 'j-2', securityEpoch: 1 },
  ...{ authenticatedAt: Date.parse(noon), multiFactor: true },
};
const gateway: Identity = {
  ...{ tenantId, principalId: 'gateway', principalType: 'SERVICE', scopes: [], tokenId: 'gateway' },
};

export const openApprovals = async () => {
  const world = await openDelegations();
  const { shared } = world;
  await record(
    shared,
    [principalStream(tenantId, approverId), principals],
    [
      {
        type: 'PrincipalRegistered',
        data: { principalId: approverId, tenantId, principalType: 'HUMAN', createdAt: noon },
      },
      { type: 'RolesGranted', data: { principalId: approverId, roles: ['admin'] } },
    ],
  );
  const deps = openProcess(shared);
  const routes = [
    bind(deps, requestApprovalRoute),
    bind(deps, approveRoute),
    bind(deps, denyRoute),
    bind(deps, withdrawRoute),
    bind(deps, issueCapabilityRoute),
    bind(deps, consumeCapabilityRoute),
    bind(deps, recordAnswerRoute),
  ];
  const service = await startHttpService(routes);
  const { delegationId } = await world.created({ scopes: ['principals:read', 'principals:write'] });
  const redeemed = await world.identityOf(world.redeem(delegationId));
  const agent: Identity = {
    ...approver,
    ...redeemed,
    scopes: ['principals:read', 'principals:write'],
    securityEpoch: 1,
    tokenId: 'j-3',
    keyThumbprint: 'k'.repeat(43),
  };
  const send = (path: string, body: object | undefined, identity: Identity, key: string = randomUUID()) =>
    service.call(`/v1/approvals${path}`, {
      method: 'POST',
      identity,
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const hashOf = ({ method, target, body }: typeof wanted, identity: Partial<Identity> = {}): string => {
    const { principalId: agentId, delegation, tenantId: tenant } = { ...agent, ...identity };
    const { delegationId: id = null, taskId = null } = delegation ?? {};
    const [path = '', query = null] = target.split('?');
    const exact = {
      method,
      path,
      query,
      body,
      audience: 'septet',
      tenantId: tenant,
      agentId,
      delegationId: id,
      taskId,
    };
    return createHash('sha256')
      .update(canonicalAction(exact) ?? '')
      .digest('hex');
  };
  const request = (changes: object = {}, identity: Partial<Identity> = {}) =>
    send('', { ...wanted, ...changes }, { ...agent, ...identity });
  const requested = async (): Promise<{ readonly approvalId: string; readonly actionHash: string }> =>
    (await (await request()).json()) as { readonly approvalId: string; readonly actionHash: string };
  const approve = (id: string, identity: Partial<Identity> = {}, actionHash = hashOf(wanted)) =>
    send(`/${id}/approve`, { actionHash }, { ...approver, ...identity });
  const issue = (id: string, identity: Partial<Identity> = {}, key?: string) =>
    send(`/${id}/capability`, undefined, { ...agent, ...identity }, key);
  const issued = async (id: string, identity: Partial<Identity> = {}): Promise<string> =>
    ((await (await issue(id, identity)).json()) as { readonly capability: string }).capability;
  /** As the gateway does it for a request of the agent. */
  const consume = (capability: string, changes: object = {}, as: Partial<Identity> = {}) => {
    const [id = '', secret = ''] = capability.split('.');
    const { principalId: agentId, keyThumbprint, clientId, tokenId: jti } = agent;
    const arrived = { actionHash: hashOf(wanted), requestId: randomUUID(), policyVersion: 3 };
    const presented = { secret, agentId, keyThumbprint, clientId, jti };
    return send(`/${id}/consume`, { ...arrived, ...presented, ...changes }, { ...gateway, ...as });
  };
  return {
    ...{
      world,
      shared,
      agent,
      delegationId,
      send,
      request,
      requested,
      approve,
      issue,
      issued,
      consume,
      hashOf,
      gateway,
    },
    close: async () => {
      await service.close();
      await world.close();
    },
  };
};
