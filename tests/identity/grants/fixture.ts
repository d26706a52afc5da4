/** The token endpoint over twins with people, applications and their grants, as one process or as several over one log. */
import { randomBytes, randomUUID } from 'node:crypto';
import { isLeft, isRight, left } from 'fp-ts/Either';
import { parseApplicationClientId } from '../../../commands/identity/clients/client-id';
import { createClientJwksCache } from '../../../commands/identity/clients/client-jwks';
import { clientSecretHash } from '../../../commands/identity/clients/client-secret';
import { loadClient } from '../../../commands/identity/clients/load-client';
import { openGrant } from '../../../commands/identity/grants/open-grant';
import { openIssuanceLog } from '../../../commands/identity/oauth/token/issuance-log';
import { tokenRoute } from '../../../commands/identity/oauth/token/token-endpoint';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { type ClientMetadata, clientStream, clients } from '../../../domain/identity/client/events';
import type { ApplicationId, ClientId, CredentialId, SessionId } from '../../../domain/identity/ids';
import { type PrincipalEvent, principalStream, principals } from '../../../domain/identity/principal/events';
import type { Instant } from '../../../domain/kernel/codec';
import type { DomainEvent, Family } from '../../../domain/kernel/family';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { fault } from '../../../domain/kernel/rejection';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { memoryKms } from '../../../infra/adapters/kms/memory-keystore';
import { createMemorySessionActivity } from '../../../infra/adapters/redis/identity/memory-sign-in-stores';
import { openEncryptingStore } from '../../../infra/adapters/vault/encrypting-store';
import { memoryVault } from '../../../infra/adapters/vault/memory-vault';
import type { EventStore } from '../../../infra/ports/event-store';
import { accountCookies } from '../../../infra/server/http/identity/account-cookies';
import { type BoundRoute, bind } from '../../../infra/server/http/routing/route';
import { memoryReplayCache } from '../../../packages/resource-server/src/dpop/replay-cache';
import { capturedLog, startHttpService } from '../../support/http/http-service';
import { workloadDeps } from '../../support/identity/workloads';
import { applicationMetadata } from '../clients/application-metadata';
import { noon, scope, tenantId } from '../examples';

export const issuer = 'https://septet.example';
export const appSecret = 'Zm9yIHRoZSB0ZXN0cyBvZiB0aGlzIGNvbnRleHQgb25seQ';
export const personId = 'person-1' as PrincipalId;
/** Of a person's sign-in; tests record it where they need it. */
export const sessionId = 'ab'.repeat(32) as SessionId;

export const openShared = (log: EventStore = openMemoryEventStore()) => {
  let now: Instant = noon;
  return {
    ...{
      store: openEncryptingStore(log, memoryVault()),
      kms: memoryKms(randomBytes(32)),
      commandMetrics: noCommandMetrics,
      clock: { now: () => now },
    },
    ...{ issuer, audiences: ['septet', 'https://files.example'], recordsAddresses: true },
    random: { uuid: randomUUID, token: (bytes: number) => randomBytes(bytes).toString('base64url') },
    proofs: { replay: memoryReplayCache(() => Date.parse(now)) },
    assertions: memoryReplayCache(() => Date.parse(now)),
    clientKeys: createClientJwksCache(
      async () => left(fault('remote-unavailable', 'There is nothing.')),
      () => Date.parse(now),
    ),
    ...workloadDeps(),
    wait: (seconds: number): void => {
      now = plusSeconds(now, seconds);
    },
  };
};

export type Shared = ReturnType<typeof openShared>;
export type ProcessDeps = ReturnType<typeof openProcess>;

/** Each process keeps what it knows to itself. */
export const openProcess = (shared: Shared) => ({
  ...shared,
  issuances: openIssuanceLog(shared.store),
  warm: createExclusiveAggregates(),
  log: capturedLog(),
  browsers: { cookies: accountCookies(issuer), origins: [issuer], live: createMemorySessionActivity() },
});

export const record = async <Event extends DomainEvent>(
  { store }: Pick<Shared, 'store'>,
  [stream, family]: readonly [string, Family<Event>],
  events: readonly Event[],
): Promise<void> => {
  const stored = events.map((event) => ({ id: randomUUID(), ...family.encode(event), metadata: {} }));
  if (isLeft(await store.append(stream, 'any', stored))) throw new Error('the store refused an example');
};

export const recordOfPerson = (shared: Pick<Shared, 'store'>, ...events: readonly PrincipalEvent[]): Promise<void> =>
  record(shared, [principalStream(tenantId, personId), principals], events);

/** Of what it records, a confidential application has the secret above. */
export const registerApplication = async (
  shared: Pick<Shared, 'store'>,
  name: string,
  changes: Partial<ClientMetadata> = {},
  tenant: TenantId = tenantId,
): Promise<ClientId> => {
  const applicationId = name as ApplicationId;
  const given = { ...applicationMetadata('none'), ...changes };
  const secret = { applicationId, credentialId: 's-1' as CredentialId, secretHash: clientSecretHash(appSecret) };
  await record(
    shared,
    [clientStream(tenant, applicationId), clients],
    [
      { type: 'ClientRegistered', data: { applicationId, tenantId: tenant, createdAt: noon, ...given } },
      { type: 'ClientSecretIssued', data: { ...secret, createdAt: noon, expiresAt: null } },
    ],
  );
  return `${tenant}~${name}` as ClientId;
};

export const registerPerson = async (shared: Pick<Shared, 'store'>): Promise<void> =>
  recordOfPerson(
    shared,
    { type: 'PrincipalRegistered', data: { principalId: personId, tenantId, principalType: 'HUMAN', createdAt: noon } },
    { type: 'RolesGranted', data: { principalId: personId, roles: ['auditor'] } },
  );

export type Opening = Partial<Parameters<typeof openGrant>[1]>;

/** Of the client as it is now. */
const grantEpochOf = async (deps: ProcessDeps, clientId: ClientId): Promise<number> => {
  const name = parseApplicationClientId(clientId);
  const found = name === undefined ? undefined : await loadClient(deps, name);
  return found !== undefined && isRight(found) ? (found.right?.grantEpoch ?? 0) : 0;
};

export const open = async (deps: ProcessDeps, clientId: ClientId, changes: Opening = {}) => {
  const opened = await openGrant(deps, {
    tenantId,
    principalId: personId,
    principalType: 'HUMAN',
    securityEpoch: 1,
    clientEpoch: await grantEpochOf(deps, clientId),
    idTokenClaims: [],
    clientId,
    audience: ['septet'],
    scopes: ['principals:read', 'security:read', 'openid', 'offline_access'].map(scope),
    sessionId,
    binding: null,
    authentication: { at: noon, methods: ['pwd'] },
    offline: true,
    refreshIdleSeconds: 3_600,
    expiresAt: plusSeconds(deps.clock.now(), 86_400),
    at: deps.clock.now(),
    requestId: 'request-1',
    derivedFrom: randomUUID(),
    ...changes,
  });
  if (isLeft(opened) || opened.right.refreshToken === null) throw new Error('the grant was not opened');
  return { ...opened.right, refreshToken: opened.right.refreshToken };
};

export const startProcess = async (deps: ProcessDeps, routes: readonly BoundRoute[] = []) => {
  const service = await startHttpService([bind(deps, tokenRoute), ...routes]);
  const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
    service.call(path, {
      method: 'POST',
      identity: 'anonymous' as const,
      body: String(new URLSearchParams(form)),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  const refresh = (
    token: string,
    clientId: string,
    more: Record<string, string> = {},
    headers = {},
  ): Promise<Response> =>
    post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, client_id: clientId, ...more }, headers);
  return { ...service, deps, post, refresh };
};
