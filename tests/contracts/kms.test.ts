import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createPrivateKey, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isLeft, isRight } from 'fp-ts/Either';
import { openLocalKms } from '../../infra/kms/local';
import { MasterKeyText } from '../../infra/kms/master-key';
import { memoryKms } from '../../infra/kms/memory';
import type { Kms } from '../../infra/ports/kms';
import { kmsContract } from './kms';

const masterKey = randomBytes(32);
const home = mkdtempSync(join(tmpdir(), 'septet-kms-'));
after(() => rmSync(home, { recursive: true, force: true }));

const fresh = (): string => mkdtempSync(join(home, 'keys-'));
const opened = (directory: string): Kms => {
  const kms = openLocalKms({ directory, masterKey });
  assert.ok(isRight(kms));
  return kms.right;
};
const activeKid = async (kms: Kms): Promise<string> => {
  const key = await kms.activeKey();
  assert.ok(isRight(key));
  return key.right.kid;
};
const onlyFile = (directory: string): string => {
  const [name, ...others] = readdirSync(directory);
  assert.ok(name !== undefined && others.length === 0, 'one key file and nothing else');
  return join(directory, name);
};

describe('key service in memory', () => kmsContract(async () => memoryKms()));

describe('key service in a directory', () => {
  kmsContract(async () => opened(fresh()));

  it('has the same key, and derives the same secrets, after a restart', async () => {
    const directory = fresh();
    const [first, second] = [opened(directory), opened(directory)];
    assert.equal(await activeKid(first), await activeKid(second));
    assert.deepEqual(await first.derive('label'), await second.derive('label'));
  });

  it('keeps no private key readable on disk, in a file for its owner only', () => {
    const directory = fresh();
    opened(directory);
    const path = onlyFile(directory);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const { ciphertext } = JSON.parse(readFileSync(path, 'utf8')) as { ciphertext: string };
    const key = Buffer.from(ciphertext, 'base64url');
    assert.throws(() => createPrivateKey({ key, format: 'der', type: 'pkcs8' }));
  });

  it('refuses another master key, saying which file and nothing of its content', () => {
    const directory = fresh();
    opened(directory);
    const other = openLocalKms({ directory, masterKey: randomBytes(32) });
    assert.ok(isLeft(other));
    assert.equal(
      other.left.detail,
      'The key file signing-key-000001.json is damaged or was wrapped by another master key.',
    );
  });

  it('refuses a damaged file rather than making another key', () => {
    for (const damage of ['', '{', '{}', 'null']) {
      const directory = fresh();
      opened(directory);
      writeFileSync(onlyFile(directory), damage);
      assert.ok(isLeft(openLocalKms({ directory, masterKey })), `accepts ${JSON.stringify(damage)}`);
    }
  });

  it('refuses a key put under the name of another', () => {
    const directory = fresh();
    opened(directory);
    const path = onlyFile(directory);
    const file = JSON.parse(readFileSync(path, 'utf8')) as object;
    writeFileSync(path, JSON.stringify({ ...file, kid: 'another' }));
    assert.ok(isLeft(openLocalKms({ directory, masterKey })));
  });

  it('says when its directory cannot be one', () => {
    const directory = join(fresh(), 'file');
    writeFileSync(directory, '');
    const answer = openLocalKms({ directory, masterKey });
    assert.ok(isLeft(answer));
    assert.equal(answer.left.code, 'signing-unavailable');
  });

  it('ends with one key when several processes start at once', async () => {
    const directory = fresh();
    const run = `
      const { openLocalKms } = require('./infra/kms/local');
      const kms = openLocalKms({ directory: ${JSON.stringify(directory)}, masterKey: Buffer.alloc(32, 7) });
      if (kms._tag === 'Left') throw new Error(kms.left.detail);
      kms.right.activeKey().then((key) => process.stdout.write(key.right.kid));`;
    const starts = [1, 2, 3].map(() => promisify(execFile)(process.execPath, ['-r', 'tsx/cjs', '-e', run]));
    const kids = new Set((await Promise.all(starts)).map(({ stdout }) => stdout));
    assert.equal(kids.size, 1);
    onlyFile(directory);
  });
});

describe('master key', () => {
  it('is 32 bytes of base64url and nothing else', () => {
    assert.ok(isRight(MasterKeyText.decode(masterKey.toString('base64url'))));
    for (const wrong of [
      '',
      'short',
      masterKey.toString('hex'),
      `${masterKey.toString('base64url')}=`,
      randomBytes(31).toString('base64url'),
    ])
      assert.ok(isLeft(MasterKeyText.decode(wrong)));
  });
});
