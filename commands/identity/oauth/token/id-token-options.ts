/** What the ID token of a client carries beside the sign-in, and what signs it. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { PersonClaim } from '../../../../domain/identity/authorization/requested-claims';
import type { Application } from '../../../../domain/identity/client/state';
import type { JsonAnswer } from '../../../../infra/server/http/routing/route';
import type { StreamSource } from '../../../kernel/load-stream';
import { loadPersonClaims, type PersonOfClaims } from '../issued-tokens/person-claims';
import type { IdTokenOptions } from './issuance-request';
import { oauthFailure } from './oauth-error';

export interface IdTokenSubject extends PersonOfClaims {
  readonly application: Pick<Application, 'idTokenAlgorithm' | 'personClaimsInIdToken'>;
  /** Named in the request's `claims` for the ID token. */
  readonly requested: readonly PersonClaim[];
}

/** Null without the scope `openid`. */
export const idTokenOptionsFor = async (
  source: StreamSource,
  { application, requested, ...person }: IdTokenSubject,
): Promise<Either<JsonAnswer, IdTokenOptions | null>> => {
  if (!person.scopes.includes('openid')) return right(null);
  const only = application.personClaimsInIdToken ? undefined : requested;
  const claims = await loadPersonClaims(source, person, only);
  if (isLeft(claims)) return oauthFailure('temporarily_unavailable', claims.left.detail);
  return right({ algorithm: application.idTokenAlgorithm, claims: claims.right });
};
