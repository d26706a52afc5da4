import assert from 'node:assert/strict';
import { rotateIfDue } from '../../../commands/identity/signing-keys/rotation-job';
import { memoryKeys } from '../../../infra/adapters/kms/memory-keystore';
import { accessTokenKids, answered, openWorld } from './signing-processes';

describe('keys that moved to another keystore', () => {
  it('are replaced at once; what they signed counts until it has expired', async () => {
    const world = openWorld();
    const before = answered(await world.member().signer.activeKey('access-token'));
    const moved = world.member({ ...memoryKeys(), keystore: 'pkcs11:device' });
    const now = await moved.tend();
    assert.equal(answered(await moved.signer.activeKey('access-token')).kid, now);
    assert.deepEqual(accessTokenKids(answered(await moved.signer.publicKeys())), [before.kid, now]);
    assert.equal(await moved.tend(), undefined);
  });

  it('are not taken back by a process that still has the configuration before', async () => {
    const world = openWorld();
    const before = world.member();
    answered(await before.signer.activeKey('access-token'));
    const moved = await world.member({ ...memoryKeys(), keystore: 'pkcs11:device' }).tend();
    assert.equal(answered(await rotateIfDue(before.deps, false)), undefined);
    assert.equal(answered(await before.signer.activeKey('access-token')).kid, moved);
  });

  it('are not if the keystore has the same name: another installation may sign with them', async () => {
    const world = openWorld();
    const before = answered(await world.member().signer.activeKey('access-token'));
    const other = world.member(memoryKeys());
    await other.tend();
    assert.equal(answered(await other.signer.activeKey('access-token')).kid, before.kid);
  });
});
