import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createPrivateKey, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isLeft, isRight } from 'fp-ts/Either';
import { openFileKeystore } from '../../../infra/adapters/kms/file-keystore';
import { unwrap, type Wrapped, wrap } from '../../../infra/adapters/kms/master-key';
import { memoryKeys } from '../../../infra/adapters/kms/memory-keystore';
import { exportPrivate, newCurveKey } from '../../../infra/adapters/kms/signing-key';
import type { Kms } from '../../../infra/ports/kms';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { typescript } from '../../support/runner/compiled';
import { kmsContract, value } from './kms-contract';

const masterKey = randomBytes(32);
const home = useTemporaryDirectory('kms');

const fresh = (): string => mkdtempSync(join(home, 'keys-'));
const opened = (directory: string): Kms => {
  const kms = openFileKeystore({ directory, masterKey });
  assert.ok(isRight(kms));
  return kms.right;
};
const made = async (directory: string): Promise<string> =>
  value(await opened(directory).create({ algorithm: 'ES256', name: '000001' })).kid;
const onlyFile = (directory: string): string => {
  const [name, ...others] = readdirSync(directory);
  assert.ok(name !== undefined && others.length === 0, 'one key file and nothing else');
  return join(directory, name);
};

describe('key service in memory', () => kmsContract(async () => memoryKeys()));

describe('key service in a directory', () => {
  kmsContract(async () => opened(fresh()));

  it('has the same keys, and derives the same secrets, after a restart', async () => {
    const directory = fresh();
    const kid = await made(directory);
    const [first, second] = [opened(directory), opened(directory)];
    assert.deepEqual(value(await first.list()), value(await second.list()));
    assert.equal(value(await second.sign(kid, Buffer.from('a'))).length, 64);
    assert.deepEqual(await first.derive('label'), await second.derive('label'));
  });

  it('signs at once with a key that another process made, and not with one that it destroyed', async () => {
    const directory = fresh();
    const [first, second] = [opened(directory), opened(directory)];
    const { kid } = value(await first.create({ algorithm: 'EdDSA', name: 'later' }));
    assert.equal(value(await second.sign(kid, Buffer.from('a'))).length, 64);
    value(await first.destroy(kid));
    assert.deepEqual(value(await second.list()), []);
    assert.ok(isLeft(await second.sign(kid, Buffer.from('a'))));
  });

  it('opens what the first version wrote, and goes on signing with it', async () => {
    const directory = fresh();
    const key = newCurveKey('ES256');
    const { kid } = key.jwk;
    const file = { version: 1, kid, ...wrap(masterKey, kid, exportPrivate(key)) };
    writeFileSync(join(directory, 'signing-key-000001.json'), JSON.stringify(file));
    const kms = opened(directory);
    assert.deepEqual(value(await kms.list()), [key.jwk]);
    assert.equal(value(await kms.sign(kid, Buffer.from('a'))).length, 64);
  });

  it('keeps no private key readable on disk, in files for their owner only', async () => {
    const directory = fresh();
    const plain = [];
    for (const algorithm of ['ES256', 'EdDSA'] as const) {
      const { kid } = value(await opened(directory).create({ algorithm, name: algorithm }));
      const path = join(directory, `signing-key-${algorithm}.json`);
      assert.equal(statSync(path).mode & 0o777, 0o600);
      const file = JSON.parse(readFileSync(path, 'utf8')) as Wrapped;
      const der = unwrap(masterKey, kid, file);
      const { d = '' } = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' });
      plain.push(der, Buffer.from(d, 'base64url'));
    }
    for (const name of readdirSync(directory)) {
      const bytes = readFileSync(join(directory, name));
      for (const secret of plain)
        for (const written of [
          secret,
          ...(['hex', 'base64', 'base64url'] as const).map((form) => secret.toString(form)),
        ])
          assert.equal(bytes.includes(written), false, `${name} shows a private key`);
    }
  });

  it('refuses another master key, saying which file and nothing of its content', async () => {
    const directory = fresh();
    await made(directory);
    const other = openFileKeystore({ directory, masterKey: randomBytes(32) });
    assert.ok(isLeft(other));
    assert.equal(
      other.left.detail,
      'The key file signing-key-000001.json is damaged or was wrapped by another master key.',
    );
  });

  it('refuses a damaged file rather than making another key', async () => {
    for (const damage of ['', '{', '{}', 'null']) {
      const directory = fresh();
      await made(directory);
      writeFileSync(onlyFile(directory), damage);
      assert.ok(isLeft(openFileKeystore({ directory, masterKey })), `accepts ${JSON.stringify(damage)}`);
    }
  });

  it('refuses a key put under the name of another', async () => {
    const directory = fresh();
    await made(directory);
    const path = onlyFile(directory);
    const file = JSON.parse(readFileSync(path, 'utf8')) as object;
    writeFileSync(path, JSON.stringify({ ...file, kid: 'another' }));
    assert.ok(isLeft(openFileKeystore({ directory, masterKey })));
  });

  it('says when its directory cannot be one', () => {
    const directory = join(fresh(), 'file');
    writeFileSync(directory, '');
    const answer = openFileKeystore({ directory, masterKey });
    assert.ok(isLeft(answer));
    assert.equal(answer.left.code, 'signing-unavailable');
  });

  it('ends with one key when several processes make it at once', async () => {
    const directory = fresh();
    const run = `
      const { openFileKeystore } = require('./infra/adapters/kms/file-keystore');
      const kms = openFileKeystore({ directory: ${JSON.stringify(directory)}, masterKey: Buffer.alloc(32, 7) });
      if (kms._tag === 'Left') throw new Error(kms.left.detail);
      kms.right.create({ algorithm: 'ES256', name: '000001' }).then((key) => process.stdout.write(key.right.kid));`;
    const starts = [1, 2, 3].map(() => promisify(execFile)(process.execPath, [...typescript(), '-e', run]));
    const kids = new Set((await Promise.all(starts)).map(({ stdout }) => stdout));
    assert.equal(kids.size, 1);
    onlyFile(directory);
  });
});
