/** Routes that register, change, disable and enable clients. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ClientRejection, client, type SwitchClient } from '../../../domain/identity/client/decider';
import type { ClientMetadata } from '../../../domain/identity/client/events';
import { ApplicationId, ClientId } from '../../../domain/identity/ids';
import { clientStream } from '../../../domain/identity/streams';
import { record } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { type Problem, problem, problemOf } from '../../../infra/http/problem';
import type { Identity } from '../../../infra/http/routing/route';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import { loadPrincipal } from '../principals/load-principal';
import { WithReason } from '../principals/principal-routes';
import { clientProblems } from '../problems';
import { formatApplicationClientId } from './client-id';
import { Registration, toClientMetadata } from './client-metadata';

export interface RegistryDeps extends CommandDeps {
  readonly audiences: readonly string[];
}

export const ClientPath = record('ClientPath', { applicationId: ApplicationId });
const ClientAnswer = record('ClientAnswer', { applicationId: ApplicationId, clientId: ClientId });

const metadataRejected = (code: ClientRejection, detail: string): Either<Problem, never> =>
  left(problemOf({ kind: 'rejection', code, detail }, clientProblems));

interface RegisteringCaller {
  readonly tenantId: TenantId;
  readonly identity: Identity;
}

/** A client with a service principal can act as it, so the caller needs the principal's authority. */
const checkServicePrincipal = async (
  deps: RegistryDeps,
  { servicePrincipalId: principalId }: ClientMetadata,
  { tenantId, identity }: RegisteringCaller,
): Promise<Either<Problem, void>> => {
  if (principalId === null) return right(undefined);
  if (!identity.scopes.includes('credentials:write'))
    return left(problem('forbidden', 'A client that stands for a principal needs the scope credentials:write.'));
  const found = await loadPrincipal(deps, { tenantId, principalId });
  if (isLeft(found)) return left(problemOf(found.left, {}));
  return found.right.kind === 'none' || found.right.principalType === 'HUMAN'
    ? metadataRejected('client-metadata-invalid', 'servicePrincipalId names no pipeline and no agent of this tenant.')
    : right(undefined);
};

const readClientMetadata = async (
  deps: RegistryDeps,
  body: Registration,
  caller: RegisteringCaller,
): Promise<Either<Problem, ClientMetadata>> => {
  const metadata = toClientMetadata(body, deps.audiences);
  if (isLeft(metadata)) return left(problemOf(metadata.left, clientProblems));
  const allowed = await checkServicePrincipal(deps, metadata.right, caller);
  return isLeft(allowed) ? allowed : metadata;
};

const commonRoute = { answer: ClientAnswer, decider: client, problems: clientProblems, scopes: ['clients:write'] };

const onlyHeldScopes =
  'Only scopes of the caller can be granted, and those about people. Redirect URIs are https, loopback, or of a private-use scheme with a dot (RFC 8252).';

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
    const metadata = await readClientMetadata(deps, body, { tenantId, identity });
    if (isLeft(metadata)) return metadata;
    const applicationId = request.derivedId('application') as ApplicationId;
    const means = { grantable: identity.scopes, audiences: deps.audiences };
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
  description: `Omitted fields are reset to their defaults. ${onlyHeldScopes}`,
  params: ClientPath,
  body: Registration,
  prepare: async ({ params: { applicationId }, body, tenantId, identity }, deps) => {
    const metadata = await readClientMetadata(deps, body, { tenantId, identity });
    if (isLeft(metadata)) return metadata;
    const means = { grantable: identity.scopes, audiences: deps.audiences };
    return right({
      stream: clientStream(tenantId, applicationId),
      command: { type: 'ChangeClient', applicationId, metadata: metadata.right, means },
      answer: { applicationId, clientId: formatApplicationClientId({ tenantId, applicationId }) },
    });
  },
});

const statusRoute = (type: SwitchClient['type'], verb: 'disable' | 'enable', summary: string) =>
  commandRoute<CommandDeps>()({
    ...commonRoute,
    method: 'post',
    path: `/v1/clients/:applicationId/${verb}`,
    operation: `${verb}Client`,
    ...(verb === 'enable' ? { danger: true as const } : { sensitive: true as const }),
    summary,
    params: ClientPath,
    body: WithReason,
    prepare: ({ params: { applicationId }, body, tenantId }) =>
      right({
        stream: clientStream(tenantId, applicationId),
        command: { type, applicationId, reason: body.reason },
        answer: { applicationId, clientId: formatApplicationClientId({ tenantId, applicationId }) },
      }),
  });

export const disableClientRoute = statusRoute(
  'DisableClient',
  'disable',
  'Disable a client: it gets no tokens, and its existing ones are refused',
);

export const enableClientRoute = statusRoute('EnableClient', 'enable', 'Enable a client again');
