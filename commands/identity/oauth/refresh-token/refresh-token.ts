/**
 * Format of refresh tokens: `<tenant>.<family>.<number>.<secret>`, opaque to clients. The secret is derived, so a retry returns the same
 * successor; only a hash is recorded.
 */
import { hash } from 'node:crypto';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { FamilyId } from '../../../../domain/identity/ids';
import { TenantId } from '../../../../domain/kernel/ids';
import type { Kms, KmsFault } from '../../../../infra/ports/kms';

export interface RefreshTokenPosition {
  readonly tenantId: TenantId;
  readonly familyId: FamilyId;
  /** Number of tokens before it in the family. */
  readonly number: number;
}

export interface RefreshToken extends RefreshTokenPosition {
  readonly written: string;
}

const maxTokenLength = 320;
const numberShape = /^(?:0|[1-9]\d{0,8})$/;
const secretShape = /^[A-Za-z0-9_-]{43}$/;

export const refreshTokenHash = (written: string): string => hash('sha256', written, 'hex');

export const deriveRefreshToken = async (
  kms: Pick<Kms, 'derive'>,
  { tenantId, familyId, number }: RefreshTokenPosition,
): Promise<Either<KmsFault, string>> => {
  const secret = await kms.derive(JSON.stringify(['refresh', tenantId, familyId, number]));
  return isLeft(secret) ? secret : right(`${tenantId}.${familyId}.${number}.${secret.right}`);
};

/** Undefined: not a refresh token. Validated, because its parts name a stream. */
export const parseRefreshToken = (written: string): RefreshToken | undefined => {
  if (written.length > maxTokenLength) return undefined;
  const [tenantId, familyId, number = '', secret = '', ...more] = written.split('.');
  if (!TenantId.is(tenantId) || !FamilyId.is(familyId) || more.length > 0) return undefined;
  if (!numberShape.test(number) || !secretShape.test(secret)) return undefined;
  return { tenantId, familyId, number: Number(number), written };
};
