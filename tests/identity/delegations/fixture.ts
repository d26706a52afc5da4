/** Delegations over twins: a person with a session, an agent with a credential, and the routes of both. */
import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { clientSecretHash } from '../../../commands/identity/clients/client-secret';
import { createDelegationRoute, revokeDelegationRoute } from '../../../commands/identity/delegations/delegation-routes';
import { introspectRoute } from '../../../commands/identity/oauth/issued-tokens/introspection-endpoint';
import { withHeldScopes } from '../../../commands/identity/protected-apis/held-scopes';
import { protectedApiRoutes } from '../../../commands/identity/routes';
import type { CredentialId, PrincipalType } from '../../../domain/identity/ids';
import type { PrincipalEvent } from '../../../domain/identity/principal/events';
import { principalStream, principals } from '../../../domain/identity/principal/events';
import { sessionStream, sessions } from '../../../domain/identity/session/events';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { delegatedAccessOf } from '../../../infra/gateway/authentication/authenticate';
import { bind, type Identity } from '../../../infra/server/http/routing/route';
import type { AccessTokenClaims } from '../../../packages/resource-server/src/verification/index';
import { noon, scope, tenantId } from '../examples';
import { appSecret, openProcess, openShared, personId, record, sessionId, startProcess } from '../grants/fixture';
import { agentId } from './examples';

const [agentScopes, personScopes] = [
  ['principals:read', 'security:read', 'delegations:create'].map(scope),
  ['principals:read', 'principals:write', 'delegations:create', 'account:read'].map(scope),
];

export const task = {
  agentId,
  taskId: 'ticket-1',
  audience: 'septet',
  scopes: ['principals:read'],
  expiresInSeconds: 3_600,
};

/** Signed in with a second factor, by the console. */
const person: Identity = {
  tenantId,
  principalId: personId,
  principalType: 'HUMAN',
  scopes: personScopes,
  tokenId: 'j-1',
  securityEpoch: 1,
  clientId: `${tenantId}~console`,
  sessionId,
  authenticatedAt: Date.parse(noon),
  multiFactor: true,
};

/** Its credential has the secret of the examples' applications. */
export const registerAgent = (
  shared: Parameters<typeof record>[0],
  principalId: PrincipalId = agentId,
  tenant = tenantId,
  principalType: PrincipalType = 'AI_AGENT',
): Promise<void> => {
  const secret = { credentialId: 'c-1' as CredentialId, secretHash: clientSecretHash(appSecret) };
  return record(
    shared,
    [principalStream(tenant, principalId), principals],
    [
      { type: 'PrincipalRegistered', data: { principalId, tenantId: tenant, principalType, createdAt: noon } },
      {
        type: 'CredentialIssued',
        data: { principalId, ...secret, scopes: agentScopes, createdAt: noon, expiresAt: null },
      },
    ],
  );
};

export const openDelegations = async () => {
  const shared = openShared();
  const recordOf = (principalId: PrincipalId, ...events: readonly PrincipalEvent[]) =>
    record(shared, [principalStream(tenantId, principalId), principals], events);
  await recordOf(
    personId,
    { type: 'PrincipalRegistered', data: { principalId: personId, tenantId, principalType: 'HUMAN', createdAt: noon } },
    { type: 'RolesGranted', data: { principalId: personId, roles: ['admin'] } },
  );
  await registerAgent(shared);
  await record(
    shared,
    [sessionStream(tenantId, sessionId), sessions],
    [
      {
        type: 'SessionOpened',
        data: {
          ...{ sessionId, principalId: personId, secretHash: 'cd'.repeat(32), securityEpoch: 1 },
          ...{ authenticatedAt: noon, methods: ['pwd', 'otp', 'mfa'], upstreamIssuer: null },
          ...{ expiresAt: plusSeconds(noon, 7_200), device: null, sourceIp: null },
        },
      },
    ],
  );
  const deps = openProcess(shared);
  const routes = [
    bind(deps, createDelegationRoute),
    bind(deps, revokeDelegationRoute),
    bind(deps, introspectRoute),
    ...protectedApiRoutes(deps),
  ];
  const process = await startProcess(
    deps,
    routes.map((route) => withHeldScopes(deps, route)),
  );
  const send = (path: string, body: object, identity: Partial<Identity> = {}, key: string = randomUUID()) =>
    process.call(path, {
      method: 'POST',
      identity: { ...person, ...identity },
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    });
  const create = (changes: object = {}, identity: Partial<Identity> = {}) =>
    send('/v1/delegations', { ...task, ...changes }, identity);
  const created = async (changes: object = {}, identity: Partial<Identity> = {}) =>
    (await (await create(changes, identity)).json()) as {
      readonly delegationId: string;
      readonly grantId: string;
      readonly expiresAt: string;
    };
  const revoke = (delegationId: string, identity: Partial<Identity> = {}) =>
    send(`/v1/delegations/${delegationId}/revoke`, { reason: 'Done.' }, identity);
  const authorizationOf = (principalId: PrincipalId, tenant: string) => ({
    authorization: `Basic ${btoa(`${tenant}.${principalId}:${appSecret}`)}`,
  });
  const redeem = (
    delegationId: string,
    more: Record<string, string> = {},
    agent = agentId,
    tenant: string = tenantId,
  ) => {
    const form = { grant_type: 'client_credentials', delegation_id: delegationId, task_id: task.taskId, ...more };
    return process.post('/oauth/token', form, authorizationOf(agent, tenant));
  };
  const tokenOf = async (answer: Promise<Response>): Promise<string> => {
    const { access_token: token } = (await (await answer).json()) as { readonly access_token: string };
    return token;
  };
  const claimsOf = async (answer: Promise<Response>) =>
    decodeJwt(await tokenOf(answer)) as unknown as AccessTokenClaims;
  const errorOf = async (answer: Promise<Response>): Promise<string> =>
    ((await (await answer).json()) as { readonly error: string }).error;
  /** As the gateway asserts it. */
  const identityOf = async (answer: Promise<Response>): Promise<Partial<Identity>> => {
    const { authenticatedAt: _, multiFactor: __, ...identity } = person;
    const claims = await claimsOf(answer);
    return {
      ...identity,
      principalId: claims.sub,
      principalType: claims.principal_type,
      scopes: claims.scopes,
      clientId: claims.client_id ?? '',
      grantId: claims.gid ?? '',
      ...delegatedAccessOf(claims),
    };
  };
  const introspect = async (token: string): Promise<Record<string, unknown>> => {
    const answer = await process.post('/oauth/introspect', { token }, authorizationOf(agentId, tenantId));
    return (await answer.json()) as Record<string, unknown>;
  };
  const endSession = () => {
    const ended = { sessionId, principalId: personId, reason: 'Signed out.' };
    return record(shared, [sessionStream(tenantId, sessionId), sessions], [{ type: 'SessionEnded', data: ended }]);
  };
  return {
    ...process,
    ...{ shared, deps, recordOf, send, create, created, revoke },
    ...{ person, registerAgent, authorizationOf },
    ...{ redeem, tokenOf, claimsOf, errorOf, identityOf, introspect, endSession },
  };
};
