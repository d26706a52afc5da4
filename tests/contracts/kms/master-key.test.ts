import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft, isRight } from 'fp-ts/Either';
import { openFileKeystore } from '../../../infra/adapters/kms/file-keystore';
import { type MasterKey, MasterKeyText } from '../../../infra/adapters/kms/master-key';
import { rewrapKeys } from '../../../infra/adapters/kms/rewrap-keys';
import { openLocalWrapping } from '../../../infra/adapters/vault/local-key-wrapping';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { value } from './kms-contract';

const masterKey = randomBytes(32);

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

describe('another master key', () => {
  const next = randomBytes(32);
  const home = useTemporaryDirectory('rewrap');

  /** Two signing keys, two of the vault's, and what is answered with them. */
  const filled = async () => {
    const directory = mkdtempSync(join(home, 'keys-'));
    const kms = value(openFileKeystore({ directory, masterKey }));
    for (const algorithm of ['ES256', 'EdDSA'] as const) value(await kms.create({ algorithm, name: algorithm }));
    const wrapping = openLocalWrapping({ directory, masterKey });
    const masters = [value(await wrapping.newest()), value(await wrapping.make())];
    const sealed = await Promise.all(
      masters.map(async (id) => value(await wrapping.wrap(id, 'name', Buffer.from(id)))),
    );
    return { directory, keys: value(await kms.list()), masters, sealed, derived: value(await kms.derive('["a"]')) };
  };
  type Filled = Awaited<ReturnType<typeof filled>>;

  const opens = async ({ directory, keys, masters, sealed, derived }: Filled, by: MasterKey): Promise<void> => {
    const kms = value(openFileKeystore({ directory, masterKey: by }));
    assert.deepEqual(value(await kms.list()), keys);
    for (const { kid } of keys) assert.equal(value(await kms.sign(kid, Buffer.from('a'))).length, 64);
    assert.equal(value(await kms.derive('["a"]')), derived);
    const wrapping = openLocalWrapping({ directory, masterKey: by });
    for (const [index, id] of masters.entries())
      assert.equal(value(await wrapping.unwrap(id, 'name', sealed[index] ?? '')).toString(), id);
  };

  it('opens everything, and what was derived stays what it was', async () => {
    const before = await filled();
    assert.equal(value(rewrapKeys({ directory: before.directory, masterKey }, next)), 4);
    await opens(before, next);
    assert.ok(isLeft(openFileKeystore({ directory: before.directory, masterKey })));
  });

  it('takes the place of one that took the place of one', async () => {
    const before = await filled();
    const [second, third] = [next, randomBytes(32)];
    value(rewrapKeys({ directory: before.directory, masterKey }, second));
    assert.equal(value(rewrapKeys({ directory: before.directory, masterKey: second }, third)), 5);
    await opens(before, third);
  });

  it('goes on where it was cut off', async () => {
    const before = await filled();
    const { directory } = before;
    const read = (name: string): Buffer => readFileSync(join(directory, name));
    const old = new Map(readdirSync(directory).map((name) => [name, read(name)]));
    value(rewrapKeys({ directory, masterKey }, next));
    for (const name of [...old.keys()].slice(2)) writeFileSync(join(directory, name), old.get(name) ?? '');
    assert.equal(value(rewrapKeys({ directory, masterKey }, next)), 2);
    assert.equal(value(rewrapKeys({ directory, masterKey }, next)), 0);
    await opens(before, next);
  });

  it('changes nothing while there is a file that cannot be read', async () => {
    const before = await filled();
    writeFileSync(join(before.directory, 'vault-key-000009.json'), '{"version":1}');
    const refused = rewrapKeys({ directory: before.directory, masterKey }, next);
    assert.ok(isLeft(refused));
    assert.match(refused.left.detail, /vault-key-000009/);
    rmSync(join(before.directory, 'vault-key-000009.json'));
    await opens(before, masterKey);
  });

  it('is refused by files of another installation', async () => {
    const { directory } = await filled();
    const refused = rewrapKeys({ directory, masterKey: randomBytes(32) }, next);
    assert.ok(isLeft(refused));
    assert.match(refused.left.detail, /opens with neither master key/);
  });
});
