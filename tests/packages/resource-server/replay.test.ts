import assert from 'node:assert/strict';
import { keptProofKeys } from '../../../packages/resource-server/src/verification/dpop-header';
import { left } from '../../../packages/resource-server/src/verification/either';
import { memoryReplay, sharedReplay } from '../../../packages/resource-server/src/verification/replay';
import { now, ownThumbprint, proofClaimsAt, proofKey, proofOf, proofWith, rules, shown } from './proofs';

describe('what is remembered of proofs', () => {
  const other = proofKey();
  const away = { first: async () => left('away') };

  it('counts for as long as they do, and no longer', async () => {
    const clock = { now: 0 };
    const replay = memoryReplay(() => clock.now);
    assert.deepEqual(await replay.first('a', 1_000), { _tag: 'Right', right: true });
    clock.now = 999;
    assert.deepEqual(await replay.first('a', 1_000), { _tag: 'Right', right: false });
    clock.now = 1_000;
    assert.deepEqual(await replay.first('a', 1_000), { _tag: 'Right', right: true });
  });
  it('admits that it is full rather than forget', async () => {
    const replay = memoryReplay(() => now, 2);
    await replay.first('a', 1_000);
    await replay.first('b', 1_000);
    assert.equal((await replay.first('c', 1_000))._tag, 'Left');
    assert.equal(await shown(proofOf(), {}, rules({ replay })), 'unavailable: replay');
  });
  it('is shared between servers', async () => {
    const shared = memoryReplay(() => now);
    const [one, two] = [sharedReplay(shared, () => undefined), sharedReplay(shared, () => undefined)];
    assert.deepEqual(await one.first('a', 1_000), { _tag: 'Right', right: true });
    assert.deepEqual(await two.first('a', 1_000), { _tag: 'Right', right: false });
  });
  it('is this server’s own while the store is away, which is told', async () => {
    const told: string[] = [];
    const replay = sharedReplay(
      away,
      () => void told.push('away'),
      memoryReplay(() => now),
    );
    const proof = proofOf();
    assert.equal(await shown(proof, {}, rules({ replay })), ownThumbprint);
    assert.equal(await shown(proof, {}, rules({ replay })), 'invalid: replay');
    assert.deepEqual(told, ['away']);
  });
  for (const [what, first] of [
    ['fails', async () => assert.fail('broken')],
    ['says nothing', () => new Promise<never>(() => undefined)],
  ] as const)
    it(`does not depend on a store that ${what}`, async () => {
      const replay = sharedReplay({ first }, () => undefined);
      assert.deepEqual(await replay.first('a', 1_000), { _tag: 'Right', right: true });
      assert.deepEqual(await replay.first('a', 1_000), { _tag: 'Right', right: false });
    });
  it('fails closed where there is nothing else', async () =>
    assert.equal(await shown(proofOf(), {}, rules({ replay: away })), 'unavailable: replay'));
  it('keeps so many keys, and only of proofs that fitted', async () => {
    const keys = keptProofKeys(1);
    const [header = ''] = proofOf().split('.');
    await shown(proofOf({}, { jwk: other.jwk }), {}, rules({ keys }));
    await shown(proofOf(), {}, rules({ keys }));
    assert.ok(keys.find(header));
    await shown(proofWith(other, proofClaimsAt(now)), {}, rules({ keys }));
    assert.equal(keys.find(header), undefined);
  });
});
