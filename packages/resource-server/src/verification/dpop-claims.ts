/** What a proof says (RFC 9449 section 4.2), in exact types. */
import { bytesOf } from './base64url';
import { type Members, membersOf } from './members';

export interface ProofClaims {
  readonly jti: string;
  readonly htm: string;
  readonly htu: string;
  readonly iat: number;
  readonly nonce?: string;
  readonly ath?: string;
  /** Not asked for; kept to where they are given. */
  readonly exp?: number;
  readonly nbf?: number;
}

const isText = (value: unknown, longest: number): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= longest;
const isSecond = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const absentOr = (value: unknown, holds: boolean): boolean => value === undefined || holds;

const isProof = ({ jti, htm, htu, iat, nonce, ath, exp, nbf }: Members): boolean =>
  isText(jti, 256) &&
  isText(htm, 32) &&
  isText(htu, 4_096) &&
  isSecond(iat) &&
  absentOr(nonce, isText(nonce, 256)) &&
  absentOr(ath, isText(ath, 64)) &&
  absentOr(exp, isSecond(exp)) &&
  absentOr(nbf, isSecond(nbf));

export const proofClaimsOf = (payload: string): ProofClaims | undefined => {
  const bytes = bytesOf(payload);
  const members = bytes === undefined ? undefined : membersOf(bytes);
  return members !== undefined && isProof(members) ? (members as unknown as ProofClaims) : undefined;
};
