/** The write side of identity on loopback over twins, called as the gateway calls it. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { RegistrationMode } from '../../commands/identity/oauth/client-registration/initial-access-token';
import type { BootstrapDeps } from '../../commands/identity/principals/bootstrap';
import { identityRoutes } from '../../commands/identity/routes';
import { noCommandMetrics } from '../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../commands/kernel/exclusive-aggregates';
import type { Instant } from '../../domain/kernel/codec';
import type { TenantId } from '../../domain/kernel/ids';
import { openMemoryEventStore } from '../../infra/adapters/eventstore/memory-event-store';
import { memoryKms } from '../../infra/adapters/kms/memory-keystore';
import {
  createMemoryAttemptLimiter,
  createMemorySessionActivity,
} from '../../infra/adapters/redis/identity/memory-sign-in-stores';
import { openEncryptingStore } from '../../infra/adapters/vault/encrypting-store';
import { memoryVault } from '../../infra/adapters/vault/memory-vault';
import { accountCookies } from '../../infra/server/http/identity/account-cookies';
import type { Identity } from '../../infra/server/http/routing/route';
import { memoryReplayCache } from '../../packages/resource-server/src/dpop/replay-cache';
import type { DpopOptions } from '../../packages/resource-server/src/dpop/verify-proof';
import { startHttpService } from '../support/http/http-service';
import { workloadDeps } from '../support/identity/workloads';

export const bootstrapCode = 'a-code-that-was-printed';
const issuer = 'https://septet.example';

export const admin: Identity = {
  tenantId: 'acme',
  principalId: 'admin',
  principalType: 'HUMAN',
  scopes: ['principals:read', 'principals:write', 'credentials:write'],
  tokenId: 'jti-1',
};

const shared = () => ({ store: openEncryptingStore(openMemoryEventStore(), memoryVault()), kms: memoryKms() });

/** Two of them over one log are two processes: each keeps its own warm state. */
export const startCommandApi = async (
  world = shared(),
  firstSignIn: Partial<BootstrapDeps['firstSignIn']> = {},
  registration?: RegistrationMode,
  proofs: Partial<DpopOptions> = {},
) => {
  const pauses: number[] = [];
  const service = await startHttpService([
    ...identityRoutes({
      ...world,
      commandMetrics: noCommandMetrics,
      warm: createExclusiveAggregates(),
      clock: { now: () => new Date().toISOString() as Instant },
      random: { uuid: randomUUID, token: (bytes) => randomBytes(bytes).toString('base64url') },
      issuer,
      audiences: ['septet'],
      accessTokenAlgorithm: 'ES256',
      proofs: { replay: memoryReplayCache(), ...proofs },
      assertions: memoryReplayCache(),
      clientKeys: { of: async ({ jwks }) => jwks?.keys ?? [] },
      ...workloadDeps(),
      browsers: { cookies: accountCookies(issuer), origins: [issuer], live: createMemorySessionActivity() },
      people: { attempts: createMemoryAttemptLimiter() },
      recordsAddresses: true,
      operators: 'acme',
      firstSignIn: { code: bootstrapCode, tenantId: 'acme' as TenantId, ...firstSignIn },
      pause: async (milliseconds) => void pauses.push(milliseconds),
      ...(registration === undefined ? {} : { registration }),
    }),
  ]);
  const post = (path: string, body: object, more: { key?: string; ifMatch?: string; identity?: Identity } = {}) =>
    service.call(path, {
      method: 'POST',
      identity: more.identity ?? admin,
      headers: {
        'content-type': 'application/json',
        'idempotency-key': more.key ?? randomUUID(),
        ...(more.ifMatch === undefined ? {} : { 'if-match': more.ifMatch }),
      },
      body: JSON.stringify(body),
    });
  const takeToken = (clientId: unknown, clientSecret: unknown, headers: Record<string, string> = {}) =>
    service.call('/oauth/token', {
      method: 'POST',
      identity: 'anonymous',
      headers: {
        authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      body: 'grant_type=client_credentials',
    });
  return { ...service, ...world, pauses, post, takeToken };
};

export const jsonOf = async (response: Response | Promise<Response>): Promise<Record<string, unknown>> =>
  (await (await response).json()) as Record<string, unknown>;
