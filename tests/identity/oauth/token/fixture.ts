/** The token endpoint on loopback over twins, with a clock that stands still until it is moved. */
import { randomBytes, randomUUID } from 'node:crypto';
import { isLeft, left } from 'fp-ts/Either';
import { createClientJwksCache } from '../../../../commands/identity/clients/client-jwks';
import { clientSecretHash } from '../../../../commands/identity/clients/client-secret';
import { discoveryRoutes, jwksRoute } from '../../../../commands/identity/oauth/discovery-endpoints';
import { openIssuanceLog } from '../../../../commands/identity/oauth/token/issuance-log';
import { tokenRoute } from '../../../../commands/identity/oauth/token/token-endpoint';
import { noCommandMetrics } from '../../../../commands/kernel/command-metrics';
import type { CredentialId, PrincipalType } from '../../../../domain/identity/ids';
import { type PrincipalEvent, principalStream, principals } from '../../../../domain/identity/principal/events';
import type { Instant } from '../../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
import { plusSeconds } from '../../../../domain/kernel/instant';
import { fault } from '../../../../domain/kernel/rejection';
import { openMemoryEventStore } from '../../../../infra/adapters/eventstore/memory-event-store';
import { memoryKms } from '../../../../infra/adapters/kms/memory-keystore';
import { openEncryptingStore } from '../../../../infra/adapters/vault/encrypting-store';
import { memoryVault } from '../../../../infra/adapters/vault/memory-vault';
import type { EventStore } from '../../../../infra/ports/event-store';
import type { RemoteJson } from '../../../../infra/ports/identity/remote-json';
import type { Vault } from '../../../../infra/ports/vault';
import { bind } from '../../../../infra/server/http/routing/route';
import { memoryReplayCache } from '../../../../packages/resource-server/src/dpop/replay-cache';
import { startHttpService } from '../../../support/http/http-service';
import { workloadDeps } from '../../../support/identity/workloads';
import { noon, scope } from '../../examples';

export const issuer = 'https://septet.example';
export const secret = 'Zm9yIHRoZSB0ZXN0cyBvZiB0aGlzIGNvbnRleHQgb25seQ';

/** Nothing is anywhere. */
const nowhere: RemoteJson = async () => left(fault('remote-unavailable', 'There is nothing.'));

export const startIssuer = async (
  log: EventStore = openMemoryEventStore(),
  vault: Vault = memoryVault(),
  fetchJson: RemoteJson = nowhere,
) => {
  const store = openEncryptingStore(log, vault);
  let now: Instant = noon;
  const deps = {
    store,
    issuances: openIssuanceLog(store),
    proofs: { replay: memoryReplayCache(() => Date.parse(now)) },
    assertions: memoryReplayCache(() => Date.parse(now)),
    clientKeys: createClientJwksCache(fetchJson, () => Date.parse(now)),
    ...workloadDeps(),
    kms: memoryKms(randomBytes(32)),
    commandMetrics: noCommandMetrics,
    clock: { now: () => now },
    random: { uuid: randomUUID, token: (bytes: number) => randomBytes(bytes).toString('base64url') },
    issuer,
    recordsAddresses: true,
    audiences: ['septet', 'https://files.example'],
  };
  const routes = [bind(deps, tokenRoute), bind(deps, jwksRoute)];
  const service = await startHttpService([...routes, ...discoveryRoutes(deps, routes)]);
  const post = (body: string | URLSearchParams, headers: Record<string, string> = {}): Promise<Response> =>
    service.call('/oauth/token', {
      method: 'POST',
      identity: 'anonymous',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: String(body),
    });
  const requestToken = (clientId: string, more: Record<string, string> = {}): Promise<Response> =>
    post(
      new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret, ...more }),
    );
  const record = async (name: string, events: readonly PrincipalEvent[]): Promise<void> => {
    const [tenant, id] = name.split('.') as [TenantId, PrincipalId];
    const stored = events.map((event) => ({ id: randomUUID(), ...principals.encode(event), metadata: {} }));
    const appended = await store.append(principalStream(tenant, id), 'any', stored);
    if (isLeft(appended)) throw new Error('the store refused an example');
  };
  const wait = (seconds: number): void => {
    now = plusSeconds(now, seconds);
  };
  return { ...service, deps, post, requestToken, record, wait };
};

/** A principal of that client id, with one credential that lives for an hour. */
export const client = (name: string, principalType: PrincipalType = 'PIPELINE'): readonly PrincipalEvent[] => {
  const [tenantId, principalId] = name.split('.') as [TenantId, PrincipalId];
  const credentialId = 'c-1' as CredentialId;
  const scopes = [scope('principals:read'), scope('principals:write')];
  const lives = { createdAt: noon, expiresAt: plusSeconds(noon, 3600) };
  return [
    { type: 'PrincipalRegistered', data: { principalId, tenantId, principalType, createdAt: noon } },
    {
      type: 'CredentialIssued',
      data: { principalId, credentialId, secretHash: clientSecretHash(secret), scopes, ...lives },
    },
  ];
};
