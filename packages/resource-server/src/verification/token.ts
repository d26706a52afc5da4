/** The first check of an access token: its form and its signature, by a key that we hold. */
import { bytesOf } from './base64url';
import { claimsOf } from './claims';
import { type Either, isLeft, left, right } from './either';
import type { KeptTokens, VerifiedToken } from './kept-tokens';
import type { Keyring } from './keyring';
import { membersOf } from './members';
import type { PublicKey } from './public-key';
import { invalidToken, type Refusal, unavailable } from './refusal';
import { fits, type Signed, signedOf } from './signed';
import { type KnownHeaders, type TokenHeader, tokenHeaderOf } from './token-header';

export interface TokenChecks {
  readonly keys: Keyring;
  readonly kept: KeptTokens;
  readonly headers: KnownHeaders;
}

export interface Shown {
  readonly token: string;
  /** SHA-256, as `ath` of a proof has it. */
  readonly hash: string;
}

const longestToken = 8_192;

interface Read {
  readonly signed: Signed;
  readonly header: TokenHeader;
}

const readToken = (token: string, headers: KnownHeaders): Either<Refusal, Read> => {
  if (token.length > longestToken) return left(invalidToken('The token is too long.'));
  const signed = signedOf(token);
  const header = signed === undefined ? undefined : (headers.find(signed.header) ?? tokenHeaderOf(signed.header));
  if (signed === undefined || header === undefined)
    return left(invalidToken('The token is malformed or of another kind.'));
  return right({ signed, header });
};

const keyOf = async ({ algorithm, kid }: TokenHeader, keys: Keyring): Promise<Either<Refusal, PublicKey>> => {
  const key = keys.known(kid) ?? (await keys.find(kid));
  if (key !== undefined)
    return key.algorithm === algorithm ? right(key) : left(invalidToken('The signature does not fit.'));
  return left(
    keys.loaded()
      ? invalidToken('The token is signed with a key that is not known.')
      : unavailable('service-unavailable', 'The signing keys could not be fetched yet.'),
  );
};

const verifiedOf = ({ signed, header }: Read, key: PublicKey): Either<Refusal, VerifiedToken> => {
  const bytes = bytesOf(signed.payload);
  if (bytes === undefined || !fits(signed, key)) return left(invalidToken('The signature does not fit.'));
  const claims = claimsOf(membersOf(bytes));
  return claims === undefined ? left(invalidToken('The token lacks claims.')) : right({ kid: header.kid, claims });
};

export const verifyToken = async (
  { keys, kept, headers }: TokenChecks,
  { token, hash }: Shown,
): Promise<Either<Refusal, VerifiedToken>> => {
  const before = kept.find(hash);
  // A key that was withdrawn withdraws what it signed.
  if (before !== undefined && keys.known(before.kid) !== undefined) return right(before);
  const read = readToken(token, headers);
  if (isLeft(read)) return read;
  const key = await keyOf(read.right.header, keys);
  if (isLeft(key)) return key;
  const verified = verifiedOf(read.right, key.right);
  if (isLeft(verified)) return verified;
  headers.keep(read.right.signed.header, read.right.header);
  kept.keep(hash, verified.right);
  return verified;
};
