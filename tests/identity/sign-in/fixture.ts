/** People's pages on loopback over twins. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { left } from 'fp-ts/Either';
import { peopleRoutes } from '../../../commands/identity/routes';
import type { SignInDeps } from '../../../commands/identity/sign-in/dependencies';
import { createPasswordHasher } from '../../../commands/identity/sign-in/password-hashing';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { type PrincipalEvent, principalStream, principals } from '../../../domain/identity/principal/events';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { memoryKms } from '../../../infra/adapters/kms/memory-keystore';
import { memoryExpiringStore } from '../../../infra/adapters/redis/identity/memory-expiring-store';
import { memoryReplayCache } from '../../../infra/adapters/redis/identity/memory-replay-cache';
import {
  createMemoryAttemptLimiter,
  createMemorySessionActivity,
} from '../../../infra/adapters/redis/identity/memory-sign-in-stores';
import { openEncryptingStore } from '../../../infra/adapters/vault/encrypting-store';
import { memoryVault } from '../../../infra/adapters/vault/memory-vault';
import type { IdentityProviders } from '../../../infra/ports/identity/identity-providers';
import { accountCookies } from '../../../infra/server/http/identity/account-cookies';
import { watchOriginMismatch } from '../../../infra/server/http/identity/origin-mismatch';
import type { Identity } from '../../../infra/server/http/routing/route';
import { startHttpService } from '../../support/http/http-service';
import { recordingLog } from '../../support/waiting/recording-log';
import { type FormBrowser, openFormBrowser } from './form-browser';

export const origin = 'https://septet.example';
export const bootstrapCode = 'a-code-that-was-printed';

const begin = '2026-01-31T12:00:00.000Z';

export const admin: Identity & { readonly authenticatedAt: number } = {
  tenantId: 'acme',
  principalId: 'admin',
  principalType: 'HUMAN',
  scopes: ['principals:read', 'principals:write', 'security:write', 'sessions:write', 'tenant:write'],
  tokenId: 'jti-1',
  authenticatedAt: Date.parse(begin),
  multiFactor: true,
};

const noProviders: IdentityProviders = {
  beginSignIn: async () => left({ kind: 'away', detail: 'None.' }),
  completeSignIn: async () => left({ kind: 'away', detail: 'None.' }),
};

type Keyed = Pick<SignInDeps, 'store' | 'kms'>;

export const startPeople = async (
  more: Partial<SignInDeps['people']> = {},
  origins: readonly string[] = [origin],
  { store = openEncryptingStore(openMemoryEventStore(), memoryVault()), kms = memoryKms() }: Partial<Keyed> = {},
) => {
  const log = recordingLog();
  let now = Date.parse(begin);
  const clock = () => now;
  const deps: SignInDeps = {
    ...{
      store,
      kms,
      commandMetrics: noCommandMetrics,
      warm: createExclusiveAggregates(),
      recordsAddresses: true,
      pause: async () => undefined,
    },
    clock: { now: () => new Date(now).toISOString() as Instant },
    random: { uuid: randomUUID, token: (bytes) => randomBytes(bytes).toString('base64url') },
    firstSignIn: { code: bootstrapCode, tenantId: 'acme' as TenantId },
    browsers: {
      cookies: accountCookies(origin),
      origins,
      originMismatch: watchOriginMismatch(log, origins, clock),
      live: createMemorySessionActivity(clock),
    },
    people: {
      passwords: createPasswordHasher({ power: 8, blocks: 8, lanes: 1 }),
      attempts: createMemoryAttemptLimiter(clock),
      flowStates: memoryExpiringStore(clock),
      once: memoryReplayCache(clock),
      providers: noProviders,
      ...more,
    },
  };
  const service = await startHttpService(peopleRoutes(deps));
  const api = (method: string, path: string, body: object, identity: Identity = admin, key: string = randomUUID()) =>
    service.call(path, {
      method,
      identity,
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    });
  const wait = (seconds: number): void => {
    now += seconds * 1000;
  };
  const everything = async (): Promise<string> => {
    const found: unknown[] = [];
    for await (const event of store.readAll({ after: null }))
      found.push(event.stream, event.type, event.data, event.metadata);
    return JSON.stringify([found, service.log.lines]);
  };
  /** As their own routes would. */
  const record = async (principalId: string, event: PrincipalEvent): Promise<void> => {
    const stored = [{ id: randomUUID(), ...principals.encode(event), metadata: {} }];
    await store.append(principalStream('acme' as TenantId, principalId as PrincipalId), 'any', stored);
  };
  return {
    ...service,
    deps,
    written: log.lines,
    api,
    record,
    wait,
    now: clock,
    everything,
    browser: () => openFormBrowser(service.call),
  };
};
export type PeopleStage = Awaited<ReturnType<typeof startPeople>>;

export const strongPassword = 'a quiet lamp by the sea';

/** A person with a password, who is signed in in the browser that is answered. */
export const enrolPerson = async (stage: PeopleStage, login = 'ada@example.org', roles: readonly string[] = []) => {
  const made = await stage.api('POST', '/v1/people', {
    login,
    displayName: 'Ada',
    ...(roles.length === 0 ? {} : { roles }),
  });
  assert.equal(made.status, 201, await made.clone().text());
  const { principalId, enrolmentUrl } = (await made.json()) as { principalId: string; enrolmentUrl: string };
  const browser = stage.browser();
  await browser.open(enrolmentUrl.slice(origin.length));
  const page = await browser.submit('/sign-in/enrol', { password: strongPassword });
  assert.equal(page.status, 200, page.text);
  return { principalId, browser, enrolmentUrl };
};

export const signIn = async (
  browser: FormBrowser,
  login = 'ada@example.org',
  password = strongPassword,
  query = '',
) => {
  await browser.open(`/sign-in${query}`);
  return browser.submit('/sign-in', { login, password });
};
