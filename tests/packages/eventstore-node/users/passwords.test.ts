import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  dummyHash,
  hashPassword,
  maxPasswordBytes,
  passwordProblem,
  verifyPassword,
} from '../../../../packages/eventstore-node/src/users/password-hash';
import { decodeUser, encodeUser } from '../../../../packages/eventstore-node/src/users/user-record';

describe('stored passwords', () => {
  it('know their own and no other', async () => {
    const stored = await hashPassword('correct horse');
    assert.equal(await verifyPassword('correct horse', stored), true);
    assert.equal(await verifyPassword('Correct horse', stored), false);
    assert.equal(await verifyPassword('correct horse', dummyHash()), false);
  });

  it('are salted', async () => {
    const [one, other] = await Promise.all([hashPassword('same'), hashPassword('same')]);
    assert.notEqual(one.salt, other.salt);
    assert.notEqual(one.hash, other.hash);
  });

  it('made by EventStoreDB are known as well', async () => {
    // PBKDF2-HMAC-SHA1, 1,000 iterations, 20 bytes: as its $UserCreated has them.
    const stored = { salt: 'AAECAwQFBgcICQoLDA0ODw==', hash: 'ESjecbuhkU3H6HH3/Q/sDBotvTI=' };
    assert.equal(await verifyPassword('changeit', stored), true);
    assert.equal(await verifyPassword('changeit!', stored), false);
  });

  it('that need too expensive hashing never match', async () => {
    const { salt, hash } = await hashPassword('secret');
    const hostile = [
      { cost: 2 ** 30, blockSize: 8, parallelization: 1 },
      { cost: 2 ** 14, blockSize: 8, parallelization: 1_000_000 },
      { cost: 2, blockSize: 2 ** 20, parallelization: 1 },
      { cost: 3, blockSize: 8, parallelization: 1 },
      { cost: -1, blockSize: 8, parallelization: 1 },
      { cost: Number.NaN, blockSize: 8, parallelization: 1 },
    ];
    for (const scrypt of hostile) assert.equal(await verifyPassword('secret', { salt, hash, scrypt }), false);
  });

  it('that are incomplete never match', async () => {
    assert.equal(await verifyPassword('', { salt: '', hash: '' }), false);
    assert.equal(await verifyPassword('', { ...dummyHash(), hash: '' }), false);
    assert.equal(await verifyPassword('', { ...dummyHash(), hash: 'A'.repeat(1_000) }), false);
  });
});

describe('new passwords', () => {
  it('are neither empty nor too long, and are not repeated in what is said of them', () => {
    const long = 'p4ss'.repeat(maxPasswordBytes);
    assert.equal(passwordProblem('a'), undefined);
    assert.match(passwordProblem('') ?? '', /empty/);
    assert.match(passwordProblem(long) ?? '', /longer/);
    assert.ok(!passwordProblem(long)?.includes('p4ss'));
  });
});

describe('a stored user', () => {
  const stored = {
    login: fc.string({ minLength: 1 }),
    fullName: fc.string(),
    groups: fc.array(fc.string()),
    disabled: fc.boolean(),
    salt: fc.base64String(),
    hash: fc.base64String(),
    scrypt: fc.record({ cost: fc.nat(), blockSize: fc.nat(), parallelization: fc.nat() }, { noNullPrototype: true }),
  };
  const users = fc.record(stored, { noNullPrototype: true });

  it('survives JSON', () => {
    fc.assert(fc.property(users, (user) => assert.deepEqual(decodeUser(encodeUser(user)), user)));
  });

  it('is none when the event holds something else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const user = decodeUser(Buffer.from(text));
        assert.ok(user === undefined || user.login !== '');
      }),
    );
  });
});
