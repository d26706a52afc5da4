/** `POST /oauth/device_authorization` (RFC 8628 section 3.1): a device without a browser asks to be allowed from elsewhere. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { type AskForDevice, deviceRequest, deviceSeconds } from '../../../domain/identity/device/decider';
import { deviceRequestStream } from '../../../domain/identity/streams';
import { integer, record, text } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { type JsonAnswer, type RouteRequest, route } from '../../../infra/http/route';
import type { Random } from '../../../infra/ports/random';
import { handle } from '../../kernel/handle';
import type { HandleDeps } from '../../kernel/request';
import { proofKeyOf } from '../authorize/proof-key';
import { type StrangerDeps, tooManyOf } from '../authorize/strangers';
import { authenticateClient, type ClientDeps } from '../token/authenticate-client';
import type { BindingDeps } from '../token/bind';
import type { ApplicationClient } from '../token/client';
import { type Form, type FormParts, formParts, oauthForm, scopesAsked } from '../token/form';
import type { Issuer } from '../token/issue';
import { oauthError, refuse, uncached } from '../token/oauth-error';
import { scopesGranted, targetsOf } from '../token/targets';
import { OAuthRefusal } from '../token/token';
import { secretHashOf, writeDeviceCode } from './device-code';
import { deviceGrant, pollSeconds } from './redeem-device';
import { deviceIdOf, newUserCode, writeUserCode } from './user-code';
import { verificationUri } from './verification-uri';

export interface DeviceDeps extends HandleDeps, ClientDeps, BindingDeps, Issuer, StrangerDeps {
  readonly random: Random;
  readonly firstSignIn: { readonly tenantId: TenantId };
}

type DeviceHttpRequest = RouteRequest<unknown, unknown, Form>;
type Wanted = Pick<AskForDevice, 'clientId' | 'scopes' | 'audience' | 'jkt' | 'requestedAt' | 'expiresAt'>;

const secretBytes = 32;
const mostCollisions = 4;

const endpointOf = ({ issuer }: DeviceDeps): string => `${issuer}/oauth/device_authorization`;

const clientOf = async (
  deps: DeviceDeps,
  { parameters }: FormParts,
  { headers, certificate }: DeviceHttpRequest,
): Promise<Either<JsonAnswer, ApplicationClient>> => {
  const shown = { parameters, authorization: headers.authorization, certificate };
  const client = await authenticateClient(deps, { ...shown, endpoint: endpointOf(deps), at: deps.clock.now() });
  if (isLeft(client)) return client;
  return client.right.kind === 'application' && client.right.application.grantTypes.some((one) => one === deviceGrant)
    ? right(client.right)
    : refuse('unauthorized_client', 'The client is not registered for devices.');
};

const wantedOf = async (
  deps: DeviceDeps,
  [client, { parameters, resources }]: [ApplicationClient, FormParts],
  request: DeviceHttpRequest,
): Promise<Either<JsonAnswer, Wanted>> => {
  const asked = scopesAsked(parameters.scope);
  if (isLeft(asked)) return asked;
  const scopes = scopesGranted(asked.right, client.application.scopes);
  if (isLeft(scopes)) return scopes;
  const audience = targetsOf(deps, client, resources);
  if (isLeft(audience)) return audience;
  const at = deps.clock.now();
  const jkt = await proofKeyOf(deps, { request, client, endpoint: endpointOf(deps), at });
  if (isLeft(jkt)) return jkt;
  const times = { requestedAt: at, expiresAt: plusSeconds(at, deviceSeconds) };
  const what = { scopes: [...scopes.right], audience: [...audience.right], jkt: jkt.right };
  return right({ clientId: client.clientId, ...what, ...times });
};

const ask = async (
  deps: DeviceDeps,
  { tenantId, wanted, requestId }: { readonly tenantId: TenantId; readonly wanted: Wanted; readonly requestId: string },
  triesLeft = mostCollisions,
): Promise<JsonAnswer> => {
  const userCode = newUserCode(deps.random);
  const deviceId = deviceIdOf(tenantId, userCode);
  const secret = deps.random.token(secretBytes);
  const asked = await handle(deps, deviceRequest, {
    stream: deviceRequestStream(tenantId, deviceId),
    command: { type: 'AskForDevice', deviceId, secretHash: secretHashOf(secret), ...wanted },
    commandId: deps.random.uuid(),
    tenant: tenantId,
    actor: wanted.clientId,
    correlationId: requestId,
    fresh: true,
  });
  if (isLeft(asked) && asked.left.code === 'device-code-taken' && triesLeft > 0)
    return ask(deps, { tenantId, wanted, requestId }, triesLeft - 1);
  if (isLeft(asked)) return oauthError('temporarily_unavailable', asked.left.detail);
  const body = {
    device_code: writeDeviceCode({ tenantId, deviceId, secret }),
    user_code: writeUserCode(userCode),
    verification_uri: verificationUri(deps, tenantId, null),
    verification_uri_complete: verificationUri(deps, tenantId, userCode),
    expires_in: deviceSeconds,
    interval: pollSeconds,
  };
  return { status: 200, body, headers: uncached };
};

const authorizeDevice = async (deps: DeviceDeps, request: DeviceHttpRequest): Promise<JsonAnswer> => {
  const form = formParts(request.body);
  if (isLeft(form)) return form.left;
  const client = await clientOf(deps, form.right, request);
  if (isLeft(client)) return client.left;
  const tooMany = await tooManyOf(deps, client.right, request.headers);
  if (tooMany !== undefined) return tooMany;
  const wanted = await wantedOf(deps, [client.right, form.right], request);
  if (isLeft(wanted)) return wanted.left;
  return ask(deps, { tenantId: client.right.tenantId, wanted: wanted.right, requestId: request.requestId });
};

const url = text('VerificationUri', { maxLength: 2048 });
const Waiting = record('DeviceAuthorization', {
  device_code: text('DeviceCode', { maxLength: 256 }),
  user_code: text('UserCode', { maxLength: 9, examples: ['WDJB-MJHT'] }),
  verification_uri: url,
  verification_uri_complete: url,
  expires_in: integer(1),
  interval: integer(1),
});
const refusal = (description: string) => ({ description, body: OAuthRefusal });

export const deviceAuthorizationRoute = route<DeviceDeps>()({
  method: 'post',
  path: '/oauth/device_authorization',
  operation: 'authorizeDevice',
  sensitive: false,
  limitGroup: 'authorization',
  summary: 'Ask a person to allow a device',
  description: 'The person types the user_code at the verification_uri; meanwhile the device polls the token endpoint.',
  access: 'public',
  body: oauthForm('DeviceAuthorizationForm', { type: 'object' }),
  bodyType: 'form',
  headers: [{ name: 'DPoP', description: 'Binds the device_code to the key of the proof.' }],
  answers: {
    200: { description: 'What to show, and what to poll with.', body: Waiting, headers: ['Cache-Control'] },
    400: refusal('The request is not in order; `error` says why.'),
    401: refusal('The client is not authenticated.'),
    429: refusal('A client without a secret is asked for too often from there.'),
    503: refusal('Nothing was kept.'),
  },
  handle: authorizeDevice,
});
