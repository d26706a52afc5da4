/** Tenants are registered by operators of the platform. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { TenantId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import { platformTenant } from '../ids';
import { type TenantEvent, tenants } from './events';

export interface RegisterTenant {
  readonly type: 'RegisterTenant';
  readonly tenantId: TenantId;
  readonly name: string;
  readonly codeHash: string;
  readonly at: Instant;
  readonly expiresAt: Instant;
  /** The tenant has a first administrator. */
  readonly hasAdministrator: boolean;
}

interface FirstSignInCode {
  readonly hash: string;
  readonly expiresAt: Instant;
}

export type TenantState =
  | { readonly kind: 'none' }
  | { readonly kind: 'registered'; readonly name: string; readonly code: FirstSignInCode | null };

export type TenantRejection = 'tenant-exists' | 'tenant-reserved';

/** Streams of the platform itself have this tenant, which no caller may read as its own. */
const isReserved = (tenantId: TenantId): boolean => tenantId === platformTenant;

/** Registering a tenant again replaces its code, for one that was lost or has expired. */
const decide = (
  { tenantId, name, codeHash, at, expiresAt, hasAdministrator }: RegisterTenant,
  state: TenantState,
): Either<Rejection<TenantRejection>, readonly TenantEvent[]> => {
  if (isReserved(tenantId)) return reject('tenant-reserved', `tenantId: ${tenantId} is the platform's own.`);
  if (hasAdministrator) return reject('tenant-exists', 'tenantId: the tenant already has its first administrator.');
  if (state.kind === 'registered' && state.name !== name)
    return reject('tenant-exists', 'tenantId: the tenant is registered under another name.');
  if (state.kind === 'registered' && state.code?.hash === codeHash) return right([]);
  const issued: TenantEvent = { type: 'FirstSignInCodeIssued', data: { tenantId, codeHash, issuedAt: at, expiresAt } };
  if (state.kind === 'registered') return right([issued]);
  return right([{ type: 'TenantRegistered', data: { tenantId, name, createdAt: at } }, issued]);
};

const evolve = (state: TenantState, event: TenantEvent): TenantState => {
  if (event.type === 'TenantRegistered') return { kind: 'registered', name: event.data.name, code: null };
  if (state.kind === 'none') return state;
  return { ...state, code: { hash: event.data.codeHash, expiresAt: event.data.expiresAt } };
};

/** Whether this code lets the first administrator in. The caller compares hashes of equal length in constant time. */
export const liveCodeHash = (state: TenantState, at: Instant): string | undefined =>
  state.kind === 'registered' && state.code !== null && at < state.code.expiresAt ? state.code.hash : undefined;

export const tenant: Decider<RegisterTenant, TenantState, TenantEvent, TenantRejection> = {
  family: tenants,
  initial: { kind: 'none' },
  evolve,
  decide,
};
