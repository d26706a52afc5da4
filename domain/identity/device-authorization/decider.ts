/** Device authorization request: answered once, redeemed once; further uses are recorded. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { PrincipalId } from '../../kernel/ids';
import { plusSeconds } from '../../kernel/instant';
import { type Rejection, reject } from '../../kernel/rejection';
import { concurrentUseSeconds } from '../authorization-code/decider';
import { isSameTextConstantTime } from '../constant-time';
import type { DeviceRequestId, GrantId } from '../ids';
import { type DeviceRequestEvent, deviceRequests } from './events';
import { type DeviceApproval, type DeviceRequest, type DeviceRequestState, evolve } from './state';

export const deviceSeconds = 600;

export type RequestDevice = { readonly type: 'RequestDevice' } & DeviceRequest;
export type ApproveDevice = { readonly type: 'ApproveDevice' } & DeviceApproval;

export interface DenyDevice {
  readonly type: 'DenyDevice';
  readonly deviceId: DeviceRequestId;
  readonly principalId: PrincipalId;
  readonly at: Instant;
}

export interface RedeemDevice {
  readonly type: 'RedeemDevice';
  readonly deviceId: DeviceRequestId;
  readonly clientId: string;
  /** Hash of the presented secret. */
  readonly secretHash: string;
  readonly jkt: string | null;
  readonly grantId: GrantId;
  readonly at: Instant;
}

export interface RecordDeviceReplay {
  readonly type: 'RecordDeviceReplay';
  readonly deviceId: DeviceRequestId;
  readonly at: Instant;
}

export type DeviceRequestCommand = RequestDevice | ApproveDevice | DenyDevice | RedeemDevice | RecordDeviceReplay;

export type DeviceRequestRejection =
  | 'device-code-taken'
  | 'device-unknown'
  | 'device-expired'
  | 'device-answered'
  | 'device-pending'
  | 'device-denied'
  | 'device-used-just-now'
  | 'device-used'
  | 'key-differs';

type Decision = Either<Rejection<DeviceRequestRejection>, readonly DeviceRequestEvent[]>;

const unknown = () => reject('device-unknown', 'There is no such device request.');
const expired = () => reject('device-expired', 'The code of the device has expired.');
const answered = () => reject('device-answered', 'The request of the device was answered before.');

const requestDevice = ({ type: _, ...data }: RequestDevice, state: DeviceRequestState): Decision => {
  if (state.kind === 'none') return right([{ type: 'DeviceRequested', data }]);
  return state.request.secretHash === data.secretHash
    ? right([])
    : reject('device-code-taken', 'Another device has this code.');
};

const approve = ({ type: _, ...data }: ApproveDevice, state: DeviceRequestState): Decision => {
  if (state.kind === 'none') return unknown();
  if (state.kind === 'approved' || state.kind === 'redeemed')
    return state.approval.principalId === data.principalId ? right([]) : answered();
  if (state.kind === 'denied') return answered();
  if (data.approvedAt >= state.request.expiresAt) return expired();
  const requestedScopes: readonly string[] = state.request.scopes;
  const scopes = data.scopes.filter((scope) => requestedScopes.includes(scope));
  return right([{ type: 'DeviceApproved', data: { ...data, scopes } }]);
};

const deny = ({ deviceId, principalId, at }: DenyDevice, state: DeviceRequestState): Decision => {
  if (state.kind === 'none') return unknown();
  if (state.kind === 'denied') return right([]);
  if (state.kind !== 'waiting') return answered();
  if (at >= state.request.expiresAt) return expired();
  return right([{ type: 'DeviceDenied', data: { deviceId, principalId, deniedAt: at } }]);
};

/** A wrong secret learns nothing about the request. */
const redeem = (command: RedeemDevice, state: DeviceRequestState): Decision => {
  if (state.kind === 'none' || state.request.clientId !== command.clientId) return unknown();
  if (!isSameTextConstantTime(command.secretHash, state.request.secretHash)) return unknown();
  if (state.kind === 'redeemed')
    return command.at < plusSeconds(state.redeemedAt, concurrentUseSeconds)
      ? reject('device-used-just-now', 'The device_code was used a moment ago; its grant stays valid.')
      : reject('device-used', 'The device_code was used before.');
  if (state.kind === 'denied') return reject('device-denied', 'The person denied the request.');
  if (command.at >= state.request.expiresAt) return expired();
  if (state.kind === 'waiting') return reject('device-pending', 'The person has not answered the request yet.');
  if (state.request.jkt !== null && state.request.jkt !== command.jkt)
    return reject('key-differs', 'The device_code is bound to another DPoP key.');
  const { deviceId, grantId, at: redeemedAt } = command;
  const data = { deviceId, principalId: state.approval.principalId, grantId, redeemedAt };
  return right([{ type: 'DeviceRedeemed', data }]);
};

const recordReplay = ({ deviceId, at: replayedAt }: RecordDeviceReplay, state: DeviceRequestState): Decision => {
  if (state.kind !== 'redeemed') return unknown();
  const { approval, grantId, replayed } = state;
  const data = { deviceId, principalId: approval.principalId, grantId, replayedAt };
  return right(replayed ? [] : [{ type: 'DeviceReplayed', data }]);
};

const decide = (command: DeviceRequestCommand, state: DeviceRequestState): Decision => {
  switch (command.type) {
    case 'RequestDevice':
      return requestDevice(command, state);
    case 'ApproveDevice':
      return approve(command, state);
    case 'DenyDevice':
      return deny(command, state);
    case 'RedeemDevice':
      return redeem(command, state);
    case 'RecordDeviceReplay':
      return recordReplay(command, state);
  }
};

export const deviceRequest: Decider<
  DeviceRequestCommand,
  DeviceRequestState,
  DeviceRequestEvent,
  DeviceRequestRejection
> = { family: deviceRequests, initial: { kind: 'none' }, evolve, decide };
