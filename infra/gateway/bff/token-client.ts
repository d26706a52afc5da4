/** Gets tokens from the command API on behalf of who signs in. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { decodeStored, record, text } from '../../../domain/kernel/codec';
import type { Rejection } from '../../../domain/kernel/rejection';
import { type Problem, problemOf } from '../../server/http/problem';
import { type AccountSessionOptions, requestPersonToken } from './authorization-code-client';
import type { IssuedToken, TokenRequestContext } from './command-api-client';
import { requestToken } from './command-api-client';
import { sessionProblems } from './session-api';
import type { ClientGrant, SessionGrant } from './session-encryption';

export interface TokenClient {
  readonly token: (grant: SessionGrant, asking: TokenRequestContext) => Promise<Either<Problem, IssuedToken>>;
}

const Refused = record('Refused', {}, { error_description: text('Description', { maxLength: 512 }) });

const signInRefused = (detail: string): Problem => {
  const rejection: Rejection<'sign-in-refused'> = { kind: 'rejection', code: 'sign-in-refused', detail };
  return problemOf(rejection, sessionProblems);
};

const errorDescriptionOf = (content: unknown): string => {
  const refused = decodeStored(Refused, content);
  return (isLeft(refused) ? undefined : refused.right.error_description) ?? 'Signing in was refused.';
};

const requestClientToken = async (
  options: AccountSessionOptions,
  { clientId, clientSecret }: ClientGrant,
  asking: TokenRequestContext,
): Promise<Either<Problem, IssuedToken>> => {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const answer = await requestToken(options, asking, form);
  if (isLeft(answer)) return answer;
  if (answer.right.kind === 'issued') return right(answer.right.token);
  const { content, refused } = answer.right;
  const problem = signInRefused(errorDescriptionOf(content));
  return left(refused === undefined ? problem : { ...problem, refused: { ...refused, code: problem.problem.code } });
};

export const createTokenClient = (options: AccountSessionOptions): TokenClient => ({
  token: async (grant, asking) => {
    if (grant.kind === 'client') return requestClientToken(options, grant, asking);
    const token = await requestPersonToken(options, asking);
    if (isLeft(token)) return token;
    return token.right === undefined ? left(signInRefused('You are no longer signed in.')) : right(token.right);
  },
});
