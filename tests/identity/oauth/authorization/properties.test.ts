import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type CodeCommand, code } from '../../../../domain/identity/authorization-code/decider';
import { codes } from '../../../../domain/identity/authorization-code/events';
import { type ConsentCommand, consent } from '../../../../domain/identity/consent/decider';
import { isSameTextConstantTime } from '../../../../domain/identity/constant-time';
import { type DeviceRequestCommand, deviceRequest } from '../../../../domain/identity/device-authorization/decider';
import { deviceRequests } from '../../../../domain/identity/device-authorization/events';
import type { GrantId } from '../../../../domain/identity/ids';
import { fold } from '../../../../domain/kernel/decider';
import type { PrincipalId } from '../../../../domain/kernel/ids';
import { plusSeconds } from '../../../../domain/kernel/instant';
import { eventsOf, historiesOf, twiceIsOnce } from '../../../support/domain/arbitrary';
import { noon, scope } from '../../examples';
import {
  applicationId,
  approval,
  challenge,
  codeId,
  deviceId,
  issueCode,
  key,
  redeemCode,
  redeemDevice,
  requestDevice,
} from './examples';

const at = fc.integer({ min: 0, max: 700 }).map((seconds) => plusSeconds(noon, seconds));
const person = fc.constantFrom('p-1', 'p-2').map((id) => id as PrincipalId);
const grantId = fc.constantFrom('g-1', 'g-2').map((id) => id as GrantId);
const clientId = fc.constantFrom(applicationId, 'acme~app-2');
const jkt = fc.constantFrom(null, key);
const scopes = fc.subarray(['principals:read', 'principals:write'].map(scope));

const codeCommands: fc.Arbitrary<CodeCommand> = fc.oneof(
  fc
    .record({ principalId: person, issuedAt: at, jkt })
    .map((changes) => issueCode({ ...changes, expiresAt: plusSeconds(changes.issuedAt, 60) })),
  fc
    .record({ clientId, grantId, at, jkt, challenge: fc.constantFrom(challenge, key) })
    .map((changes) => redeemCode(changes)),
  at.map((moment) => ({ type: 'RecordCodeReplay' as const, codeId, at: moment })),
);

const deviceCommands: fc.Arbitrary<DeviceRequestCommand> = fc.oneof(
  fc.record({ scopes, jkt }).map((changes) => requestDevice(changes)),
  fc
    .record({ principalId: person, approvedAt: at, scopes })
    .map((changes) => ({ type: 'ApproveDevice' as const, ...approval(changes) })),
  fc.record({ type: fc.constant('DenyDevice' as const), deviceId: fc.constant(deviceId), principalId: person, at }),
  fc.record({ clientId, grantId, at, jkt }).map((changes) => redeemDevice(changes)),
  at.map((moment) => ({ type: 'RecordDeviceReplay' as const, deviceId, at: moment })),
);

const consentCommands: fc.Arbitrary<ConsentCommand> = fc
  .record({
    type: fc.constantFrom('GrantConsent', 'WithdrawConsent'),
    principalId: person,
    scopes,
    at,
    clientEpoch: fc.constantFrom(0, 1),
    client: fc.constant({ name: 'App', redirectUris: [], authentication: 'none' as const }),
  })
  .map((some) => ({ clientId: applicationId, audience: ['septet'], ...some }) as ConsentCommand);

const counted = (history: readonly { readonly type: string }[], type: string): number =>
  history.filter((event) => event.type === type).length;

describe('authorization, whatever happens', () => {
  it('accepts every recorded fact in any order', () =>
    fc.assert(
      fc.property(fc.array(eventsOf(codes)), fc.array(eventsOf(deviceRequests)), (ofCode, ofDevice) => {
        assert.ok(fold(code, code.initial, ofCode).kind.length > 0);
        assert.ok(fold(deviceRequest, deviceRequest.initial, ofDevice).kind.length > 0);
      }),
    ));

  it('redeems no code twice, and none that was not issued', () =>
    fc.assert(
      fc.property(historiesOf(code, codeCommands), (history) => {
        assert.ok(counted(history, 'CodeRedeemed') <= counted(history, 'CodeIssued'));
        assert.ok(counted(history, 'CodeIssued') <= 1);
        assert.ok(counted(history, 'CodeReplayed') <= counted(history, 'CodeRedeemed'));
      }),
    ));

  it('redeems a code in its time only, for what it was issued with', () =>
    fc.assert(
      fc.property(historiesOf(code, codeCommands), codeCommands, (history, command) => {
        const state = fold(code, code.initial, history);
        const decided = code.decide(command, state);
        if (command.type !== 'RedeemCode' || decided._tag === 'Left' || state.kind !== 'issued') return;
        assert.ok(command.at < state.code.expiresAt && command.clientId === state.code.clientId);
        assert.ok(command.challenge === state.code.challenge && [null, command.jkt].includes(state.code.jkt));
      }),
    ));

  it('answers a device once, and redeems only what was approved', () =>
    fc.assert(
      fc.property(historiesOf(deviceRequest, deviceCommands), (history) => {
        const answers = counted(history, 'DeviceApproved') + counted(history, 'DeviceDenied');
        assert.ok(answers <= counted(history, 'DeviceRequested'));
        assert.ok(counted(history, 'DeviceRedeemed') <= counted(history, 'DeviceApproved'));
        assert.ok(counted(history, 'DeviceReplayed') <= counted(history, 'DeviceRedeemed'));
      }),
    ));

  it('gives a device no more than it asked for', () =>
    fc.assert(
      fc.property(historiesOf(deviceRequest, deviceCommands), (history) => {
        const state = fold(deviceRequest, deviceRequest.initial, history);
        if (state.kind !== 'approved' && state.kind !== 'redeemed') return;
        for (const one of state.approval.scopes) assert.ok(state.request.scopes.includes(one));
      }),
    ));

  it('does nothing the second time', () => {
    const repeatable = (command: { readonly type: string }): boolean => !command.type.startsWith('Redeem');
    twiceIsOnce(code, codeCommands.filter(repeatable), historiesOf(code, codeCommands));
    twiceIsOnce(deviceRequest, deviceCommands.filter(repeatable), historiesOf(deviceRequest, deviceCommands));
    twiceIsOnce(consent, consentCommands);
  });

  it('tells texts apart as === does', () =>
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        assert.equal(isSameTextConstantTime(one, other), one === other);
        assert.ok(isSameTextConstantTime(one, one));
      }),
    ));
});
