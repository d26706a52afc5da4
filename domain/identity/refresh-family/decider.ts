/** Refresh token family: each token is used once; a reuse ends the family. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import { plusSeconds } from '../../kernel/instant';
import { type Rejection, reject } from '../../kernel/rejection';
import type { ClientId, IncidentId } from '../ids';
import { type RefreshFamilyEvent, refreshFamilies } from './events';
import { containsToken, evolve, type Family, type FamilyState } from './state';

export interface OpenFamily {
  readonly type: 'OpenFamily';
  readonly data: Extract<RefreshFamilyEvent, { type: 'FamilyOpened' }>['data'];
}

/** A refresh token is presented by this client, key or certificate. */
export interface UseRefreshToken {
  readonly type: 'UseRefreshToken';
  readonly number: number;
  readonly hash: string;
  readonly successorHash: string;
  readonly clientId: ClientId;
  /** The client authenticated. */
  readonly authenticated: boolean;
  readonly jkt: string | null;
  readonly x5t: string | null;
  readonly at: Instant;
  /** For a reuse: id of its incident, and the principal's current epoch. */
  readonly incidentId: IncidentId;
  readonly securityEpoch: number;
}

export interface RevokeFamily {
  readonly type: 'RevokeFamily';
  readonly reason: string;
  /** Only if this principal owns it; null: any owner. */
  readonly ownedBy: string | null;
}

export type FamilyCommand = OpenFamily | UseRefreshToken | RevokeFamily;

export type FamilyRejection =
  | 'family-differs'
  | 'family-unknown'
  | 'refresh-token-unknown'
  | 'family-over'
  | 'family-expired'
  | 'refresh-token-held-by-another';

type Decision = Either<Rejection<FamilyRejection>, readonly RefreshFamilyEvent[]>;

/** Grace period for retries after a lost response. */
export const graceSeconds = 10;

/** A use every 15 minutes for 90 days makes 8,640; the limit keeps streams readable. */
const maxRotations = 19_000;

const openFamily = ({ data }: OpenFamily, state: FamilyState): Decision => {
  if (state.kind === 'none') return right([{ type: 'FamilyOpened', data }]);
  return state.grantId === data.grantId && state.clientId === data.clientId
    ? right([])
    : reject('family-differs', 'A family of this id was opened for another grant.');
};

const isHolder = ({ clientId, jkt, x5t }: Family, command: UseRefreshToken): boolean =>
  command.clientId === clientId && (jkt === null || command.jkt === jkt) && (x5t === null || command.x5t === x5t);

/**
 * Accepts a repeated use within the grace period only from a client that authenticated or proved its key: anyone can send the `client_id`
 * of a public client.
 */
const isRetry = (family: Family, command: UseRefreshToken): boolean => {
  const proven = command.authenticated || family.jkt !== null || family.x5t !== null;
  const follows = command.number === family.current.number - 1;
  // A successor derived under another master key would be unknown to the client.
  const same = command.successorHash === family.current.hash;
  const soon = command.at <= plusSeconds(family.usedAt, graceSeconds);
  return follows && proven && same && soon;
};

const compromise = ({ familyId, grantId, principalId }: Family, command: UseRefreshToken): RefreshFamilyEvent => {
  const { incidentId, hash: presentedHash, securityEpoch, at } = command;
  const whose = { familyId, grantId, principalId, incidentId };
  return { type: 'FamilyCompromised', data: { ...whose, presentedHash, epochTo: securityEpoch + 1, at } };
};

const isExpired = ({ expiresAt, usedAt, idleSeconds, current }: Family, at: Instant): boolean =>
  at >= expiresAt || at >= plusSeconds(usedAt, idleSeconds) || current.number >= maxRotations;

/** Appends at the revision read, which counts rotations: of concurrent uses, one succeeds. */
const rotate = (family: Family, command: UseRefreshToken): Decision => {
  const { familyId, principalId, current } = family;
  const { successorHash: toHash, hash: fromHash, at: rotatedAt } = command;
  if (isExpired(family, rotatedAt)) return reject('family-expired', 'The refresh token has expired.');
  const number = current.number + 1;
  return right([{ type: 'RefreshRotated', data: { familyId, principalId, number, fromHash, toHash, rotatedAt } }]);
};

const useToken = (command: UseRefreshToken, state: FamilyState): Decision => {
  // Only former tokens of the family count, so guesses have no effect.
  if (state.kind === 'none' || !containsToken(state, command.number, command.hash))
    return reject('refresh-token-unknown', 'The refresh token is not known.');
  // Another client or key cannot end the family.
  if (!isHolder(state, command))
    return reject('refresh-token-held-by-another', 'The refresh token belongs to another client or key.');
  if (state.status !== 'ACTIVE') return reject('family-over', 'The refresh token is no longer accepted.');
  if (command.number === state.current.number) return rotate(state, command);
  return right(isRetry(state, command) ? [] : [compromise(state, command)]);
};

const revokeFamily = ({ reason, ownedBy }: RevokeFamily, state: FamilyState): Decision => {
  if (state.kind === 'none' || (ownedBy !== null && state.principalId !== ownedBy))
    return reject('family-unknown', 'There is no such refresh family.');
  const { familyId, principalId, status } = state;
  return right(status === 'ACTIVE' ? [{ type: 'FamilyRevoked', data: { familyId, principalId, reason } }] : []);
};

const decide = (command: FamilyCommand, state: FamilyState): Decision => {
  switch (command.type) {
    case 'OpenFamily':
      return openFamily(command, state);
    case 'UseRefreshToken':
      return useToken(command, state);
    case 'RevokeFamily':
      return revokeFamily(command, state);
  }
};

export const refreshFamily: Decider<FamilyCommand, FamilyState, RefreshFamilyEvent, FamilyRejection> = {
  family: refreshFamilies,
  initial: { kind: 'none' },
  evolve,
  decide,
};
