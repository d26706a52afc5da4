/** Codecs, problem codes and OpenAPI operations of `/console/session`. */

import * as t from 'io-ts';
import { Instant, record, text } from '../../../domain/kernel/codec';
import { openApi } from '../../server/http/openapi';
import type { ProblemTable } from '../../server/http/problem';
import type { BoundRoute } from '../../server/http/routing/route';

export const sessionProblems = {
  'session-ended': { status: 401, title: 'The session has ended' },
  'sign-in-refused': { status: 401, title: 'Signing in was refused' },
  'foreign-page': { status: 403, title: 'The request does not come from a page of this site' },
} as const satisfies ProblemTable;

export const sessionPath = '/console/session';
const maxTextLength = { maxLength: 512 };
export const ClientCredential = record('ClientCredential', {
  clientId: text('ClientId', maxTextLength),
  clientSecret: text('ClientSecret', maxTextLength),
});

const principalFields = {
  tenantId: text('TenantId', maxTextLength),
  principalId: text('PrincipalId', maxTextLength),
  principalType: text('PrincipalType', maxTextLength),
  scopes: t.readonlyArray(t.string),
  clientId: text('ClientId', maxTextLength),
  endsAt: Instant,
};
const SignedIn = record('SignedInSession', principalFields);

const endpointDescription =
  'The session is a cookie that scripts cannot read. For pages of this origin; others use access tokens.';
const commonRoute = {
  path: sessionPath,
  access: 'public',
  handle: () => Promise.reject(new Error('only described')),
} as const;
const consoleHeaderParameter = {
  name: 'Septet-Console',
  description: '`1`: no other site can send it.',
  required: true,
};
const crossOriginProblems = { 'foreign-page': sessionProblems['foreign-page'] };
const endingProblems = { ...crossOriginProblems, 'session-ended': sessionProblems['session-ended'] };

const routes: readonly BoundRoute[] = [
  {
    ...commonRoute,
    method: 'post',
    operation: 'signIn',
    example: {
      clientId: 'main.7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a',
      clientSecret: 'q3sVw8h0N1yZ5tXc7bLk2mRf9dGj4pAe6uQo0iWvT1s',
    },
    limitGroup: 'sign-in',
    summary: 'Sign a browser in',
    description: `${endpointDescription} For a client id and secret; people sign in at \`/sign-in\`.`,
    headers: [consoleHeaderParameter],
    body: ClientCredential,
    answers: { 201: { description: 'The session has begun.', body: SignedIn, headers: ['Set-Cookie'] } },
    problems: { ...crossOriginProblems, 'sign-in-refused': sessionProblems['sign-in-refused'] },
  },
  {
    ...commonRoute,
    method: 'get',
    operation: 'getSession',
    limitGroup: 'page',
    summary: 'Get the session of the browser',
    answers: { 200: { description: 'The session.', body: SignedIn }, 204: { description: 'No person is signed in.' } },
    problems: endingProblems,
  },
  {
    ...commonRoute,
    method: 'delete',
    operation: 'signOut',
    limitGroup: 'page',
    summary: 'Sign out',
    headers: [consoleHeaderParameter],
    answers: { 204: { description: 'The session has ended.', headers: ['Set-Cookie'] } },
    problems: crossOriginProblems,
  },
];

export const sessionDocument = () => openApi('console', routes);
