import assert from 'node:assert/strict';
import { createProofKeyCache } from '../../../packages/resource-server/src/dpop/proof';
import { memoryReplayCache, sharedReplayCache } from '../../../packages/resource-server/src/dpop/replay-cache';
import { left } from '../../../packages/resource-server/src/verification/either';
import { now, outcomeOf, ownThumbprint, proofClaimsAt, proofKey, proofOf, proofWith, rules } from './proofs';

describe('what is remembered of proofs', () => {
  const other = proofKey();
  const away = { first: async () => left('away') };

  it('counts for as long as they do, and no longer', async () => {
    const clock = { now: 0 };
    const replay = memoryReplayCache(() => clock.now);
    assert.deepEqual(await replay.first('a', 1_000), { _tag: 'Right', right: true });
    clock.now = 999;
    assert.deepEqual(await replay.first('a', 1_000), { _tag: 'Right', right: false });
    clock.now = 1_000;
    assert.deepEqual(await replay.first('a', 1_000), { _tag: 'Right', right: true });
  });
  it('admits that it is full rather than forget', async () => {
    const replay = memoryReplayCache(() => now, 2);
    await replay.first('a', 1_000);
    await replay.first('b', 1_000);
    assert.equal((await replay.first('c', 1_000))._tag, 'Left');
    assert.equal(await outcomeOf(proofOf(), {}, rules({ replay })), 'unavailable: replay');
  });
  it('is shared between servers', async () => {
    const shared = memoryReplayCache(() => now);
    const [one, two] = [sharedReplayCache(shared, () => undefined), sharedReplayCache(shared, () => undefined)];
    assert.deepEqual(await one.first('a', 1_000), { _tag: 'Right', right: true });
    assert.deepEqual(await two.first('a', 1_000), { _tag: 'Right', right: false });
  });
  it('is local while the store is unavailable, which is reported', async () => {
    const notifications: string[] = [];
    const replay = sharedReplayCache(
      away,
      () => void notifications.push('away'),
      memoryReplayCache(() => now),
    );
    const proof = proofOf();
    assert.equal(await outcomeOf(proof, {}, rules({ replay })), ownThumbprint);
    assert.equal(await outcomeOf(proof, {}, rules({ replay })), 'invalid: replay');
    assert.deepEqual(notifications, ['away']);
  });
  for (const [what, first] of [
    ['fails', async () => assert.fail('broken')],
    ['says nothing', () => new Promise<never>(() => undefined)],
  ] as const)
    it(`does not depend on a store that ${what}`, async () => {
      const replay = sharedReplayCache({ first }, () => undefined);
      assert.deepEqual(await replay.first('a', 1_000), { _tag: 'Right', right: true });
      assert.deepEqual(await replay.first('a', 1_000), { _tag: 'Right', right: false });
    });
  it('fails closed where there is nothing else', async () =>
    assert.equal(await outcomeOf(proofOf(), {}, rules({ replay: away })), 'unavailable: replay'));
  it('keeps so many keys, and only of proofs that fitted', async () => {
    const keys = createProofKeyCache(1);
    const [header = ''] = proofOf().split('.');
    await outcomeOf(proofOf({}, { jwk: other.jwk }), {}, rules({ keys }));
    await outcomeOf(proofOf(), {}, rules({ keys }));
    assert.ok(keys.find(header));
    await outcomeOf(proofWith(other, proofClaimsAt(now)), {}, rules({ keys }));
    assert.equal(keys.find(header), undefined);
  });
});
