import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import { createPasswordHasher } from '../../../commands/identity/sign-in/password-hashing';
import { base32, findTimeStep, keyUri, totpAt } from '../../../commands/identity/sign-in/second-factor/totp';

const seed = Buffer.from('12345678901234567890');

describe('one-time codes', () => {
  it('are those of RFC 6238, appendix B', () => {
    const vectors: readonly (readonly [number, string])[] = [
      [59, '94287082'],
      [1111111109, '07081804'],
      [1111111111, '14050471'],
      [1234567890, '89005924'],
      [2000000000, '69279037'],
      [20000000000, '65353130'],
    ];
    for (const [seconds, code] of vectors) assert.equal(totpAt(seed, Math.floor(seconds / 30), 8), code);
  });

  it('hold for the step before and the one after, and no further', () => {
    const now = 1_111_111_111_000;
    const step = Math.floor(now / 30_000);
    for (const near of [step - 1, step, step + 1]) assert.equal(findTimeStep(seed, totpAt(seed, near), now), near);
    for (const far of [step - 2, step + 2]) assert.equal(findTimeStep(seed, totpAt(seed, far), now), undefined);
    for (const none of ['', '12345', '1234567', 'abcdef', '０１２３４５'])
      assert.equal(findTimeStep(seed, none, now), undefined);
  });

  it('come of a key that apps can read', () => {
    assert.equal(base32(Buffer.from('foobar')), 'MZXW6YTBOI');
    assert.equal(base32(seed), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    assert.equal(
      keyUri(seed, 'Septet', 'ada@example.org'),
      'otpauth://totp/Septet:ada%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Septet',
    );
  });
});

describe('passwords at rest', () => {
  const cheap = { power: 10, blocks: 8, lanes: 1 };

  it('fit themselves however they were typed, and nothing else', async () => {
    const passwords = createPasswordHasher(cheap);
    const hash = await passwords.hash('ﬁne Åpples here');
    assert.ok(isRight(hash) && /^scrypt\$10\$8\$1\$/.test(hash.right));
    const fits = async (one: string, against: string | undefined) => {
      const found = await passwords.verify(one, against);
      assert.ok(isRight(found));
      return found.right;
    };
    assert.equal(await fits('fine Åpples here', hash.right), true);
    assert.equal(await fits('fine apples here', hash.right), false);
    for (const none of [undefined, '', 'plain', 'scrypt$1$1$1$x$y']) assert.equal(await fits('anything', none), false);
  });

  it('are refused beyond a short queue, which then empties', async () => {
    const passwords = createPasswordHasher(cheap);
    const answers = await Promise.all(Array.from({ length: 40 }, () => passwords.verify('a', undefined)));
    assert.equal(answers.filter(isLeft).length, 22);
    assert.ok(isRight(await passwords.verify('a', undefined)));
  });
});
