/** A principal as its rules and the issuance of tokens see it. */
import type { Instant } from '../../kernel/codec';
import type { CredentialId, PrincipalType } from '../principal-id';
import type { Scope } from '../scopes';
import type { PrincipalEvent } from './events';

export interface Credential {
  readonly credentialId: CredentialId;
  readonly secretHash: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Instant | null;
  readonly revoked: boolean;
}

export interface Registered {
  readonly kind: 'registered';
  readonly principalType: PrincipalType;
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'COMPROMISED';
  /** Tokens of a lower epoch are dead. */
  readonly securityEpoch: number;
  readonly credentials: ReadonlyMap<CredentialId, Credential>;
}

export type PrincipalState = { readonly kind: 'none' } | Registered;

const firstEpoch = 1;

export const isLive = ({ revoked, expiresAt }: Credential, at: Instant): boolean =>
  !revoked && (expiresAt === null || at < expiresAt);

const withCredential = (state: Registered, credential: Credential): Registered => ({
  ...state,
  credentials: new Map(state.credentials).set(credential.credentialId, credential),
});

const registered = (principalType: PrincipalType): Registered => ({
  kind: 'registered',
  principalType,
  status: 'ACTIVE',
  securityEpoch: firstEpoch,
  credentials: new Map(),
});

export const evolve = (state: PrincipalState, event: PrincipalEvent): PrincipalState => {
  if (event.type === 'PrincipalRegistered') return registered(event.data.principalType);
  if (state.kind === 'none') return state;
  switch (event.type) {
    case 'PrincipalSuspended':
      return { ...state, status: 'SUSPENDED' };
    case 'PrincipalReactivated':
      return { ...state, status: 'ACTIVE' };
    case 'SecurityEpochBumped':
      return { ...state, securityEpoch: Math.max(state.securityEpoch, event.data.to) };
    case 'CredentialIssued': {
      const { credentialId, secretHash, scopes, expiresAt } = event.data;
      return withCredential(state, { credentialId, secretHash, scopes, expiresAt, revoked: false });
    }
    case 'CredentialRevoked': {
      const known = state.credentials.get(event.data.credentialId);
      return known === undefined ? state : withCredential(state, { ...known, revoked: true });
    }
  }
};
