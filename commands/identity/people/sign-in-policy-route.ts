/** PUT /v1/sign-in-policy: sets the tenant's sign-in rules and identity providers. */

import { left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { signInPolicy } from '../../../domain/identity/sign-in-policy/decider';
import { policyFields, providerFields, signInPolicyStream } from '../../../domain/identity/sign-in-policy/events';
import { nullable, record, text } from '../../../domain/kernel/codec';
import { invalidInput } from '../../../infra/server/http/problem';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import { tenantActProblems, tenantActRight } from '../../kernel/fresh-sign-in';
import { peopleProblems } from '../problems';

const { mfaContexts, ...requiredFields } = providerFields;

const Provider = record('SignInProvider', requiredFields, {
  /** Default: none. */
  mfaContexts,
  /** Undefined: unchanged. */
  password: nullable(text('UpstreamPassword', { content: 'any', examples: ['kept-by-the-provider'], maxLength: 512 })),
});
const Policy = record('SignInPolicy', { ...policyFields, providers: t.array(Provider, 'SignInProviders') });
const maxProviders = 20;

/** A URL without query, fragment and credentials. */
const isIssuer = (issuer: string): boolean => {
  if (!URL.canParse(issuer)) return false;
  const { protocol } = new URL(issuer);
  // As written: the parsed URL shows no empty query, fragment or user.
  return (protocol === 'https:' || protocol === 'http:') && !/[?#]|^[^/]*\/\/[^/]*@/.test(issuer);
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
    'with a second factor within the last five minutes.',
  scopes: ['security:write'],
  body: Policy,
  answer: record('SignInPolicyAnswer', {}),
  decider: signInPolicy,
  problems: { ...peopleProblems, ...tenantActProblems },
  prepare: ({ body, tenantId, identity, at }) => {
    const { providers, ...rules } = body;
    const wrong = providers.findIndex(({ issuer }) => !isIssuer(issuer));
    if (wrong >= 0) return left(invalidInput([{ pointer: `/body/providers/${wrong}/issuer`, expected: 'a URL' }]));
    if (providers.length > maxProviders)
      return left(invalidInput([{ pointer: '/body/providers', expected: `at most ${maxProviders}` }]));
    const complete = providers.map((provider) => ({ ...provider, mfaContexts: provider.mfaContexts ?? [] }));
    const stream = signInPolicyStream(tenantId);
    const tenantAct = tenantActRight(identity, at);
    const command = { type: 'SetSignInPolicy' as const, rules, providers: complete, tenantAct };
    return right({ stream, command, answer: {} });
  },
});
