/** An access token that is shown to the issuer itself: its claims, where it is genuine and in time. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import type { KmsFault, Signer } from '../../../infra/ports/kms';
import {
  type AccessTokenClaims,
  misdirected,
  type PublicKey,
  publicKeyOf,
  untimely,
  verifyToken,
} from '../../../packages/resource-server/src/verification/index';

export interface ReadDeps {
  readonly kms: Pick<Signer, 'publicKeys'>;
  readonly issuer: string;
}

const nothingKept = { find: () => undefined, keep: () => undefined };

/** Asked anew each time, so that what a revoked key signed is nothing from then on. */
const keysOf = async ({ kms }: ReadDeps): Promise<Either<KmsFault, ReadonlyMap<string, PublicKey>>> => {
  const listed = await kms.publicKeys();
  if (isLeft(listed)) return listed;
  const found = listed.right.flatMap((jwk) => {
    const key = publicKeyOf({ ...jwk });
    return key === undefined ? [] : [[jwk.kid, key] as const];
  });
  return right(new Map(found));
};

/** Undefined: nothing of ours, or nothing any more by its own times. */
export const readAccessToken = async (
  deps: ReadDeps,
  token: string,
  at: Instant,
): Promise<Either<KmsFault, AccessTokenClaims | undefined>> => {
  const held = await keysOf(deps);
  if (isLeft(held)) return held;
  const find = (kid: string): PublicKey | undefined => held.right.get(kid);
  const keys = {
    known: find,
    find: async (kid: string) => find(kid),
    loaded: () => true,
    refresh: async () => undefined,
  };
  const verified = await verifyToken({ keys, kept: nothingKept, headers: nothingKept }, { token, hash: '' });
  if (isLeft(verified)) return right(undefined);
  const { claims } = verified.right;
  const ours = misdirected(claims, { issuer: deps.issuer, audience: claims.aud[0] ?? '' }) === undefined;
  return right(ours && untimely(claims, Date.parse(at)) === undefined ? claims : undefined);
};
