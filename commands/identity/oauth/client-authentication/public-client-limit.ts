/** Limits requests of public clients per network: anyone can send their client_id, and each request is recorded. */
import { createHash } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import type { AttemptLimit, AttemptLimiter } from '../../../../infra/ports/identity/attempt-limiter';
import type { JsonAnswer } from '../../../../infra/server/http/routing/route';
import { oauthDenialBody, tooManyRequests } from '../../../../infra/server/http/too-many-requests';
import { addressPrefix } from '../../../../packages/ratelimit/src/address-prefix';
import { sourceIpOf } from '../token/issuance-log';
import { noStoreHeaders, oauthError } from '../token/oauth-error';
import type { ApplicationClient } from './authenticated-client';

export interface PublicClientLimitDeps {
  readonly people: { readonly attempts: Pick<AttemptLimiter, 'take'> };
}

const limit: AttemptLimit = { most: 300, milliseconds: 5 * 60_000 };

/** Undefined: allowed. Refuses while the counter store is unavailable. */
export const checkPublicClientLimit = async (
  { people }: PublicClientLimitDeps,
  { application }: ApplicationClient,
  headers: { readonly [name: string]: string | undefined },
): Promise<JsonAnswer | undefined> => {
  if (application.authentication !== 'none') return undefined;
  const address = addressPrefix(sourceIpOf(headers['x-forwarded-for']) ?? '');
  const name = `authorization:${createHash('sha256').update(address).digest('base64url')}`;
  const taken = await people.attempts.take([{ name, ...limit }]);
  if (isLeft(taken))
    return oauthError('temporarily_unavailable', 'The request cannot be checked against its rate limit right now.');
  if (taken.right.retryAfterSeconds === 0) return undefined;
  const refused = tooManyRequests(taken.right, 'Too many requests from your network; try again later.');
  return { ...refused, body: oauthDenialBody(refused.body), headers: { ...refused.headers, ...noStoreHeaders } };
};
