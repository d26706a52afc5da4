/** Which key signs what a client verifies by its registered algorithm: ID tokens and logout tokens. */
import { type Either, left, right } from 'fp-ts/Either';
import type { IdTokenAlgorithm } from '../../../../domain/identity/client/events';
import { fault } from '../../../../domain/kernel/rejection';
import type { KmsFault, PublicJwk, Signer } from '../../../../infra/ports/kms';

/** A client that registered an algorithm refuses every other one. Null: that of access tokens. */
export const idTokenKey = async (
  signer: Pick<Signer, 'activeKey'>,
  algorithm: IdTokenAlgorithm | null,
  accessTokenKey: PublicJwk,
): Promise<Either<KmsFault, PublicJwk>> => {
  if (algorithm === 'RS256') return signer.activeKey('id-token');
  if (algorithm === null || algorithm === accessTokenKey.alg) return right(accessTokenKey);
  return left(fault('signing-unavailable', `No key signs ID tokens by ${algorithm}, which the client registered.`));
};
