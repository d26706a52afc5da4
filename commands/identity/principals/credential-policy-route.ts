/** PUT /v1/credential-policy: maximum lifetime of credentials, and principal types without them. */
import { right } from 'fp-ts/Either';
import { credentialPolicy } from '../../../domain/identity/credential-policy/decider';
import { credentialPolicyFields, credentialPolicyStream } from '../../../domain/identity/credential-policy/events';
import { record } from '../../../domain/kernel/codec';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import { tenantActProblems, tenantActRight } from '../../kernel/fresh-sign-in';

export const credentialPolicyRoute = commandRoute<CommandDeps>()({
  method: 'put',
  path: '/v1/credential-policy',
  danger: true,
  operation: 'setCredentialPolicy',
  summary: 'Set the credential policy of the tenant',
  description:
    'Applies to credentials issued from now on; principals of a forbidden type get no tokens for earlier ones either, nor by secrets of applications that act as them. Credentials of at most an hour ' +
    'are never forbidden. Allowing more than before also needs `tenant:write` and a sign-in with a second factor within ' +
    'the last five minutes.',
  scopes: ['security:write'],
  body: record('CredentialPolicy', credentialPolicyFields),
  answer: record('CredentialPolicyAnswer', {}),
  decider: credentialPolicy,
  problems: tenantActProblems,
  prepare: ({ body: { maximumSeconds, forbiddenFor }, tenantId, identity, at }) =>
    right({
      stream: credentialPolicyStream(tenantId),
      command: {
        type: 'SetCredentialPolicy' as const,
        maximumSeconds,
        forbiddenFor,
        tenantAct: tenantActRight(identity, at),
      },
      answer: {},
    }),
});
