/** Asks the command API in a signer-in's place: for the first admin's credential, and for tokens. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { decode, integer, record, text } from '../../domain/kernel/codec';
import type { Rejection } from '../../domain/kernel/rejection';
import type { CallerSigner } from '../http/caller-signer';
import { identityHeader, signCaller } from '../http/identity';
import { type Problem, problem, problemOf } from '../http/problem';
import type { Asking, Token } from './session-asking';
import { type PeopleOptions, personsToken } from './session-people';
import { sessionProblems } from './session-problems';
import type { ClientGrant, Grant } from './session-seal';
import type { Upstream } from './upstream';

export interface Grants {
  readonly token: (grant: Grant, asking: Asking) => Promise<Either<Problem, Token>>;
  /** Spends the one-time code. */
  readonly first: (code: string, asking: Asking) => Promise<Either<Problem, ClientGrant>>;
}

const Issued = record('Issued', {
  access_token: text('AccessToken', { maxLength: 8_192 }),
  expires_in: integer(0),
});
const Credential = record('Credential', {
  clientId: text('ClientId', { maxLength: 512 }),
  clientSecret: text('ClientSecret', { maxLength: 512 }),
});
const Refused = record('Refused', {}, { error_description: text('Description', { maxLength: 512 }) });
const Problematic = record('Problematic', { detail: text('Detail', { maxLength: 512 }) });

const limitMilliseconds = 10_000;
const away = (): Problem => problem('service-unavailable', 'The command API does not answer; try again.');

const refused = (detail: string): Problem => {
  const rejection: Rejection<'sign-in-refused'> = { kind: 'rejection', code: 'sign-in-refused', detail };
  return problemOf(rejection, sessionProblems);
};

interface Question extends Asking {
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

interface Answered {
  readonly status: number;
  readonly content: unknown;
}

const ask = async (
  { pool }: Upstream,
  signer: CallerSigner,
  question: Question,
): Promise<Either<Problem, Answered>> => {
  const { path, type, body, requestId, address } = question;
  const line = { method: 'POST', target: path };
  const headers = {
    [identityHeader]: signCaller({ identity: undefined, requestId }, { signer, line, now: Date.now() }),
    'content-type': type,
    'x-request-id': requestId,
    'x-forwarded-for': address,
  };
  try {
    const signal = AbortSignal.timeout(limitMilliseconds);
    const answer = await pool.request({ ...{ path, headers, body, signal }, method: 'POST' });
    const content: unknown = await answer.body.json();
    return answer.statusCode < 500 ? right({ status: answer.statusCode, content }) : left(away());
  } catch {
    return left(away());
  }
};

const explained = ({ content }: Answered): string => {
  const [oauth, own] = [decode(Refused, content), decode(Problematic, content)];
  if (!isLeft(own)) return own.right.detail;
  return (isLeft(oauth) ? undefined : oauth.right.error_description) ?? 'Signing in was refused.';
};

const clientsToken = async (
  { commands, signer }: PeopleOptions,
  { clientId, clientSecret }: ClientGrant,
  asking: Asking,
): Promise<Either<Problem, Token>> => {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const body = new URLSearchParams(form).toString();
  const question = { ...asking, path: '/oauth/token', type: 'application/x-www-form-urlencoded', body };
  const answer = await ask(commands, signer, question);
  if (isLeft(answer)) return answer;
  const issued = decode(Issued, answer.right.content);
  if (answer.right.status !== 200 || isLeft(issued)) return left(refused(explained(answer.right)));
  return right({ accessToken: issued.right.access_token, expiresInSeconds: issued.right.expires_in });
};

export const openGrants = (options: PeopleOptions): Grants => ({
  token: async (grant, asking) => {
    if (grant.kind === 'client') return clientsToken(options, grant, asking);
    const token = await personsToken(options, asking);
    if (isLeft(token)) return token;
    return token.right === undefined ? left(refused('You are not signed in any longer.')) : right(token.right);
  },
  first: async (code, asking) => {
    const body = JSON.stringify({ code });
    const answer = await ask(options.commands, options.signer, {
      ...asking,
      path: '/v1/bootstrap',
      type: 'application/json',
      body,
    });
    if (isLeft(answer)) return answer;
    const credential = decode(Credential, answer.right.content);
    if (answer.right.status !== 201 || isLeft(credential)) return left(refused(explained(answer.right)));
    return right({ kind: 'client', ...credential.right });
  },
});
