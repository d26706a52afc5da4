/** Routes that register, change, disable and enable clients. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { client } from '../../../domain/identity/client/decider';
import { type ClientMetadata, clientStream } from '../../../domain/identity/client/events';
import { type CallerAuthority, checkMetadata } from '../../../domain/identity/client/metadata-rules';
import { ApplicationId, ClientId } from '../../../domain/identity/ids';
import { record } from '../../../domain/kernel/codec';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import { loadStream } from '../../kernel/load-stream';
import { WithReason } from '../principals/principal-routes';
import { clientProblems } from '../problems';
import { loadAudiences } from '../protected-apis/load-registry';
import { formatApplicationClientId } from './client-id';
import { type ClientOffer, Registration, toClientMetadata } from './client-metadata';
import {
  authorizeServiceClient,
  type ClientCaller,
  checkServicePrincipal,
  requireCredentialScope,
  serviceClientProblems,
} from './service-principal';

export interface RegistryDeps extends CommandDeps, ClientOffer {}

export const ClientPath = record('ClientPath', { applicationId: ApplicationId });
const ClientAnswer = record('ClientAnswer', { applicationId: ApplicationId, clientId: ClientId });

interface RegistrationOf {
  readonly applicationId: ApplicationId;
  readonly body: Registration;
  readonly means: CallerAuthority;
}

/** Checks the metadata, and records at the service principal that the client may act as it. */
const readClientMetadata = async (
  deps: RegistryDeps,
  caller: ClientCaller,
  { applicationId, body, means }: RegistrationOf,
): Promise<Either<Problem, ClientMetadata>> => {
  const read = toClientMetadata(body, deps);
  if (isLeft(read)) return left(problemOf(read.left, clientProblems));
  const metadata = read.right;
  if (metadata.servicePrincipalId === null) return read;
  const allowed = requireCredentialScope(caller);
  if (isLeft(allowed)) return allowed;
  const fault = checkMetadata(metadata, means);
  if (fault !== undefined) return left(problemOf({ kind: 'rejection', ...fault }, clientProblems));
  const authorized = await authorizeServiceClient(deps, caller, { applicationId, metadata });
  return isLeft(authorized) ? authorized : read;
};

/** Left: the caller lacks authority of the principal that the registered client acts as. False: there is no such client. */
export const checkRegistered = async (
  deps: CommandDeps,
  caller: ClientCaller,
  applicationId: ApplicationId,
): Promise<Either<Problem, boolean>> => {
  const found = await loadStream(deps, client, clientStream(caller.tenantId, applicationId));
  if (isLeft(found)) return left(problemOf(found.left, {}));
  if (found.right.kind === 'none') return right(false);
  const checked = await checkServicePrincipal(deps, caller, found.right);
  return isLeft(checked) ? checked : right(true);
};

const commonRoute = {
  answer: ClientAnswer,
  decider: client,
  problems: { ...clientProblems, ...serviceClientProblems },
  scopes: ['clients:write'],
};

const onlyHeldScopes =
  'Only scopes of the caller can be granted, and those about people. A client with `servicePrincipalId` acts as that principal, so the caller needs `credentials:write` and all of its authority. Redirect URIs are https, loopback, or of a private-use scheme with a dot (RFC 8252). `exactAuthentication` refuses the secret in the other of header and form; `pkce` is `optional` for confidential clients only.';

const exampleClient = {
  name: 'Orders',
  grantTypes: ['authorization_code', 'refresh_token'],
  redirectUris: ['https://orders.example.org/callback'],
  scopes: ['openid', 'profile', 'email', 'offline_access'],
};

export const registerClientRoute = commandRoute<RegistryDeps>()({
  ...commonRoute,
  method: 'post',
  path: '/v1/clients',
  operation: 'registerClient',
  example: exampleClient,
  danger: true,
  summary: 'Register a client (application)',
  description: onlyHeldScopes,
  body: Registration,
  created: true,
  prepare: async ({ body, ...request }, deps) => {
    const { tenantId, identity, at } = request;
    const applicationId = request.derivedId('application') as ApplicationId;
    const audiences = await loadAudiences(deps, tenantId);
    if (isLeft(audiences)) return left(problemOf(audiences.left, {}));
    const means = { grantable: identity.scopes, audiences: audiences.right };
    const metadata = await readClientMetadata(deps, request, { applicationId, body, means });
    if (isLeft(metadata)) return metadata;
    return right({
      stream: clientStream(tenantId, applicationId),
      command: { type: 'RegisterClient', applicationId, tenantId, metadata: metadata.right, means, at },
      answer: { applicationId, clientId: formatApplicationClientId({ tenantId, applicationId }) },
      fresh: true,
      location: `/v1/clients/${applicationId}`,
    });
  },
});

export const changeClientRoute = commandRoute<RegistryDeps>()({
  ...commonRoute,
  method: 'put',
  path: '/v1/clients/:applicationId',
  operation: 'changeClient',
  example: exampleClient,
  danger: true,
  summary: 'Replace the metadata of a client',
  description: `Omitted fields are reset to their defaults. The caller needs the authority to register the client as it was and as it will be. When redirect URIs or the way of authenticating change, consents, grants and tokens from before are void, and people are asked again. ${onlyHeldScopes}`,
  params: ClientPath,
  body: Registration,
  prepare: async ({ params: { applicationId }, body, ...caller }, deps) => {
    const { tenantId, identity, at } = caller;
    const audiences = await loadAudiences(deps, tenantId);
    if (isLeft(audiences)) return left(problemOf(audiences.left, {}));
    const means = { grantable: identity.scopes, audiences: audiences.right };
    const registered = await checkRegistered(deps, caller, applicationId);
    if (isLeft(registered)) return registered;
    if (!registered.right)
      return left(
        problemOf({ kind: 'rejection', code: 'client-unknown', detail: 'There is no such client.' }, clientProblems),
      );
    const metadata = await readClientMetadata(deps, caller, { applicationId, body, means });
    if (isLeft(metadata)) return metadata;
    return right({
      stream: clientStream(tenantId, applicationId),
      command: { type: 'ChangeClient', applicationId, metadata: metadata.right, means, at },
      answer: { applicationId, clientId: formatApplicationClientId({ tenantId, applicationId }) },
    });
  },
});

const statusRoute = {
  ...commonRoute,
  method: 'post',
  params: ClientPath,
  body: WithReason,
} as const;

export const disableClientRoute = commandRoute<CommandDeps>()({
  ...statusRoute,
  path: '/v1/clients/:applicationId/disable',
  operation: 'disableClient',
  sensitive: true,
  summary: 'Disable a client: it gets no tokens, and its existing ones are refused',
  prepare: ({ params: { applicationId }, body: { reason }, tenantId }) =>
    right({
      stream: clientStream(tenantId, applicationId),
      command: { type: 'DisableClient', applicationId, reason },
      answer: { applicationId, clientId: formatApplicationClientId({ tenantId, applicationId }) },
    }),
});

export const enableClientRoute = commandRoute<CommandDeps>()({
  ...statusRoute,
  path: '/v1/clients/:applicationId/enable',
  operation: 'enableClient',
  danger: true,
  summary: 'Enable a client again',
  description: 'The caller needs the authority to register the client.',
  prepare: async ({ params: { applicationId }, body: { reason }, ...caller }, deps) => {
    const { tenantId, identity } = caller;
    const registered = await checkRegistered(deps, caller, applicationId);
    if (isLeft(registered)) return registered;
    return right({
      stream: clientStream(tenantId, applicationId),
      command: { type: 'EnableClient', applicationId, reason, grantable: identity.scopes },
      answer: { applicationId, clientId: formatApplicationClientId({ tenantId, applicationId }) },
    });
  },
});
