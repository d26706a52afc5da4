/** Names of this context's streams. */
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

/** One stream an hour keeps each short enough to read and to expire. */
export const issuanceStream = (tenant: TenantId, at: Instant): string =>
  streamName({ context: 'identity', aggregate: 'issuance', tenant, id: hourOf(at) });

const fixed = 'admin';
if (!PrincipalId.is(fixed)) throw new Error('the first admin has no valid id');

/** Fixed, so that of two racing first sign-ins the store lets one through. */
export const firstAdmin: PrincipalId = fixed;

/** Exists once the first sign-in of the tenant is spent. */
export const bootstrapStream = (tenant: TenantId): string => principalStream(tenant, firstAdmin);

const named = (aggregate: string) => (tenant: TenantId, id: string) =>
  streamName({ context: 'identity', aggregate, tenant, id });

export const clientStream: (tenant: TenantId, id: ApplicationId) => string = named('client');
export const sessionStream: (tenant: TenantId, id: SessionId) => string = named('session');
export const grantStream: (tenant: TenantId, id: GrantId) => string = named('grant');
export const codeStream: (tenant: TenantId, id: CodeId) => string = named('code');
export const pushedRequestStream: (tenant: TenantId, id: PushedRequestId) => string = named('pushed');
export const deviceRequestStream: (tenant: TenantId, id: DeviceRequestId) => string = named('device');
export const consentStream: (tenant: TenantId, id: PrincipalId) => string = named('consent');
export const refreshFamilyStream: (tenant: TenantId, id: FamilyId) => string = named('refreshFamily');
export const incidentStream: (tenant: TenantId, id: IncidentId) => string = named('incident');

/** Signing keys are of no tenant. */
const platform = 'platform';
if (!TenantId.is(platform)) throw new Error('the platform has no valid name');
export const platformTenant: TenantId = platform;
export const signingKeysStream = named('signingKeys')(platformTenant, 'keys');
