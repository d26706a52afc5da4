import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { derivedNonces } from '../../../packages/resource-server/src/dpop/nonce';
import { now, outcomeOf, ownThumbprint, proofOf, rules } from './proofs';

describe('nonces of proofs', () => {
  const nonces = derivedNonces(createSecretKey(Buffer.from('secret')));
  const rulesWithNonces = () => rules({ nonces });

  it('asks for one, and takes its own', async () => {
    assert.equal(await outcomeOf(proofOf(), {}, rulesWithNonces()), 'nonce-wanted: nonce');
    assert.equal(await outcomeOf(proofOf({ nonce: nonces.current(now) }), {}, rulesWithNonces()), ownThumbprint);
  });
  it('takes those of the minutes beside it, as servers differ in time, and no others', async () => {
    for (const away of [-60_000, 60_000])
      assert.equal(
        await outcomeOf(proofOf({ nonce: nonces.current(now + away) }), {}, rulesWithNonces()),
        ownThumbprint,
      );
    for (const away of [-120_000, 120_000])
      assert.equal(
        await outcomeOf(proofOf({ nonce: nonces.current(now + away) }), {}, rulesWithNonces()),
        'nonce-wanted: nonce',
      );
  });
  it('takes those of servers that share its secret only', async () => {
    const same = derivedNonces(createSecretKey(Buffer.from('secret')));
    const stranger = derivedNonces(createSecretKey(Buffer.from('another')));
    assert.equal(await outcomeOf(proofOf({ nonce: same.current(now) }), {}, rulesWithNonces()), ownThumbprint);
    assert.equal(
      await outcomeOf(proofOf({ nonce: stranger.current(now) }), {}, rulesWithNonces()),
      'nonce-wanted: nonce',
    );
  });
  it('does without where that is said, but not with a wrong one', async () => {
    const optional = rules({ nonces, nonceOptional: true });
    assert.equal(await outcomeOf(proofOf(), {}, optional), ownThumbprint);
    assert.equal(await outcomeOf(proofOf({ nonce: 'invented' }), {}, optional), 'nonce-wanted: nonce');
  });
  it('does not make a proof of one that was shown', async () => {
    const once = rulesWithNonces();
    const proof = proofOf({ nonce: nonces.current(now) });
    assert.equal(await outcomeOf(proof, {}, once), ownThumbprint);
    assert.equal(await outcomeOf(proof, {}, once), 'invalid: replay');
  });
});
