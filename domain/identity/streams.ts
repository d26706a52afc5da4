/** Names of this context's streams. */
import type { Instant } from '../kernel/codec';
import { streamName, type TenantId } from '../kernel/ids';
import { PrincipalId } from './principal-id';

export const principalStream = (tenant: TenantId, principalId: PrincipalId): string =>
  streamName({ context: 'identity', aggregate: 'principal', tenant, id: principalId });

/** One stream an hour keeps each short enough to read and to expire. */
export const issuanceStream = (tenant: TenantId, at: Instant): string =>
  streamName({ context: 'identity', aggregate: 'issuance', tenant, id: at.slice(0, 13).replaceAll(/[-T]/g, '') });

const fixed = 'admin';
if (!PrincipalId.is(fixed)) throw new Error('the first admin has no valid id');

/** Fixed, so that of two racing first sign-ins the store lets one through. */
export const firstAdmin: PrincipalId = fixed;

/** Exists once the first sign-in of the tenant is spent. */
export const bootstrapStream = (tenant: TenantId): string => principalStream(tenant, firstAdmin);
