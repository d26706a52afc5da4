/** PUT /v1/registration-policy: audiences of clients that register themselves, and hosts whose metadata documents are clients. */
import { isLeft, left, right } from 'fp-ts/Either';
import { registrationPolicy } from '../../../domain/identity/registration-policy/decider';
import {
  registrationPolicyFields,
  registrationPolicyStream,
} from '../../../domain/identity/registration-policy/events';
import { record } from '../../../domain/kernel/codec';
import { problemOf } from '../../../infra/server/http/problem';
import { commandRoute } from '../../kernel/command-route';
import { registrationPolicyProblems } from '../problems';
import { loadApiRegistry } from '../protected-apis/load-registry';
import type { RegistryDeps } from './client-routes';

export const registrationPolicyRoute = commandRoute<RegistryDeps>()({
  method: 'put',
  path: '/v1/registration-policy',
  danger: true,
  operation: 'setRegistrationPolicy',
  example: { audiences: ['https://mcp.example.org/mcp'], metadataHosts: ['client.example.org'] },
  summary: 'Set what applications that register themselves may do',
  description:
    'Replaces the whole policy. `audiences`: besides the first, these clients may ask for them, also those that are registered already; they ' +
    'must be among those that tokens are issued for. Opening a registered API gives these clients its scopes, as people allow them, so the caller needs ' +
    'them, or `apis:write`. `metadataHosts`: hosts at which a client_id may be the URL of a client id metadata ' +
    'document, `*` for every host, none for none. People are asked in each case.',
  scopes: ['security:write'],
  body: record('RegistrationPolicy', registrationPolicyFields),
  answer: record('RegistrationPolicyAnswer', {}),
  decider: registrationPolicy,
  problems: registrationPolicyProblems,
  prepare: async ({ body, tenantId, identity: { scopes: held } }, deps) => {
    const registry = await loadApiRegistry(deps, tenantId);
    if (isLeft(registry)) return left(problemOf(registry.left, {}));
    const apis = [...registry.right.apis.values()];
    const knownAudiences = [...deps.audiences, ...apis.map(({ audience }) => audience)];
    return right({
      stream: registrationPolicyStream(tenantId),
      command: { type: 'SetRegistrationPolicy' as const, ...body, knownAudiences, apis, held },
      answer: {},
    });
  },
});
