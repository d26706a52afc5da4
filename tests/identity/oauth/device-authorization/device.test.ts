import { deviceRequest } from '../../../../domain/identity/device-authorization/decider';
import type { DeviceRequestEvent } from '../../../../domain/identity/device-authorization/events';
import type { PrincipalId } from '../../../../domain/kernel/ids';
import { plusSeconds } from '../../../../domain/kernel/instant';
import { given } from '../../../kernel/domain/given-when-then';
import { noon, principalId, scope } from '../../examples';
import { approval, deviceId, grantId, key, redeemDevice, requestDevice } from '../authorization/examples';

const { type: _, ...data } = requestDevice();
const requested: DeviceRequestEvent = { type: 'DeviceRequested', data };
const approve = { type: 'ApproveDevice', ...approval() } as const;
const approved: DeviceRequestEvent = { type: 'DeviceApproved', data: approval() };
const deniedAt = plusSeconds(noon, 10);
const deny = { type: 'DenyDevice', deviceId, principalId, at: deniedAt } as const;
const denied: DeviceRequestEvent = { type: 'DeviceDenied', data: { deviceId, principalId, deniedAt } };
const redeemed: DeviceRequestEvent = {
  type: 'DeviceRedeemed',
  data: { deviceId, principalId, grantId, redeemedAt: plusSeconds(noon, 20) },
};
const recordReplay = { type: 'RecordDeviceReplay', deviceId, at: plusSeconds(noon, 30) } as const;
const replayed: DeviceRequestEvent = {
  type: 'DeviceReplayed',
  data: { deviceId, principalId, grantId, replayedAt: plusSeconds(noon, 30) },
};
const over = plusSeconds(noon, 600);

describe('asking for a device', () => {
  it('asks', () => given(deviceRequest).when(requestDevice()).then(requested));
  it('does nothing the second time', () => given(deviceRequest, requested).when(requestDevice()).thenNothing());
  it('refuses a code that another device has', () =>
    given(deviceRequest, requested)
      .when(requestDevice({ secretHash: '0'.repeat(64) }))
      .rejects('device-code-taken'));
});

describe('answering a device', () => {
  it('approves it', () => given(deviceRequest, requested).when(approve).then(approved));
  it('approves no more than was asked for', () =>
    given(deviceRequest, requested)
      .when({ ...approve, scopes: [scope('principals:read'), scope('principals:write')] })
      .then(approved));
  it('approves once', () => given(deviceRequest, requested, approved).when(approve).thenNothing());
  it('refuses a second person', () =>
    given(deviceRequest, requested, approved)
      .when({ ...approve, principalId: 'p-2' as PrincipalId })
      .rejects('device-answered'));
  it('denies it', () => given(deviceRequest, requested).when(deny).then(denied));
  it('denies once', () => given(deviceRequest, requested, denied).when(deny).thenNothing());
  it('changes no answer', () => {
    given(deviceRequest, requested, denied).when(approve).rejects('device-answered');
    given(deviceRequest, requested, approved).when(deny).rejects('device-answered');
    given(deviceRequest, requested, approved, redeemed).when(deny).rejects('device-answered');
  });
  it('refuses an unknown request', () => {
    given(deviceRequest).when(approve).rejects('device-unknown');
    given(deviceRequest).when(deny).rejects('device-unknown');
  });
  it('refuses what is over', () => {
    given(deviceRequest, requested)
      .when({ ...approve, approvedAt: over })
      .rejects('device-expired');
    given(deviceRequest, requested)
      .when({ ...deny, at: over })
      .rejects('device-expired');
  });
});

describe('redeeming a device', () => {
  it('redeems it', () => given(deviceRequest, requested, approved).when(redeemDevice()).then(redeemed));
  it('refuses it the second time', () =>
    given(deviceRequest, requested, approved, redeemed)
      .when(redeemDevice({ at: plusSeconds(noon, 60) }))
      .rejects('device-used'));
  it('refuses two uses at once, which are no replay', () =>
    given(deviceRequest, requested, approved, redeemed).when(redeemDevice()).rejects('device-used-just-now'));
  it('reports a reuse once, and nothing before a redemption', () => {
    given(deviceRequest, requested, approved, redeemed).when(recordReplay).then(replayed);
    given(deviceRequest, requested, approved, redeemed, replayed).when(recordReplay).thenNothing();
    for (const history of [[], [requested], [requested, approved], [requested, denied]])
      given(deviceRequest, ...history)
        .when(recordReplay)
        .rejects('device-unknown');
  });
  it('waits for an answer', () => given(deviceRequest, requested).when(redeemDevice()).rejects('device-pending'));
  it('says that it was denied', () =>
    given(deviceRequest, requested, denied).when(redeemDevice()).rejects('device-denied'));
  it('refuses what is over, answered or not', () => {
    given(deviceRequest, requested)
      .when(redeemDevice({ at: over }))
      .rejects('device-expired');
    given(deviceRequest, requested, approved)
      .when(redeemDevice({ at: over }))
      .rejects('device-expired');
  });
  it('tells nothing to who does not know the secret, nor to another client', () => {
    for (const history of [[], [requested], [requested, approved], [requested, denied]]) {
      given(deviceRequest, ...history)
        .when(redeemDevice({ secretHash: '0'.repeat(64) }))
        .rejects('device-unknown');
      given(deviceRequest, ...history)
        .when(redeemDevice({ clientId: 'acme~app-2' }))
        .rejects('device-unknown');
    }
  });
  it('asks for the DPoP key that it is bound to', () =>
    given(deviceRequest, { ...requested, data: { ...data, jkt: key } }, approved)
      .when(redeemDevice())
      .rejects('key-differs'));
});
