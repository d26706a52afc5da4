/** POST /oauth/register: dynamic client registration (RFC 7591), if enabled. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type ClientCommand, client } from '../../../../domain/identity/client/decider';
import { type ClientMetadata, clientStream } from '../../../../domain/identity/client/events';
import { ApplicationId, CredentialId } from '../../../../domain/identity/ids';
import { described, type Instant, integer, record, text } from '../../../../domain/kernel/codec';
import { wholeSeconds } from '../../../../domain/kernel/instant';
import type { Kms } from '../../../../infra/ports/kms';
import {
  type BoundRoute,
  bind,
  type JsonAnswer,
  type RouteRequest,
  route,
} from '../../../../infra/server/http/routing/route';
import type { CommandDeps } from '../../../kernel/command-spec';
import { handle } from '../../../kernel/handle';
import type { Refusal } from '../../../kernel/handle-request';
import { formatApplicationClientId } from '../../clients/client-id';
import type { ClientOffer } from '../../clients/client-metadata';
import { clientSecretHash, deriveApplicationSecret } from '../../clients/client-secret';
import { noStoreHeaders, oauthError } from '../token/oauth-error';
import { OAuthErrorAnswer } from '../token/token-endpoint';
import {
  authenticateRegistrant,
  type Registrant,
  type RegistrantDeps,
  type RegistrationMode,
} from './initial-access-token';
import { loadPolicyScopes, withoutPolicyScopes } from './policy-scopes';
import { parseWireMetadata, type RegistrationRefusal, toWireMetadata } from './wire-metadata';

export interface RegisterDeps extends RegistrantDeps, CommandDeps, ClientOffer {
  readonly kms: RegistrantDeps['kms'] & Pick<Kms, 'derive'>;
}

const registrationError = ({ error, description }: RegistrationRefusal): JsonAnswer => ({
  status: 400,
  body: { error, error_description: description },
  headers: noStoreHeaders,
});

const toRegistrationError = ({ kind, code, detail }: Refusal<string>): JsonAnswer => {
  if (kind === 'fault') return oauthError('temporarily_unavailable', detail);
  const error = code === 'redirect-uri-invalid' ? 'invalid_redirect_uri' : 'invalid_client_metadata';
  return registrationError({ error, description: detail });
};

interface RegistrationContext {
  readonly registrant: Registrant;
  readonly applicationId: ApplicationId;
  readonly metadata: ClientMetadata;
  readonly requestId: string;
  readonly at: Instant;
}

const runClientCommand = async (
  deps: RegisterDeps,
  made: RegistrationContext,
  command: ClientCommand,
): Promise<Either<JsonAnswer, string>> => {
  const { tenantId: tenant, actor } = made.registrant;
  const stream = clientStream(tenant, made.applicationId);
  const commandId = deps.random.uuid();
  const fresh = command.type === 'RegisterClient';
  const request = { stream, command, commandId, tenant, actor, correlationId: made.requestId, fresh };
  const handled = await handle(deps, client, request);
  return isLeft(handled) ? left(toRegistrationError(handled.left)) : right(commandId);
};

type IssuedSecret = { readonly client_secret?: string; readonly client_secret_expires_at?: 0 };

const issueSecretFor = async (
  deps: RegisterDeps,
  made: RegistrationContext,
): Promise<Either<JsonAnswer, IssuedSecret>> => {
  const { metadata, applicationId, registrant, at } = made;
  if (!metadata.authentication.startsWith('client_secret')) return right({});
  const credentialId = deps.random.uuid();
  if (!CredentialId.is(credentialId)) throw new Error('a random id is not valid');
  const secret = await deriveApplicationSecret(deps.kms, { ...registrant, applicationId }, credentialId);
  if (isLeft(secret)) return left(oauthError('temporarily_unavailable', secret.left.detail));
  const what = { applicationId, credentialId, secretHash: clientSecretHash(secret.right), expiresAt: null, at };
  const command: ClientCommand = { type: 'IssueClientSecret', ...what, grantable: registrant.scopes };
  const issued = await runClientCommand(deps, made, command);
  return isLeft(issued) ? issued : right({ client_secret: secret.right, client_secret_expires_at: 0 });
};

const handleRegistration = async (
  deps: RegisterDeps,
  request: RouteRequest<unknown, unknown, unknown>,
): Promise<JsonAnswer> => {
  const { authorization, dpop: proof } = request.headers;
  const at = deps.clock.now();
  const registrant = await authenticateRegistrant(deps, { authorization, proof, certificate: request.certificate, at });
  if (isLeft(registrant)) return registrant.left;
  const metadata = parseWireMetadata(request.body, deps);
  if (isLeft(metadata)) return registrationError(metadata.left);
  const applicationId = deps.random.uuid();
  if (!ApplicationId.is(applicationId)) throw new Error('a random id is not valid');
  const { tenantId, scopes: grantable } = registrant.right;
  const opened = await loadPolicyScopes(deps, tenantId);
  if (isLeft(opened)) return oauthError('temporarily_unavailable', opened.left.detail);
  const means = { grantable, audiences: deps.audiences };
  const own = withoutPolicyScopes(metadata.right, { grantable, opened: opened.right });
  const made = { registrant: registrant.right, applicationId, metadata: own, at };
  const whole: RegistrationContext = { ...made, requestId: request.requestId };
  const fields = { applicationId, tenantId, metadata: own, means, byItself: true, at };
  const registered = await runClientCommand(deps, whole, { type: 'RegisterClient', ...fields });
  if (isLeft(registered)) return registered.left;
  const secret = await issueSecretFor(deps, whole);
  if (isLeft(secret)) return secret.left;
  const clientId = formatApplicationClientId({ tenantId, applicationId });
  const body = {
    client_id: clientId,
    client_id_issued_at: wholeSeconds(at),
    ...secret.right,
    // With the scopes that it has by the policy.
    ...toWireMetadata(metadata.right),
  };
  return { status: 201, body, headers: noStoreHeaders };
};

const Registered = described(
  record(
    'RegisteredClient',
    { client_id: text('ClientId', { maxLength: 192 }), client_id_issued_at: integer(0) },
    {
      client_secret: text('ClientSecret', { examples: ['q3sVw8h0N1yZ5tXc7bLk2mRf9dGj4pAe6uQo0iWvT1s'], maxLength: 43 }),
      client_secret_expires_at: integer(0),
    },
  ),
  { type: 'object', required: ['client_id'], additionalProperties: true },
);

const Body = described(new t.Type<unknown>('ClientMetadata', t.unknown.is, t.success, t.identity), {
  type: 'object',
  additionalProperties: true,
});

const registerRoute = route<RegisterDeps>()({
  method: 'post',
  path: '/oauth/register',
  operation: 'registerClientDynamically',
  danger: true,
  limitGroup: 'registration',
  summary: 'Register an application by itself (RFC 7591)',
  description: 'Needs an access token with the scope clients:write, unless open registration is on. Off by default.',
  access: 'public',
  body: Body,
  answers: {
    201: { description: 'The registered client.', body: Registered, headers: ['Cache-Control'] },
    400: { description: 'The metadata cannot be accepted.', body: OAuthErrorAnswer },
    401: { description: 'No token, or not a valid one.', body: OAuthErrorAnswer },
    403: { description: 'The token does not allow this.', body: OAuthErrorAnswer },
    503: { description: 'A store is unavailable.', body: OAuthErrorAnswer },
  },
  handle: handleRegistration,
});

export type OptionalRegistrationDeps = Omit<RegisterDeps, 'registration'> & {
  /** Undefined: the endpoint is off. */
  readonly registration?: RegistrationMode;
};

export const registrationRoutes = ({ registration, ...deps }: OptionalRegistrationDeps): readonly BoundRoute[] =>
  registration === undefined ? [] : [bind({ ...deps, registration }, registerRoute)];
