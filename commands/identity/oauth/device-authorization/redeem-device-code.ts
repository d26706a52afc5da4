/** The device_code grant (RFC 8628 section 3.4): polling and redemption. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import {
  type DeviceRequestRejection,
  deviceRequest,
  type RedeemDevice,
} from '../../../../domain/identity/device-authorization/decider';
import { deviceRequestStream } from '../../../../domain/identity/device-authorization/events';
import type { DeviceApproval, DeviceRequest } from '../../../../domain/identity/device-authorization/state';
import type { JsonAnswer } from '../../../../infra/server/http/routing/route';
import { handle } from '../../../kernel/handle';
import type { Refusal } from '../../../kernel/handle-request';
import { loadStream } from '../../../kernel/load-stream';
import { type Approval, type IssueGrantDeps, issueGrantTokens, recheckApproval } from '../../grants/issue-grant-tokens';
import { type OAuthErrorCode, oauthError, oauthFailure } from '../token/oauth-error';
import { type BindingDeps, thumbprintsOf } from '../token/sender-constraint';
import type { TokenRequest } from '../token/token-request';
import { type DeviceCode, deviceSecretHash, parseDeviceCode } from './codes';
import {
  deviceGrantDerivation,
  deviceGrantId,
  type PresentedDeviceCode,
  recordDeviceReplay,
  rejectIfDeviceReplayed,
} from './replayed-device-code';

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
export const pollSeconds = 5;
/** Tolerance of one second: a client at the announced interval never gets slow_down. */
const pollMilliseconds = (pollSeconds - 1) * 1_000;

/** Polls are timed with the shared replay cache, so the interval holds across processes. */
export interface PollDeps extends IssueGrantDeps, BindingDeps {}

const pollErrors: { readonly [code in DeviceRequestRejection]?: readonly [OAuthErrorCode, string] } = {
  'device-pending': ['authorization_pending', 'The person has not answered the request yet.'],
  'device-denied': ['access_denied', 'The person denied the request.'],
  'device-used-just-now': [
    'invalid_grant',
    'The device_code was used a moment ago: the tokens issued for it stay valid.',
  ],
  'device-expired': ['expired_token', 'The device_code has expired; start again.'],
  'key-differs': ['invalid_grant', 'The device_code is bound to another DPoP key.'],
};

const invalidDeviceCode = () => oauthFailure('invalid_grant', 'The device_code is not accepted.');

const redemptionRefused = (
  deps: PollDeps,
  presented: PresentedDeviceCode,
  { call: request, refusal }: { readonly call: TokenRequest; readonly refusal: Refusal<DeviceRequestRejection> },
): Either<JsonAnswer, never> | Promise<Either<JsonAnswer, never>> => {
  if (refusal.kind === 'fault' || refusal.code === 'conflict')
    return oauthFailure('temporarily_unavailable', refusal.detail);
  if (refusal.code === 'device-used') return recordDeviceReplay(deps, presented, request);
  const [error, detail] = pollErrors[refusal.code as DeviceRequestRejection] ?? [];
  return error === undefined || detail === undefined ? invalidDeviceCode() : oauthFailure(error, detail);
};

const readPresentedDeviceCode = ({ parameters, client }: TokenRequest): Either<JsonAnswer, PresentedDeviceCode> => {
  const { device_code: written } = parameters;
  if (written === undefined) return oauthFailure('invalid_request', 'The device_code is missing.');
  if (client.kind !== 'application')
    return oauthFailure('unauthorized_client', 'Only applications can redeem device codes.');
  const read = parseDeviceCode(written);
  return read?.tenantId === client.tenantId ? right({ ...read, client }) : invalidDeviceCode();
};

const redeemCommandOf = (presented: PresentedDeviceCode, { binding, at }: TokenRequest): RedeemDevice => ({
  type: 'RedeemDevice',
  deviceId: presented.deviceId,
  clientId: presented.client.clientId,
  secretHash: deviceSecretHash(presented.secret),
  jkt: thumbprintsOf(binding).jkt,
  grantId: deviceGrantId(presented),
  at,
});

const approvalOf = ({ audience }: DeviceRequest, approval: DeviceApproval): Approval => {
  const { principalId, sessionId, scopes, authenticatedAt, methods, clientEpoch } = approval;
  return {
    principalId,
    sessionId,
    scopes,
    audience,
    nonce: null,
    authenticatedAt,
    methods,
    clientEpoch,
    idTokenClaims: [],
  };
};

const findApproval = async (
  deps: PollDeps,
  presented: PresentedDeviceCode,
  request: TokenRequest,
): Promise<Either<JsonAnswer, Approval>> => {
  const loadedState = await loadStream(
    deps,
    deviceRequest,
    deviceRequestStream(presented.tenantId, presented.deviceId),
  );
  if (isLeft(loadedState)) return oauthFailure('temporarily_unavailable', loadedState.left.detail);
  const state = loadedState.right;
  const decided = deviceRequest.decide(redeemCommandOf(presented, request), state);
  if (isLeft(decided)) return redemptionRefused(deps, presented, { call: request, refusal: decided.left });
  return state.kind === 'approved' ? right(approvalOf(state.request, state.approval)) : invalidDeviceCode();
};

const recordRedemption = async (
  deps: PollDeps,
  presented: PresentedDeviceCode,
  request: TokenRequest,
): Promise<Either<JsonAnswer, void>> => {
  const redeemed = await handle(deps, deviceRequest, {
    stream: deviceRequestStream(presented.tenantId, presented.deviceId),
    command: redeemCommandOf(presented, request),
    commandId: deps.random.uuid(),
    tenant: presented.tenantId,
    actor: presented.client.clientId,
    correlationId: request.requestId,
  });
  return isLeft(redeemed)
    ? redemptionRefused(deps, presented, { call: request, refusal: redeemed.left })
    : right(undefined);
};

/** Allows polling when the cache is unavailable: the interval does not protect the 256-bit secret. */
const isPolledTooSoon = async ({ proofs }: PollDeps, { deviceId }: DeviceCode): Promise<boolean> => {
  const first = await proofs.replay.first(`device-poll:${deviceId}`, pollMilliseconds);
  return first._tag === 'Right' && !first.right;
};

export const redeemDeviceCode = async (deps: PollDeps, request: TokenRequest): Promise<JsonAnswer> => {
  const presented = readPresentedDeviceCode(request);
  if (isLeft(presented)) return presented.left;
  if (await isPolledTooSoon(deps, presented.right))
    return oauthError('slow_down', `Poll at most every ${pollSeconds} seconds.`);
  const approved = await findApproval(deps, presented.right, request);
  if (isLeft(approved)) return approved.left;
  const { client } = presented.right;
  const current = await recheckApproval(deps, client, { allowed: approved.right, resources: request.resources });
  if (isLeft(current)) return current.left;
  const redeemed = await recordRedemption(deps, presented.right, request);
  if (isLeft(redeemed)) return redeemed.left;
  return issueGrantTokens(deps, request, {
    client,
    approval: approved.right,
    current: current.right,
    derivedFrom: deviceGrantDerivation(presented.right),
    finalCheck: () => rejectIfDeviceReplayed(deps, presented.right, request),
  });
};
