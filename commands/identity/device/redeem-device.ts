/** `device_code` (RFC 8628 section 3.4): the device asks again and again whether somebody has allowed it. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { type DeviceRequestRejection, deviceRequest, type RedeemDevice } from '../../../domain/identity/device/decider';
import type { DeviceApproval, DeviceAsked } from '../../../domain/identity/device/state';
import { deviceRequestStream } from '../../../domain/identity/streams';
import type { JsonAnswer } from '../../../infra/http/route';
import { handle } from '../../kernel/handle';
import { loadStream } from '../../kernel/load-stream';
import type { Refusal } from '../../kernel/request';
import { type Allowed, type HandOutDeps, handOut, standingOf } from '../authorize/hand-out';
import type { BindingDeps } from '../token/bind';
import { thumbprintsOf } from '../token/binding';
import type { TokenCall } from '../token/call';
import { type OAuthErrorCode, oauthError, refuse } from '../token/oauth-error';
import { type DeviceCode, readDeviceCode, secretHashOf } from './device-code';
import { derivationOf, grantIdOf, type Presented, tellReplay, unlessReplayed } from './replayed-device';

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
export const pollSeconds = 5;
/** Clocks and networks are not exact: who keeps the pace is never told to slow down. */
const pollMilliseconds = (pollSeconds - 1) * 1_000;

/** What tells proofs that were shown before tells polls that come too soon: all copies of the service ask the same. */
export interface PollDeps extends HandOutDeps, BindingDeps {}

const errors: { readonly [code in DeviceRequestRejection]?: readonly [OAuthErrorCode, string] } = {
  'device-pending': ['authorization_pending', 'Nobody has answered the request yet.'],
  'device-denied': ['access_denied', 'The person denied the request.'],
  'device-used-just-now': [
    'invalid_grant',
    'The device_code was used a moment ago: what that use was answered with stands.',
  ],
  'device-expired': ['expired_token', 'The device_code has expired: ask anew.'],
  'key-differs': ['invalid_grant', 'The device_code is bound to another DPoP key.'],
};

const notAccepted = () => refuse('invalid_grant', 'The device_code is not accepted.');

const refused = (
  deps: PollDeps,
  presented: Presented,
  { call, refusal }: { readonly call: TokenCall; readonly refusal: Refusal<DeviceRequestRejection> },
): Either<JsonAnswer, never> | Promise<Either<JsonAnswer, never>> => {
  if (refusal.kind === 'fault' || refusal.code === 'conflict') return refuse('temporarily_unavailable', refusal.detail);
  if (refusal.code === 'device-used') return tellReplay(deps, presented, call);
  const [error, detail] = errors[refusal.code as DeviceRequestRejection] ?? [];
  return error === undefined || detail === undefined ? notAccepted() : refuse(error, detail);
};

const presentedOf = ({ parameters, client }: TokenCall): Either<JsonAnswer, Presented> => {
  const { device_code: written } = parameters;
  if (written === undefined) return refuse('invalid_request', 'The device_code is missing.');
  if (client.kind !== 'application') return refuse('unauthorized_client', 'Device codes are for applications.');
  const read = readDeviceCode(written);
  return read?.tenantId === client.tenantId ? right({ ...read, client }) : notAccepted();
};

const commandOf = (presented: Presented, { binding, at }: TokenCall): RedeemDevice => ({
  type: 'RedeemDevice',
  deviceId: presented.deviceId,
  clientId: presented.client.clientId,
  secretHash: secretHashOf(presented.secret),
  jkt: thumbprintsOf(binding).jkt,
  grantId: grantIdOf(presented),
  at,
});

const allowedBy = ({ audience }: DeviceAsked, approval: DeviceApproval): Allowed => {
  const { principalId, sessionId, scopes, authenticatedAt, methods } = approval;
  return { principalId, sessionId, scopes, audience, nonce: null, authenticatedAt, methods };
};

const approvedFor = async (
  deps: PollDeps,
  presented: Presented,
  call: TokenCall,
): Promise<Either<JsonAnswer, Allowed>> => {
  const found = await loadStream(deps, deviceRequest, deviceRequestStream(presented.tenantId, presented.deviceId));
  if (isLeft(found)) return refuse('temporarily_unavailable', found.left.detail);
  const state = found.right;
  const decided = deviceRequest.decide(commandOf(presented, call), state);
  if (isLeft(decided)) return refused(deps, presented, { call, refusal: decided.left });
  return state.kind === 'approved' ? right(allowedBy(state.asked, state.approval)) : notAccepted();
};

const spend = async (deps: PollDeps, presented: Presented, call: TokenCall): Promise<Either<JsonAnswer, void>> => {
  const spent = await handle(deps, deviceRequest, {
    stream: deviceRequestStream(presented.tenantId, presented.deviceId),
    command: commandOf(presented, call),
    commandId: deps.random.uuid(),
    tenant: presented.tenantId,
    actor: presented.client.clientId,
    correlationId: call.requestId,
  });
  return isLeft(spent) ? refused(deps, presented, { call, refusal: spent.left }) : right(undefined);
};

/** Only a pace: where it cannot be kept, a secret of 256 bits is still not guessed. */
const tooSoon = async ({ proofs }: PollDeps, { deviceId }: DeviceCode): Promise<boolean> => {
  const first = await proofs.replay.first(`device-poll:${deviceId}`, pollMilliseconds);
  return first._tag === 'Right' && !first.right;
};

export const redeemDevice = async (deps: PollDeps, call: TokenCall): Promise<JsonAnswer> => {
  const presented = presentedOf(call);
  if (isLeft(presented)) return presented.left;
  if (await tooSoon(deps, presented.right)) return oauthError('slow_down', `Ask every ${pollSeconds} seconds at most.`);
  const allowed = await approvedFor(deps, presented.right, call);
  if (isLeft(allowed)) return allowed.left;
  const { client } = presented.right;
  const standing = await standingOf(deps, client, { allowed: allowed.right, resources: call.resources });
  if (isLeft(standing)) return standing.left;
  const spent = await spend(deps, presented.right, call);
  if (isLeft(spent)) return spent.left;
  const whole = () => unlessReplayed(deps, presented.right, call);
  return handOut(deps, call, [client, allowed.right, standing.right, derivationOf(presented.right), whole]);
};
