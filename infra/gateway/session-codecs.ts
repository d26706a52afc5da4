/** What is sent and answered at `/console/session`, and how it reads in the documentation. */
import * as t from 'io-ts';
import { Instant, record, text } from '../../domain/kernel/codec';
import { openApi } from '../http/openapi';
import type { BoundRoute } from '../http/route';
import { sessionProblems } from './session-problems';

export const sessionPath = '/console/session';

const shown = { maxLength: 512 };
export const WithClient = record('SignInWithClient', {
  clientId: text('ClientId', shown),
  clientSecret: text('ClientSecret', shown),
});
export const WithCode = record('SignInWithCode', { code: text('SignInCode', { maxLength: 200 }) });
const SignIn = t.union([WithClient, WithCode], 'SignIn');

const whose = {
  tenantId: text('TenantId', shown),
  principalId: text('PrincipalId', shown),
  principalType: text('PrincipalType', shown),
  scopes: t.readonlyArray(t.string),
  clientId: text('ClientId', shown),
  endsAt: Instant,
};
const SignedIn = record('SignedInSession', whose);
const Begun = record('BegunSession', whose, { clientSecret: text('ClientSecret', shown) });

const described =
  'The session is a cookie that scripts cannot read. For pages of this origin; others use access tokens.';
const base = {
  path: sessionPath,
  access: 'public',
  handle: () => Promise.reject(new Error('only described')),
} as const;
const header = { name: 'Septet-Console', description: '`1`: no other site can send it.', required: true };
const refusals = { 'foreign-page': sessionProblems['foreign-page'] };
const ending = { ...refusals, 'session-ended': sessionProblems['session-ended'] };

const routes: readonly BoundRoute[] = [
  {
    ...base,
    method: 'post',
    operation: 'signIn',
    limitGroup: 'sign-in',
    summary: 'Sign a browser in',
    description: `${described} With the first admin's one-time code, its credential is answered, this once.`,
    headers: [header],
    body: SignIn,
    answers: { 201: { description: 'The session has begun.', body: Begun, headers: ['Set-Cookie'] } },
    problems: { ...refusals, 'sign-in-refused': sessionProblems['sign-in-refused'] },
  },
  {
    ...base,
    method: 'get',
    operation: 'getSession',
    limitGroup: 'page',
    summary: 'Who is signed in',
    answers: { 200: { description: 'The session.', body: SignedIn }, 204: { description: 'Nobody is signed in.' } },
    problems: ending,
  },
  {
    ...base,
    method: 'delete',
    operation: 'signOut',
    limitGroup: 'page',
    summary: 'Sign out',
    headers: [header],
    answers: { 204: { description: 'There is no session any longer.', headers: ['Set-Cookie'] } },
    problems: refusals,
  },
];

export const sessionDocument = () => openApi('console', routes);
