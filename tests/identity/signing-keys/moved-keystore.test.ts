import assert from 'node:assert/strict';
import { rotateIfDue } from '../../../commands/identity/signing-keys/rotation-job';
import { memoryKeys } from '../../../infra/kms/memory-keystore';
import { answered, openWorld } from './signing-processes';

const kidsOf = (keys: readonly { readonly kid: string }[]): readonly string[] => keys.map(({ kid }) => kid);

describe('keys that moved to another keystore', () => {
  it('are replaced at once; what they signed counts until it has expired', async () => {
    const world = openWorld();
    const before = answered(await world.member().signer.activeKey());
    const moved = world.member({ ...memoryKeys(), keystore: 'pkcs11:device' });
    const now = await moved.tend();
    assert.equal(answered(await moved.signer.activeKey()).kid, now);
    assert.deepEqual(kidsOf(answered(await moved.signer.publicKeys())), [before.kid, now]);
    assert.equal(await moved.tend(), undefined);
  });

  it('are not taken back by a process that still has the configuration before', async () => {
    const world = openWorld();
    const before = world.member();
    answered(await before.signer.activeKey());
    const moved = await world.member({ ...memoryKeys(), keystore: 'pkcs11:device' }).tend();
    assert.equal(answered(await rotateIfDue(before.deps, false)), undefined);
    assert.equal(answered(await before.signer.activeKey()).kid, moved);
  });

  it('are not if the keystore has the same name: another installation may sign with them', async () => {
    const world = openWorld();
    const before = answered(await world.member().signer.activeKey());
    const other = world.member(memoryKeys());
    await other.tend();
    assert.equal(answered(await other.signer.activeKey()).kid, before.kid);
  });
});
