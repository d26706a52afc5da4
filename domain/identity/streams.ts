/** Stream names of the context. */
import type { Instant } from '../kernel/codec';
import { contextStreams } from '../kernel/context-streams';
import { PrincipalId, TenantId } from '../kernel/ids';
import { hourOf } from '../kernel/instant';
import type {
  ApplicationId,
  CodeId,
  DeviceRequestId,
  FamilyId,
  GrantId,
  IncidentId,
  PushedRequestId,
  SessionId,
} from './ids';

export const streams = contextStreams('identity', [
  'principal',
  'session',
  'grant',
  'client',
  'signingKeys',
  'code',
  'pushed',
  'device',
  'consent',
  'authenticators',
  'login',
  'passkey',
  'upstream',
  'signInPolicy',
  'credentialPolicy',
  'registrationPolicy',
  'tenant',
  'denials',
  'tenantSecurity',
  'incident',
  'issuance',
  'refreshFamily',
]);

export const principalStream = streams.of<PrincipalId>('principal');

/** One stream per hour, short enough to read and to expire. */
export const issuanceStream = (tenant: TenantId, at: Instant): string =>
  streams.of<string>('issuance')(tenant, hourOf(at));

const firstAdminId = 'admin';
if (!PrincipalId.is(firstAdminId)) throw new Error('the first admin has no valid id');

/** Fixed, so that of two racing first sign-ins one can append. */
export const firstAdmin: PrincipalId = firstAdminId;

/** Exists after the tenant's bootstrap. */
export const bootstrapStream = (tenant: TenantId): string => principalStream(tenant, firstAdmin);

export const clientStream = streams.of<ApplicationId>('client');
export const sessionStream = streams.of<SessionId>('session');
export const grantStream = streams.of<GrantId>('grant');
export const codeStream = streams.of<CodeId>('code');
export const pushedRequestStream = streams.of<PushedRequestId>('pushed');
export const deviceRequestStream = streams.of<DeviceRequestId>('device');
export const consentStream = streams.of<PrincipalId>('consent');
export const refreshFamilyStream = streams.of<FamilyId>('refreshFamily');
export const incidentStream = streams.of<IncidentId>('incident');

/** Signing keys belong to the platform. */
const platformId = 'platform';
if (!TenantId.is(platformId)) throw new Error('the platform has no valid name');
export const platformTenant: TenantId = platformId;
export const signingKeysStream = streams.of<string>('signingKeys')(platformTenant, 'keys');

export const authenticatorsStream = streams.of<PrincipalId>('authenticators');

/** Identifier claims. The id is a keyed hash of the identifier. */
export const claimStreams = {
  login: streams.of<string>('login'),
  passkey: streams.of<string>('passkey'),
  upstream: streams.of<string>('upstream'),
} as const;
export type ClaimKind = keyof typeof claimStreams;

export const tenantStream = (tenant: TenantId): string => streams.of<string>('tenant')(tenant, 'tenant');

export const credentialPolicyStream = (tenant: TenantId): string =>
  streams.of<string>('credentialPolicy')(tenant, 'policy');

export const registrationPolicyStream = (tenant: TenantId): string =>
  streams.of<string>('registrationPolicy')(tenant, 'policy');

export const signInPolicyStream = (tenant: TenantId): string => streams.of<string>('signInPolicy')(tenant, 'policy');

const denialShards = 16;

/** Sharded to keep streams short and concurrent denials apart. */
const shardOf = (jti: string): string =>
  ([...jti].reduce((sum, character) => sum + (character.codePointAt(0) as number), 0) % denialShards).toString(16);

/** By hour of expiry: older streams are irrelevant. */
export const denialStream = (tenant: TenantId, { jti, expiresAt }: { jti: string; expiresAt: Instant }): string =>
  streams.of<string>('denials')(tenant, `${hourOf(expiresAt)}-${shardOf(jti)}`);

const securityStream = streams.of<string>('tenantSecurity');

export const tenantSecurityStream = (tenant: TenantId): string => securityStream(tenant, 'epochs');

const platformTenantId = 'platform';
if (!TenantId.is(platformTenantId)) throw new Error('the platform has no valid name');

/** Distinguished by its id, because a tenant may be called `platform`. */
const globalId = 'everyone';
export const globalSecurityStream = securityStream(platformTenantId, globalId);
