import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { derivedNonces } from '../../../packages/resource-server/src/dpop/nonce';
import { now, ownThumbprint, proofOf, rules, shown } from './proofs';

describe('nonces of proofs', () => {
  const nonces = derivedNonces(createSecretKey(Buffer.from('secret')));
  const asked = () => rules({ nonces });

  it('asks for one, and takes its own', async () => {
    assert.equal(await shown(proofOf(), {}, asked()), 'nonce-wanted: nonce');
    assert.equal(await shown(proofOf({ nonce: nonces.current(now) }), {}, asked()), ownThumbprint);
  });
  it('takes those of the minutes beside it, as servers differ in time, and no others', async () => {
    for (const away of [-60_000, 60_000])
      assert.equal(await shown(proofOf({ nonce: nonces.current(now + away) }), {}, asked()), ownThumbprint);
    for (const away of [-120_000, 120_000])
      assert.equal(await shown(proofOf({ nonce: nonces.current(now + away) }), {}, asked()), 'nonce-wanted: nonce');
  });
  it('takes those of servers that share its secret only', async () => {
    const same = derivedNonces(createSecretKey(Buffer.from('secret')));
    const stranger = derivedNonces(createSecretKey(Buffer.from('another')));
    assert.equal(await shown(proofOf({ nonce: same.current(now) }), {}, asked()), ownThumbprint);
    assert.equal(await shown(proofOf({ nonce: stranger.current(now) }), {}, asked()), 'nonce-wanted: nonce');
  });
  it('does without where that is said, but not with a wrong one', async () => {
    const optional = rules({ nonces, nonceOptional: true });
    assert.equal(await shown(proofOf(), {}, optional), ownThumbprint);
    assert.equal(await shown(proofOf({ nonce: 'invented' }), {}, optional), 'nonce-wanted: nonce');
  });
  it('does not make a proof of one that was shown', async () => {
    const once = asked();
    const proof = proofOf({ nonce: nonces.current(now) });
    assert.equal(await shown(proof, {}, once), ownThumbprint);
    assert.equal(await shown(proof, {}, once), 'invalid: replay');
  });
});
