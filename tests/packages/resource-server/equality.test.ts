import assert from 'node:assert/strict';
import { compare } from './equality';

describe('our verifier and jose', () => {
  it('agree about every token, but for what we are stricter about', async function () {
    this.timeout(60_000);
    const seed = Number(process.env.EQUALITY_SEED ?? Math.floor(Math.random() * 2 ** 32));
    const { accepted, refused, stricter } = await compare(6_000, seed);
    // Neither by refusing everything nor by never meeting a difference.
    assert.ok(accepted > 600 && refused > 3_000, `seed ${seed}: ${accepted} accepted, ${refused} refused`);
    assert.ok(stricter.size >= 7, `seed ${seed}: ${[...stricter.keys()].join(', ')}`);
  });
});
