/** PUT /v1/sign-in-policy: sets the tenant's sign-in rules and identity providers. */

import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { authenticator } from '../../../domain/identity/authenticators/decider';
import { authenticatorsStream } from '../../../domain/identity/authenticators/events';
import { signInPolicy } from '../../../domain/identity/sign-in-policy/decider';
import { policyFields, providerFields, signInPolicyStream } from '../../../domain/identity/sign-in-policy/events';
import type { SignInMethods } from '../../../domain/identity/sign-in-policy/ways-in';
import { nullable, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, type TenantId } from '../../../domain/kernel/ids';
import { invalidInput, type Problem, problemOf } from '../../../infra/server/http/problem';
import type { Identity } from '../../../infra/server/http/routing/route';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import { tenantActProblems, tenantActRight } from '../../kernel/fresh-sign-in';
import { loadStream } from '../../kernel/load-stream';
import { peopleProblems } from '../problems';

const { mfaContexts, ...requiredFields } = providerFields;

const Provider = record('SignInProvider', requiredFields, {
  /** Default: none. */
  mfaContexts,
  /** Undefined: unchanged. */
  password: nullable(text('UpstreamPassword', { content: 'any', examples: ['kept-by-the-provider'], maxLength: 512 })),
});
const Policy = record(
  'SignInPolicy',
  { ...policyFields, providers: t.array(Provider, 'SignInProviders') },
  /** Required to remove a sign-in method that is allowed now. */
  { confirmsRemovedMethods: t.boolean },
);
const maxProviders = 20;

/** A URL without query, fragment and credentials. */
const isIssuer = (issuer: string): boolean => {
  if (!URL.canParse(issuer)) return false;
  const { protocol } = new URL(issuer);
  // As written: the parsed URL shows no empty query, fragment or user.
  return (protocol === 'https:' || protocol === 'http:') && !/[?#]|^[^/]*\/\/[^/]*@/.test(issuer);
};

const loadCallerMethods = async (
  deps: CommandDeps,
  { principalId, principalType }: Identity,
  tenantId: TenantId,
): Promise<Either<Problem, SignInMethods | null>> => {
  if (principalType !== 'HUMAN' || !PrincipalId.is(principalId)) return right(null);
  const person = await loadStream(deps, authenticator, authenticatorsStream(tenantId, principalId));
  return isLeft(person) ? left(problemOf(person.left, {})) : person;
};

export const signInPolicyRoute = commandRoute<CommandDeps>()({
  method: 'put',
  path: '/v1/sign-in-policy',
  operation: 'setSignInPolicy',
  example: { mfa: 'enrolled', passwords: true, passkeys: true, sessionSeconds: 43_200, providers: [] },
  danger: true,
  summary: 'Set the sign-in policy of the tenant',
  description:
    "Replaces the whole policy. No response has a provider's password; left out, it stays as it was. Making sign-in easier than it is now " +
    '(fewer second factors, passwords, longer sessions, a provider that is new or changed) also requires `tenant:write` and a sign-in ' +
    'with a second factor within the last five minutes. Removing a sign-in method that is allowed now requires `confirmsRemovedMethods: true`, ' +
    'because people who have no other can no longer sign in (`GET /v1/sign-in-policy/methods` counts them); a person who could not sign in ' +
    'again is refused.',
  scopes: ['security:write'],
  body: Policy,
  answer: record('SignInPolicyAnswer', {}),
  decider: signInPolicy,
  problems: { ...peopleProblems, ...tenantActProblems },
  prepare: async ({ body, tenantId, identity, at }, deps) => {
    const { providers, confirmsRemovedMethods = false, ...rules } = body;
    const wrong = providers.findIndex(({ issuer }) => !isIssuer(issuer));
    if (wrong >= 0) return left(invalidInput([{ pointer: `/body/providers/${wrong}/issuer`, expected: 'a URL' }]));
    if (providers.length > maxProviders)
      return left(invalidInput([{ pointer: '/body/providers', expected: `at most ${maxProviders}` }]));
    const complete = providers.map((provider) => ({ ...provider, mfaContexts: provider.mfaContexts ?? [] }));
    const stream = signInPolicyStream(tenantId);
    const tenantAct = tenantActRight(identity, at);
    const callerMethods = await loadCallerMethods(deps, identity, tenantId);
    if (isLeft(callerMethods)) return callerMethods;
    const command = {
      type: 'SetSignInPolicy' as const,
      rules,
      providers: complete,
      tenantAct,
      callerMethods: callerMethods.right,
      confirmsRemovedMethods,
    };
    return right({ stream, command, answer: {} });
  },
});
