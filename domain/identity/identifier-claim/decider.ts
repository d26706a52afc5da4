/** One stream per identifier: of two concurrent claims, one can append. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import { type ClaimEvent, loginClaims } from './events';

export interface ClaimCommand {
  readonly type: 'ClaimIdentifier' | 'ReleaseIdentifier';
  readonly principalId: PrincipalId;
  readonly at: Instant;
}

export type ClaimRejection = 'identifier-taken';

/** Owner null: free. */
export interface ClaimState {
  readonly owner: PrincipalId | null;
}

const decide = (
  command: ClaimCommand,
  { owner }: ClaimState,
): Either<Rejection<ClaimRejection>, readonly ClaimEvent[]> => {
  const { type, principalId, at } = command;
  if (type === 'ReleaseIdentifier')
    return right(owner === principalId ? [{ type: 'IdentifierReleased', data: { principalId, releasedAt: at } }] : []);
  if (owner === principalId) return right([]);
  if (owner !== null) return reject('identifier-taken', 'Another principal already has this identifier.');
  return right([{ type: 'IdentifierClaimed', data: { principalId, claimedAt: at } }]);
};

export const identifierClaim: Decider<ClaimCommand, ClaimState, ClaimEvent, ClaimRejection> = {
  family: loginClaims,
  initial: { owner: null },
  evolve: (_, { type, data }) => ({ owner: type === 'IdentifierClaimed' ? data.principalId : null }),
  decide,
};
