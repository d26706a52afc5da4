/** Both endpoints of the exchange over twins, with an issuer over HTTP, and a tenant that trusts it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { workloadRoutes } from '../../../commands/identity/routes';
import { exchangeRoute } from '../../../commands/identity/token-exchange/exchange-route';
import { tenantAudience } from '../../../commands/identity/token-exchange/workload/tenant-audience';
import { type PrincipalEvent, principalStream, principals } from '../../../domain/identity/principal/events';
import { adminScopes } from '../../../domain/identity/scopes';
import type { TrustRule } from '../../../domain/identity/workload-trust/events';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { bind, type Identity } from '../../../infra/server/http/routing/route';
import { type ClaimSet, startWorkloadIssuer } from '../../support/identity/workload-issuer';
import { workloadDeps } from '../../support/identity/workloads';
import { noon, tenantId } from '../examples';
import { issuer, openProcess, openShared, record, startProcess } from '../grants/fixture';
import { rule } from './examples';

export const otherAudience = 'https://files.example';
export const pipelineId = 'pipeline-1' as PrincipalId;
export const acmeAudience = tenantAudience(issuer, tenantId);

export const administrator = (tenant: string = tenantId): Identity => ({
  tenantId: tenant,
  principalId: 'admin',
  principalType: 'HUMAN',
  scopes: adminScopes,
  tokenId: 'jti-1',
});

interface Refusal {
  readonly status: number;
  readonly code: unknown;
  readonly detail: unknown;
}

export const startExchange = async () => {
  const shared = openShared();
  const now = (): number => Date.parse(shared.clock.now());
  const deps = { ...openProcess(shared), ...workloadDeps(now) };
  const workloadIssuer = await startWorkloadIssuer('RS256', now);
  const service = await startProcess(deps, [...workloadRoutes(deps), bind(deps, exchangeRoute)]);
  const recordOf = (principalId: PrincipalId, events: readonly PrincipalEvent[], tenant: TenantId = tenantId) =>
    record(shared, [principalStream(tenant, principalId), principals], events);
  const registerPipeline = (tenant: TenantId = tenantId, principalId = pipelineId) =>
    recordOf(
      principalId,
      [
        {
          type: 'PrincipalRegistered',
          data: { principalId, tenantId: tenant, principalType: 'PIPELINE', createdAt: noon },
        },
      ],
      tenant,
    );
  const send = (method: string, path: string, body: object, identity: Identity | 'anonymous' = administrator()) =>
    service.call(path, {
      method,
      identity,
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify(body),
    });
  const created = async (path: string, body: object, identity = administrator()): Promise<Record<string, string>> => {
    const answer = await send('POST', path, body, identity);
    const content = await answer.text();
    assert.equal(answer.status, 201, content);
    return JSON.parse(content) as Record<string, string>;
  };
  const trustIssuer = async (more: object = {}, identity = administrator()): Promise<string> => {
    const named = { name: 'CI', kind: 'github', issuer: workloadIssuer.url };
    return (await created('/v1/workload-issuers', { ...named, ...more }, identity)).issuerId as string;
  };
  const makeRule = async (
    issuerId: string,
    changes: Partial<TrustRule> = {},
    identity = administrator(),
  ): Promise<string> => {
    const body = { ...rule, issuerId, principalId: pipelineId, ...changes };
    return (await created('/v1/trust-rules', body, identity)).ruleId as string;
  };
  const sign = (claims: ClaimSet, header: Readonly<Record<string, unknown>> = {}): Promise<string> =>
    workloadIssuer.sign({ aud: acmeAudience, ...claims }, header);
  const exchange = (
    subjectToken: string,
    more: Partial<Record<'audience' | 'delegationId' | 'taskId', string>> & {
      readonly requestedScopes?: readonly string[];
    } = {},
    headers: Record<string, string> = {},
  ): Promise<Response> =>
    service.call('/v1/token/exchange', {
      method: 'POST',
      identity: 'anonymous',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ subjectToken, audience: 'septet', requestedScopes: [], ...more }),
    });
  const claimsOf = async (answer: Response): Promise<Record<string, unknown>> => {
    const content = (await answer.json()) as Record<string, unknown>;
    assert.equal(answer.status, 200, JSON.stringify(content));
    return decodeJwt(String(content.access_token)) as Record<string, unknown>;
  };
  const refusalOf = async (answer: Response): Promise<Refusal> => {
    const { code, detail } = (await answer.json()) as Record<string, unknown>;
    return { status: answer.status, code, detail };
  };
  const close = async (): Promise<void> => {
    await Promise.all([service.close(), workloadIssuer.close()]);
  };
  return {
    ...service,
    shared,
    deps,
    workloadIssuer,
    recordOf,
    registerPipeline,
    send,
    trustIssuer,
    makeRule,
    sign,
    exchange,
    claimsOf,
    refusalOf,
    close,
  };
};

export type Exchange = Awaited<ReturnType<typeof startExchange>>;

/** The one answer of the JSON endpoint, whatever the reason. */
export const refusedExchange: Refusal = {
  status: 403,
  code: 'exchange-refused',
  detail: 'No token is issued for this credential, audience and scopes.',
};
