/** Tokens of one attempt of a job: a JWT (RFC 7519), signed with HS256 by the service's own key, of which no other verifier knows. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { TypeOf } from 'io-ts';
import { errors, jwtVerify, SignJWT } from 'jose';
import { decodeStored, integer, record } from '../../domain/kernel/codec';
import { TenantId } from '../../domain/kernel/ids';
import { JobId, RepositoryId, RunId } from '../../domain/workflow/ids';

const JobTokenClaims = record('JobTokenClaims', {
  tenantId: TenantId,
  repoId: RepositoryId,
  runId: RunId,
  jobId: JobId,
  attempt: integer(1),
  epoch: integer(1),
});
export type JobTokenClaims = TypeOf<typeof JobTokenClaims>;

/** Distinguishes them from access tokens (`at+jwt`). */
const type = 'septet-job+jwt';
const algorithm = 'HS256';

export interface JobTokenKey {
  readonly jobKey: Uint8Array;
}

/** `expiresAt` in seconds since 1970: the attempt's time limit and its grace. */
export const issueJobToken = (
  { jobKey }: JobTokenKey,
  claims: JobTokenClaims,
  { issuedAt, expiresAt }: { readonly issuedAt: number; readonly expiresAt: number },
): Promise<string> =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg: algorithm, typ: type })
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(jobKey);

/** Whether a token claims to be one; nothing is verified. */
export const isJobToken = (token: string): boolean => {
  const [header = ''] = token.split('.', 1);
  return Buffer.from(header, 'base64url').toString('latin1').includes(`"${type}"`);
};

export type JobTokenRefusal = 'invalid' | 'expired';

/** Whether the attempt still runs is for the caller to check, by the claims. */
export const verifyJobToken = async (
  { jobKey }: JobTokenKey,
  token: string,
  now: Date,
): Promise<Either<JobTokenRefusal, JobTokenClaims>> => {
  try {
    const options = { algorithms: [algorithm], typ: type, currentDate: now, requiredClaims: ['exp', 'iat'] };
    const { payload } = await jwtVerify(token, jobKey, options);
    const claims = decodeStored(JobTokenClaims, payload);
    return isLeft(claims) ? left('invalid') : right(claims.right);
  } catch (error) {
    if (error instanceof errors.JWTExpired) return left('expired');
    if (error instanceof errors.JOSEError) return left('invalid');
    throw error;
  }
};
