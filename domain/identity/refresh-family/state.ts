/** State of a refresh token family: the chain of token hashes, and its status. */
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import type { ClientId, FamilyId, GrantId, IncidentId } from '../ids';
import type { RefreshFamilyEvent } from './events';

/** A linked list: a rotation copies nothing, and former tokens are distinguishable from unknown ones. */
export interface RefreshTokenEntry {
  readonly number: number;
  readonly hash: string;
  readonly before: RefreshTokenEntry | null;
}

export interface Family {
  readonly kind: 'family';
  /** Expiry depends on the clock and is no status. */
  readonly status: 'ACTIVE' | 'REVOKED' | 'COMPROMISED';
  readonly familyId: FamilyId;
  readonly grantId: GrantId;
  readonly principalId: PrincipalId;
  readonly clientId: ClientId;
  readonly jkt: string | null;
  readonly x5t: string | null;
  readonly securityEpoch: number;
  readonly current: RefreshTokenEntry;
  /** Opening or last use. */
  readonly usedAt: Instant;
  readonly idleSeconds: number;
  readonly expiresAt: Instant;
  /** The reuse that ended it, with the required containment. */
  readonly reuse: { readonly incidentId: IncidentId; readonly epochTo: number; readonly at: Instant } | null;
}

export type FamilyState = { readonly kind: 'none' } | Family;

const opened = ({ data }: Extract<RefreshFamilyEvent, { type: 'FamilyOpened' }>): Family => {
  const { hash, openedAt, ...rest } = data;
  const current = { number: 0, hash, before: null };
  return { kind: 'family', status: 'ACTIVE', ...rest, current, usedAt: openedAt, reuse: null };
};

export const evolve = (state: FamilyState, event: RefreshFamilyEvent): FamilyState => {
  if (event.type === 'FamilyOpened') return state.kind === 'none' ? opened(event) : state;
  if (state.kind === 'none') return state;
  switch (event.type) {
    case 'RefreshRotated': {
      const { number, toHash: hash, rotatedAt } = event.data;
      return { ...state, current: { number, hash, before: state.current }, usedAt: rotatedAt };
    }
    case 'FamilyCompromised': {
      const { incidentId, epochTo, at } = event.data;
      return { ...state, status: 'COMPROMISED', reuse: { incidentId, epochTo, at } };
    }
    case 'FamilyRevoked':
      return state.status === 'ACTIVE' ? { ...state, status: 'REVOKED' } : state;
  }
};

/** Whether this token of this number belonged to the family. */
export const containsToken = ({ current }: Family, number: number, hash: string): boolean => {
  let token: RefreshTokenEntry | null = current;
  while (token !== null && token.number > number) token = token.before;
  return token !== null && token.number === number && token.hash === hash;
};
