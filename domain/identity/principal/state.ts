/** A principal as its rules and the issuance of tokens see it. */
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import type { CredentialId, PrincipalType } from '../principal-id';
import type { Role } from '../roles';
import type { Scope } from '../scopes';
import { firstAdmin } from '../streams';
import type { PrincipalEvent } from './events';

export interface Credential {
  readonly credentialId: CredentialId;
  readonly secretHash: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly revoked: boolean;
}

export interface Registered {
  readonly kind: 'registered';
  readonly principalType: PrincipalType;
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'COMPROMISED';
  /** Tokens of a lower epoch are dead. */
  readonly securityEpoch: number;
  /** What was granted under a lower epoch is worthless, refresh tokens too: of before a suspension, a compromise, or an end by name. */
  readonly grantsFrom: number;
  readonly roles: readonly Role[];
  readonly scopes: readonly Scope[];
  readonly credentials: ReadonlyMap<CredentialId, Credential>;
}

export type PrincipalState = { readonly kind: 'none' } | Registered;

type Raised = Extract<PrincipalEvent, { type: 'SecurityEpochBumped' }>['data'];

const firstEpoch = 1;

export const isLive = ({ revoked, expiresAt }: Credential, at: Instant): boolean =>
  !revoked && (expiresAt === null || at < expiresAt);

export const liveCredentials = ({ credentials }: Registered, at: Instant): readonly Credential[] =>
  [...credentials.values()].filter((one) => isLive(one, at));

const withCredential = (state: Registered, credential: Credential): Registered => ({
  ...state,
  credentials: new Map(state.credentials).set(credential.credentialId, credential),
});

/** The first admin has the role from the first sign-in on, also where that was before there were roles. */
const registered = (principalId: PrincipalId, principalType: PrincipalType): Registered => ({
  kind: 'registered',
  principalType,
  status: 'ACTIVE',
  securityEpoch: firstEpoch,
  grantsFrom: firstEpoch,
  roles: principalId === firstAdmin ? ['admin'] : [],
  scopes: [],
  credentials: new Map(),
});

const joined = <Word>(some: readonly Word[], more: readonly Word[]): readonly Word[] => [
  ...new Set([...some, ...more]),
];
const without = <Word>(some: readonly Word[], gone: readonly Word[]): readonly Word[] =>
  some.filter((word) => !gone.includes(word));

const raised = (state: Registered, { to, grants }: Raised): Registered => ({
  ...state,
  securityEpoch: Math.max(state.securityEpoch, to),
  grantsFrom: grants === 'ended' ? Math.max(state.grantsFrom, to) : state.grantsFrom,
});

export const evolve = (state: PrincipalState, event: PrincipalEvent): PrincipalState => {
  if (event.type === 'PrincipalRegistered') return registered(event.data.principalId, event.data.principalType);
  if (state.kind === 'none') return state;
  switch (event.type) {
    case 'PrincipalSuspended':
      return { ...state, status: 'SUSPENDED', grantsFrom: state.securityEpoch + 1 };
    case 'PrincipalMarkedCompromised':
      return { ...state, status: 'COMPROMISED', grantsFrom: state.securityEpoch + 1 };
    case 'RolesGranted':
      return { ...state, roles: joined(state.roles, event.data.roles) };
    case 'RolesWithdrawn':
      return { ...state, roles: without(state.roles, event.data.roles) };
    case 'ScopesGranted':
      return { ...state, scopes: joined(state.scopes, event.data.scopes) };
    case 'ScopesWithdrawn':
      return { ...state, scopes: without(state.scopes, event.data.scopes) };
    case 'PrincipalRecovered':
    case 'PrincipalReactivated':
      return { ...state, status: 'ACTIVE' };
    case 'AdministratorRecovered':
      return { ...state, status: 'ACTIVE', roles: joined(state.roles, ['admin']) };
    case 'SecurityEpochBumped':
      return raised(state, event.data);
    case 'CredentialIssued': {
      const { credentialId, secretHash, scopes, createdAt, expiresAt } = event.data;
      return withCredential(state, { credentialId, secretHash, scopes, createdAt, expiresAt, revoked: false });
    }
    case 'CredentialRevoked': {
      const known = state.credentials.get(event.data.credentialId);
      return known === undefined ? state : withCredential(state, { ...known, revoked: true });
    }
  }
};
