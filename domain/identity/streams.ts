/** Stream names of the context. */
import type { Instant } from '../kernel/codec';
import { PrincipalId, streamName, TenantId } from '../kernel/ids';
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

export const principalStream = (tenant: TenantId, principalId: PrincipalId): string =>
  streamName({ context: 'identity', aggregate: 'principal', tenant, id: principalId });

/** One stream per hour, short enough to read and to expire. */
export const issuanceStream = (tenant: TenantId, at: Instant): string =>
  streamName({ context: 'identity', aggregate: 'issuance', tenant, id: hourOf(at) });

const firstAdminId = 'admin';
if (!PrincipalId.is(firstAdminId)) throw new Error('the first admin has no valid id');

/** Fixed, so that of two racing first sign-ins one can append. */
export const firstAdmin: PrincipalId = firstAdminId;

/** Exists after the tenant's bootstrap. */
export const bootstrapStream = (tenant: TenantId): string => principalStream(tenant, firstAdmin);

const streamNamed = (aggregate: string) => (tenant: TenantId, id: string) =>
  streamName({ context: 'identity', aggregate, tenant, id });

export const clientStream: (tenant: TenantId, id: ApplicationId) => string = streamNamed('client');
export const sessionStream: (tenant: TenantId, id: SessionId) => string = streamNamed('session');
export const grantStream: (tenant: TenantId, id: GrantId) => string = streamNamed('grant');
export const codeStream: (tenant: TenantId, id: CodeId) => string = streamNamed('code');
export const pushedRequestStream: (tenant: TenantId, id: PushedRequestId) => string = streamNamed('pushed');
export const deviceRequestStream: (tenant: TenantId, id: DeviceRequestId) => string = streamNamed('device');
export const consentStream: (tenant: TenantId, id: PrincipalId) => string = streamNamed('consent');
export const refreshFamilyStream: (tenant: TenantId, id: FamilyId) => string = streamNamed('refreshFamily');
export const incidentStream: (tenant: TenantId, id: IncidentId) => string = streamNamed('incident');

/** Signing keys belong to the platform. */
const platformId = 'platform';
if (!TenantId.is(platformId)) throw new Error('the platform has no valid name');
export const platformTenant: TenantId = platformId;
export const signingKeysStream = streamNamed('signingKeys')(platformTenant, 'keys');

const streamOf =
  <Id extends string>(aggregate: string) =>
  (tenant: TenantId, id: Id) =>
    streamName({ context: 'identity', aggregate, tenant, id });

export const authenticatorsStream = streamOf<PrincipalId>('authenticators');

/** Identifier claims. The id is a keyed hash of the identifier. */
export const claimStreams = {
  login: streamOf<string>('login'),
  passkey: streamOf<string>('passkey'),
  upstream: streamOf<string>('upstream'),
} as const;
export type ClaimKind = keyof typeof claimStreams;

export const tenantStream = (tenant: TenantId): string =>
  streamName({ context: 'identity', aggregate: 'tenant', tenant, id: 'tenant' });

export const credentialPolicyStream = (tenant: TenantId): string =>
  streamName({ context: 'identity', aggregate: 'credentialPolicy', tenant, id: 'policy' });

export const signInPolicyStream = (tenant: TenantId): string =>
  streamName({ context: 'identity', aggregate: 'signInPolicy', tenant, id: 'policy' });

const securityStream = (aggregate: string, tenant: TenantId, id: string): string =>
  streamName({ context: 'identity', aggregate, tenant, id });

const denialShards = 16;

/** Sharded to keep streams short and concurrent denials apart. */
const shardOf = (jti: string): string =>
  ([...jti].reduce((sum, character) => sum + (character.codePointAt(0) as number), 0) % denialShards).toString(16);

/** By hour of expiry: older streams are irrelevant. */
export const denialStream = (tenant: TenantId, { jti, expiresAt }: { jti: string; expiresAt: Instant }): string =>
  securityStream('denials', tenant, `${hourOf(expiresAt)}-${shardOf(jti)}`);

export const tenantSecurityStream = (tenant: TenantId): string => securityStream('tenantSecurity', tenant, 'epochs');

const platformTenantId = 'platform';
if (!TenantId.is(platformTenantId)) throw new Error('the platform has no valid name');

/** Distinguished by its id, because a tenant may be called `platform`. */
const globalId = 'everyone';
export const globalSecurityStream = securityStream('tenantSecurity', platformTenantId, globalId);
