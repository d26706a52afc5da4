/** Facts that authorization rests on, put into the log as they are: applications, people, and who is signed in. */
import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import { sessionOwnerKey } from '../../../../commands/identity/sessions/current-session';
import { formatSessionCookie } from '../../../../commands/identity/sessions/session-cookie';
import { type ClientMetadata, clientStream, clients } from '../../../../domain/identity/client/events';
import type { ApplicationId, CredentialId, SessionId } from '../../../../domain/identity/ids';
import { type GrantsOfBefore, principalStream, principals } from '../../../../domain/identity/principal/events';
import { sessionStream, sessions } from '../../../../domain/identity/session/events';
import type { Instant } from '../../../../domain/kernel/codec';
import type { DomainEvent, Family } from '../../../../domain/kernel/family';
import type { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
import { plusSeconds } from '../../../../domain/kernel/instant';
import type { EventStore } from '../../../../infra/ports/event-store';
import type { SessionActivity } from '../../../../infra/ports/identity/session-activity';
import type { AccountCookies } from '../../../../infra/server/http/identity/account-cookies';
import { applicationMetadata } from '../../clients/application-metadata';
import { scope } from '../../examples';

export interface World {
  readonly store: EventStore;
  readonly clock: { readonly now: () => Instant };
  readonly browsers: { readonly cookies: AccountCookies; readonly live: SessionActivity };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const put = async <Event extends DomainEvent>(
  { store }: World,
  stream: string,
  [family, events]: readonly [Family<Event>, readonly Event[]],
): Promise<void> => {
  const stored = events.map((event) => ({ id: randomUUID(), ...family.encode(event), metadata: {} }));
  assert.ok(!isLeft(await store.append(stream, 'any', stored)));
};

const partsOf = (written: string, by: string): readonly [TenantId, string] => {
  const [tenant = '', id = ''] = written.split(by);
  return [tenant as TenantId, id];
};

export const register = async (
  world: World,
  clientId: string,
  changes: Partial<ClientMetadata> = {},
): Promise<void> => {
  const [tenantId, id] = partsOf(clientId, '~');
  const applicationId = id as ApplicationId;
  const metadata = { ...applicationMetadata('none'), ...changes };
  const data = { applicationId, tenantId, createdAt: world.clock.now(), ...metadata };
  await put(world, clientStream(tenantId, applicationId), [clients, [{ type: 'ClientRegistered', data }]]);
};

export const disable = async (world: World, clientId: string): Promise<void> => {
  const [tenantId, id] = partsOf(clientId, '~');
  const applicationId = id as ApplicationId;
  const data = { applicationId, reason: 'Leaked.' };
  await put(world, clientStream(tenantId, applicationId), [clients, [{ type: 'ClientDisabled', data }]]);
};

/** As the route records it: redirect URIs or the way of authenticating are other ones now. */
export const changeRegistration = async (
  world: World,
  clientId: string,
  { was = {}, is }: { readonly was?: Partial<ClientMetadata>; readonly is: Partial<ClientMetadata> },
): Promise<void> => {
  const [tenantId, id] = partsOf(clientId, '~');
  const applicationId = id as ApplicationId;
  const before = { ...applicationMetadata('none'), ...was };
  const { name, redirectUris, authentication } = before;
  const voided = { applicationId, at: world.clock.now(), was: { name, redirectUris, authentication } };
  await put(world, clientStream(tenantId, applicationId), [
    clients,
    [
      { type: 'ClientChanged', data: { ...before, ...is, applicationId } },
      { type: 'ClientGrantsVoided', data: voided },
    ],
  ]);
};

export const addSecret = async (world: World, clientId: string, secret: string): Promise<void> => {
  const [tenantId, id] = partsOf(clientId, '~');
  const applicationId = id as ApplicationId;
  const whose = { applicationId, credentialId: 's-1' as CredentialId, createdAt: world.clock.now() };
  const data = { ...whose, secretHash: sha256(secret), expiresAt: null };
  await put(world, clientStream(tenantId, applicationId), [clients, [{ type: 'ClientSecretIssued', data }]]);
};

export const addPerson = async (world: World, name: string, scopes: readonly string[] = []): Promise<void> => {
  const [tenantId, id] = partsOf(name, '.');
  const principalId = id as PrincipalId;
  const registered = { principalId, tenantId, principalType: 'HUMAN' as const, createdAt: world.clock.now() };
  const given = { principalId, scopes: scopes.map(scope) };
  await put(world, principalStream(tenantId, principalId), [
    principals,
    [
      { type: 'PrincipalRegistered', data: registered },
      { type: 'ScopesGranted', data: given },
    ],
  ]);
};

export const suspend = async (world: World, name: string): Promise<void> => {
  const [tenantId, id] = partsOf(name, '.');
  const principalId = id as PrincipalId;
  const data = { principalId, reason: 'Lost.' };
  await put(world, principalStream(tenantId, principalId), [principals, [{ type: 'PrincipalSuspended', data }]]);
};

/** The first end of its tokens: from epoch 1 to 2. */
export const raiseEpoch = async (world: World, name: string, grants: GrantsOfBefore): Promise<void> => {
  const [tenantId, id] = partsOf(name, '.');
  const principalId = id as PrincipalId;
  const data = { principalId, from: 1, to: 2, grants, reason: 'Lost.' };
  await put(world, principalStream(tenantId, principalId), [principals, [{ type: 'SecurityEpochBumped', data }]]);
};

export interface Browser {
  readonly cookie: string;
  readonly sessionId: SessionId;
  readonly tenantId: TenantId;
}

/** A browser in which that person has just signed in. */
export const signIn = async (world: World, name: string, methods: readonly string[] = ['pwd']): Promise<Browser> => {
  const [tenantId, id] = partsOf(name, '.');
  const principalId = id as PrincipalId;
  const secret = randomBytes(32).toString('base64url');
  const sessionId = sha256(secret) as SessionId;
  const now = world.clock.now();
  const whose = { sessionId, principalId, secretHash: sha256(secret), securityEpoch: 1, upstreamIssuer: null };
  const how = { authenticatedAt: now, methods: [...methods], expiresAt: plusSeconds(now, 43_200) };
  const data = { ...whose, ...how, device: null, sourceIp: null };
  await put(world, sessionStream(tenantId, sessionId), [sessions, [{ type: 'SessionOpened', data }]]);
  await world.browsers.live.begin(sessionOwnerKey(tenantId, principalId), sessionId, 7_200_000);
  const value = formatSessionCookie({ tenantId, sessionId, secret });
  const [cookie = ''] = world.browsers.cookies.write('account', value).split(';');
  return { cookie, sessionId, tenantId };
};

export const signOut = async (world: World, { tenantId, sessionId }: Browser, principalId = 'p-1'): Promise<void> => {
  const data = { sessionId, principalId: principalId as PrincipalId, reason: 'Signed out.' };
  await put(world, sessionStream(tenantId, sessionId), [sessions, [{ type: 'SessionEnded', data }]]);
};
