/** Signs a JWT. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { KmsFault, PublicJwk, Signer } from '../../../../infra/ports/kms';

export type Claims = { readonly [claim: string]: unknown };

const encodePart = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** The caller chooses the key, so that all tokens of a response use the same one. */
export const signToken = async (
  signer: Pick<Signer, 'sign'>,
  { kid, alg }: Pick<PublicJwk, 'kid' | 'alg'>,
  { typ, claims }: { readonly typ: 'at+jwt' | 'JWT' | 'logout+jwt'; readonly claims: Claims },
): Promise<Either<KmsFault, string>> => {
  const input = `${encodePart({ alg, typ, kid })}.${encodePart(claims)}`;
  const signature = await signer.sign(kid, Buffer.from(input));
  return isLeft(signature) ? signature : right(`${input}.${Buffer.from(signature.right).toString('base64url')}`);
};
