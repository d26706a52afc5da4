/** Asks the command API in a signer-in's place: for the first admin's credential, and for tokens. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { decode, record, text } from '../../domain/kernel/codec';
import type { Rejection } from '../../domain/kernel/rejection';
import { type Problem, problemOf } from '../http/problem';
import type { Asking, Token } from './session-asking';
import { requestJson, requestToken } from './session-commands';
import { type PeopleOptions, personsToken } from './session-people';
import { sessionProblems } from './session-problems';
import type { ClientGrant, Grant } from './session-seal';

export interface Grants {
  readonly token: (grant: Grant, asking: Asking) => Promise<Either<Problem, Token>>;
  /** Spends the one-time code. */
  readonly first: (code: string, asking: Asking) => Promise<Either<Problem, ClientGrant>>;
}

const Credential = record('Credential', {
  clientId: text('ClientId', { maxLength: 512 }),
  clientSecret: text('ClientSecret', { maxLength: 512 }),
});
const Refused = record('Refused', {}, { error_description: text('Description', { maxLength: 512 }) });
const Problematic = record('Problematic', { detail: text('Detail', { maxLength: 512 }) });

const refused = (detail: string): Problem => {
  const rejection: Rejection<'sign-in-refused'> = { kind: 'rejection', code: 'sign-in-refused', detail };
  return problemOf(rejection, sessionProblems);
};

const explained = (content: unknown): string => {
  const [oauth, own] = [decode(Refused, content), decode(Problematic, content)];
  if (!isLeft(own)) return own.right.detail;
  return (isLeft(oauth) ? undefined : oauth.right.error_description) ?? 'Signing in was refused.';
};

const clientsToken = async (
  options: PeopleOptions,
  { clientId, clientSecret }: ClientGrant,
  asking: Asking,
): Promise<Either<Problem, Token>> => {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const answer = await requestToken(options, asking, form);
  if (isLeft(answer)) return answer;
  return answer.right.kind === 'issued' ? right(answer.right.token) : left(refused(explained(answer.right.content)));
};

export const openGrants = (options: PeopleOptions): Grants => ({
  token: async (grant, asking) => {
    if (grant.kind === 'client') return clientsToken(options, grant, asking);
    const token = await personsToken(options, asking);
    if (isLeft(token)) return token;
    return token.right === undefined ? left(refused('You are not signed in any longer.')) : right(token.right);
  },
  first: async (code, asking) => {
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', path: '/v1/bootstrap', headers, body: JSON.stringify({ code }) } as const;
    const answer = await requestJson(options, asking, request);
    if (isLeft(answer)) return answer;
    const { status, content } = answer.right;
    const credential = decode(Credential, content);
    if (status !== 201 || isLeft(credential)) return left(refused(explained(content)));
    return right({ kind: 'client', ...credential.right });
  },
});
