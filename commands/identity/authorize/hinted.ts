/** Whose sign-in an application means by an id_token that it shows (OpenID Connect Core section 3.1.2.1): nobody else may answer. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { AuthorizationRequest } from '../../../domain/identity/authorization/request';
import type { KmsFault } from '../../../infra/ports/kms';
import type { ReadDeps } from '../grants/access-token-shown';
import { readHint } from '../grants/id-token-hint';
import type { Given } from './parameters';

export const hinted = async (
  deps: ReadDeps,
  { single: { id_token_hint: written } }: Given,
  request: AuthorizationRequest,
): Promise<Either<KmsFault, AuthorizationRequest>> => {
  if (written === undefined) return right(request);
  const read = await readHint(deps, written);
  if (isLeft(read)) return read;
  const hint = read.right;
  if (hint?.clientId === request.clientId) return right({ ...request, subject: hint.principalId });
  // Its key may be gone: whom it means cannot be told, so that nobody answers without a sign-in for this very request.
  return right({ ...request, prompt: [...request.prompt, 'login'] });
};
