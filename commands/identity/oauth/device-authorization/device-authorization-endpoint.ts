/** POST /oauth/device_authorization (RFC 8628 section 3.1). */

import { type Either, isLeft, right } from 'fp-ts/Either';
import {
  deviceRequest,
  deviceSeconds,
  type RequestDevice,
} from '../../../../domain/identity/device-authorization/decider';
import { deviceRequestStream } from '../../../../domain/identity/device-authorization/events';
import { integer, record, text } from '../../../../domain/kernel/codec';
import type { TenantId } from '../../../../domain/kernel/ids';
import { plusSeconds } from '../../../../domain/kernel/instant';
import type { Random } from '../../../../infra/ports/runtime/random';
import { type JsonAnswer, type RouteRequest, route } from '../../../../infra/server/http/routing/route';
import { handle } from '../../../kernel/handle';
import type { HandleDeps } from '../../../kernel/handle-request';
import { loadAudiences } from '../../protected-apis/load-registry';
import { authenticateClient, type ClientDeps } from '../client-authentication/authenticate-client';
import type { ApplicationClient } from '../client-authentication/authenticated-client';
import { checkPublicClientLimit, type PublicClientLimitDeps } from '../client-authentication/public-client-limit';
import type { Issuer } from '../token/issue-tokens';
import { noStoreHeaders, oauthError, oauthFailure } from '../token/oauth-error';
import { type Form, type FormParts, oauthForm, parseForm, parseScope } from '../token/oauth-form';
import { readProofKey } from '../token/proof-key';
import type { BindingDeps } from '../token/sender-constraint';
import { OAuthErrorAnswer } from '../token/token-endpoint';
import { resolveAudience, resolveScopes } from '../token/token-request';
import { deviceIdFrom, deviceSecretHash, formatDeviceCode, formatUserCode, newUserCode } from './codes';
import { deviceGrant, pollSeconds } from './redeem-device-code';

export interface VerificationPages {
  readonly issuer: string;
  /** Default tenant of sign-in. */
  readonly firstSignIn: { readonly tenantId: TenantId };
}

/** `code`: prefilled, so that it need not be typed. */
const verificationUri = (
  { issuer, firstSignIn }: VerificationPages,
  tenantId: TenantId,
  code: string | null,
): string => {
  const query = new URLSearchParams();
  if (code !== null) query.set('user_code', formatUserCode(code));
  if (tenantId !== firstSignIn.tenantId) query.set('tenant', tenantId);
  return query.size === 0 ? `${issuer}/device` : `${issuer}/device?${query}`;
};

export interface DeviceDeps extends HandleDeps, ClientDeps, BindingDeps, Issuer, PublicClientLimitDeps {
  readonly random: Random;
  readonly firstSignIn: { readonly tenantId: TenantId };
}

type DeviceHttpRequest = RouteRequest<unknown, unknown, Form>;
type RequestedDevice = Pick<RequestDevice, 'clientId' | 'scopes' | 'audience' | 'jkt' | 'requestedAt' | 'expiresAt'>;

const secretBytes = 32;
const maxCollisions = 4;

const deviceAuthorizationEndpointOf = ({ issuer }: DeviceDeps): string => `${issuer}/oauth/device_authorization`;

const authenticateApplicationClient = async (
  deps: DeviceDeps,
  { parameters }: FormParts,
  { headers, certificate }: DeviceHttpRequest,
): Promise<Either<JsonAnswer, ApplicationClient>> => {
  const credentials = { parameters, authorization: headers.authorization, certificate };
  const client = await authenticateClient(deps, {
    ...credentials,
    endpoint: deviceAuthorizationEndpointOf(deps),
    at: deps.clock.now(),
  });
  if (isLeft(client)) return client;
  return client.right.kind === 'application' && client.right.application.grantTypes.some((one) => one === deviceGrant)
    ? right(client.right)
    : oauthFailure('unauthorized_client', 'The client is not registered for devices.');
};

const readRequestedDevice = async (
  deps: DeviceDeps,
  { client, form: { parameters, resources } }: { readonly client: ApplicationClient; readonly form: FormParts },
  request: DeviceHttpRequest,
): Promise<Either<JsonAnswer, RequestedDevice>> => {
  const requested = parseScope(parameters.scope);
  if (isLeft(requested)) return requested;
  const scopes = resolveScopes(requested.right, client.application.scopes);
  if (isLeft(scopes)) return scopes;
  const audiences = await loadAudiences(deps, client.tenantId);
  if (isLeft(audiences)) return oauthFailure('temporarily_unavailable', audiences.left.detail);
  const audience = resolveAudience({ issuer: deps.issuer, audiences: audiences.right }, client, resources);
  if (isLeft(audience)) return audience;
  const at = deps.clock.now();
  const jkt = await readProofKey(deps, { request, client, endpoint: deviceAuthorizationEndpointOf(deps), at });
  if (isLeft(jkt)) return jkt;
  const times = { requestedAt: at, expiresAt: plusSeconds(at, deviceSeconds) };
  const what = { scopes: [...scopes.right], audience: [...audience.right], jkt: jkt.right };
  return right({ clientId: client.clientId, ...what, ...times });
};

const recordDeviceRequest = async (
  deps: DeviceDeps,
  {
    tenantId,
    wanted,
    requestId,
  }: { readonly tenantId: TenantId; readonly wanted: RequestedDevice; readonly requestId: string },
  triesLeft = maxCollisions,
): Promise<JsonAnswer> => {
  const userCode = newUserCode(deps.random);
  const deviceId = deviceIdFrom(tenantId, userCode);
  const secret = deps.random.token(secretBytes);
  const recorded = await handle(deps, deviceRequest, {
    stream: deviceRequestStream(tenantId, deviceId),
    command: { type: 'RequestDevice', deviceId, secretHash: deviceSecretHash(secret), ...wanted },
    commandId: deps.random.uuid(),
    tenant: tenantId,
    actor: wanted.clientId,
    correlationId: requestId,
    fresh: true,
  });
  if (isLeft(recorded) && recorded.left.code === 'device-code-taken' && triesLeft > 0)
    return recordDeviceRequest(deps, { tenantId, wanted, requestId }, triesLeft - 1);
  if (isLeft(recorded)) return oauthError('temporarily_unavailable', recorded.left.detail);
  const body = {
    device_code: formatDeviceCode({ tenantId, deviceId, secret }),
    user_code: formatUserCode(userCode),
    verification_uri: verificationUri(deps, tenantId, null),
    verification_uri_complete: verificationUri(deps, tenantId, userCode),
    expires_in: deviceSeconds,
    interval: pollSeconds,
  };
  return { status: 200, body, headers: noStoreHeaders };
};

const handleDeviceAuthorization = async (deps: DeviceDeps, request: DeviceHttpRequest): Promise<JsonAnswer> => {
  const form = parseForm(request.body);
  if (isLeft(form)) return form.left;
  const client = await authenticateApplicationClient(deps, form.right, request);
  if (isLeft(client)) return client.left;
  const tooMany = await checkPublicClientLimit(deps, client.right, request.headers);
  if (tooMany !== undefined) return tooMany;
  const wanted = await readRequestedDevice(deps, { client: client.right, form: form.right }, request);
  if (isLeft(wanted)) return wanted.left;
  return recordDeviceRequest(deps, {
    tenantId: client.right.tenantId,
    wanted: wanted.right,
    requestId: request.requestId,
  });
};

const url = text('VerificationUri', { examples: ['https://septet.example.org/device'], maxLength: 2048 });
const DeviceAuthorizationAnswer = record('DeviceAuthorization', {
  device_code: text('DeviceCode', { examples: ['GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS'], maxLength: 256 }),
  user_code: text('UserCode', { maxLength: 9, examples: ['WDJB-MJHT'] }),
  verification_uri: url,
  verification_uri_complete: url,
  expires_in: integer(1),
  interval: integer(1),
});
const refusal = (description: string) => ({ description, body: OAuthErrorAnswer });

export const deviceAuthorizationRoute = route<DeviceDeps>()({
  method: 'post',
  path: '/oauth/device_authorization',
  operation: 'authorizeDevice',
  example: { client_id: 'main~cli', scope: 'openid principals:read' },
  sensitive: false,
  limitGroup: 'authorization',
  summary: 'Start a device authorization (RFC 8628)',
  description: 'The person types the user_code at the verification_uri; meanwhile the device polls the token endpoint.',
  access: 'public',
  body: oauthForm('DeviceAuthorizationForm', { type: 'object' }),
  bodyType: 'form',
  headers: [{ name: 'DPoP', description: 'Binds the device_code to the key of the proof.' }],
  answers: {
    200: {
      description: 'The user code to display, and the device code to poll with.',
      body: DeviceAuthorizationAnswer,
      headers: ['Cache-Control'],
    },
    400: refusal('The request is invalid; `error` has the reason.'),
    401: refusal('The client is not authenticated.'),
    429: refusal('Too many requests of a client without a secret from one network.'),
    503: refusal('Nothing was recorded.'),
  },
  handle: handleDeviceAuthorization,
});
