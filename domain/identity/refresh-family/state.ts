/** A refresh family as its events have it: the chain of its tokens, by their hashes, and whether it lives. */
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import type { ClientId, FamilyId, GrantId, IncidentId } from '../ids';
import type { RefreshFamilyEvent } from './events';

/** Linked backwards, so that a rotation copies nothing and every token that ever was can be told from one that never was. */
export interface RefreshTokenEntry {
  readonly number: number;
  readonly hash: string;
  readonly before: RefreshTokenEntry | null;
}

export interface Family {
  readonly kind: 'family';
  /** Expiry is a matter of the clock, and no status. */
  readonly status: 'ACTIVE' | 'REVOKED' | 'COMPROMISED';
  readonly familyId: FamilyId;
  readonly grantId: GrantId;
  readonly principalId: PrincipalId;
  readonly clientId: ClientId;
  readonly jkt: string | null;
  readonly x5t: string | null;
  readonly securityEpoch: number;
  readonly current: RefreshTokenEntry;
  /** When it was opened, or the last token was used. */
  readonly usedAt: Instant;
  readonly idleSeconds: number;
  readonly expiresAt: Instant;
  /** Of the reuse that ended it, with what has to follow. */
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

/** Whether the family ever had this token under this number. */
export const containsToken = ({ current }: Family, number: number, hash: string): boolean => {
  let token: RefreshTokenEntry | null = current;
  while (token !== null && token.number > number) token = token.before;
  return token !== null && token.number === number && token.hash === hash;
};
