/** Master keys: changed while the vault serves, and refused when they are not the right ones. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { openLocalWrapping } from '../../../infra/adapters/vault/local-key-wrapping';
import { retireMasterKeys, rotateMasterKey } from '../../../infra/adapters/vault/rotate-master-key';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { value } from './key-table-contract';
import { masterKey, useVaultProcesses } from './vaults';

describe('master keys of the vault', function () {
  this.timeout(60_000);
  const { place, partsOf, vaultOf, fresh, bytesOf, query } = useVaultProcesses();

  it('changes its master key while others make, read and erase keys, and loses none', async () => {
    const writer = fresh();
    const storedKeys = new Map<string, string>();
    const erased: string[] = [];
    const work = async (index: number): Promise<void> => {
      const key = value(await writer.keyFor(writer.subjectOf('acme', `p-${index}`)));
      if (index % 5 !== 0) return void storedKeys.set(key.id, key.bytes.toString('hex'));
      erased.push(key.id);
      value(await writer.erase([key.id]));
    };
    for (let index = 0; index < 50; index += 1) await work(index);
    const writing = Promise.all(Array.from({ length: 100 }, (_, index) => work(50 + index)));
    const rotated = value(await rotateMasterKey(partsOf()));
    await writing;
    value(await rotateMasterKey(partsOf()));
    assert.ok(rotated.keys > 0);
    const masters = value(await partsOf().table.masters());
    assert.deepEqual(
      masters.filter(({ active, keys }) => !active && keys > 0),
      [],
    );
    assert.equal(value(await retireMasterKeys(partsOf())).length, 2);
    assert.equal(readdirSync(place.keys).length, 1);
    const reader = fresh();
    for (const [id, bytes] of storedKeys) assert.equal(await bytesOf(reader, id), bytes);
    for (const id of erased) assert.equal(await bytesOf(reader, id), undefined);
    assert.equal(
      value(await reader.keyFor(reader.subjectOf('acme', 'p-1'))).bytes.toString('hex'),
      [...storedKeys.values()][0],
    );
  });

  it('does not rotate twice at once', async () => {
    const parts = partsOf();
    value(await vaultOf(parts).keyFor(randomUUID()));
    const second = await parts.table.alone(() => rotateMasterKey(partsOf()));
    const answer = value(second);
    assert.ok(answer !== undefined && isLeft(answer));
  });

  it('refuses another master key, saying which file, and destroys nothing', async () => {
    const { id, bytes } = value(await fresh().keyFor('f'.repeat(64)));
    const wrong = partsOf(randomBytes(32));
    const vault = vaultOf(wrong);
    const refusal = 'The key file vault-key-000001.json is damaged or was wrapped by another master key.';
    for (const answer of [await vault.find(id, false), await vault.keyFor('0'.repeat(64)), await vault.check()]) {
      assert.ok(isLeft(answer));
      assert.equal(answer.left.detail, refusal);
    }
    assert.ok(isLeft(await rotateMasterKey(wrong)));
    assert.deepEqual(readdirSync(place.keys), ['vault-key-000001.json']);
    assert.equal(await bytesOf(fresh(), id), bytes.toString('hex'));
  });

  it('refuses a keystore that lacks the master key instead of making another', async () => {
    value(await fresh().keyFor('1'.repeat(64)));
    const elsewhere = temporaryDirectory('vault-elsewhere');
    try {
      const wrapping = openLocalWrapping({ directory: elsewhere.path, masterKey });
      const answer = await vaultOf({ ...partsOf(), wrapping }).keyFor('2'.repeat(64));
      assert.ok(isLeft(answer) && /keystore lacks the vault's master key/.test(answer.left.detail));
      assert.deepEqual(readdirSync(elsewhere.path), []);
    } finally {
      elsewhere.remove();
    }
  });

  it('refuses a wrapped key that was changed, or put in the place of another subject', async () => {
    const [one, other] = [value(await fresh().keyFor('3'.repeat(64))), value(await fresh().keyFor('4'.repeat(64)))];
    await query(`update septet_vault.keys k set wrapped = o.wrapped from septet_vault.keys o
      where k.id = '${one.id}' and o.id = '${other.id}'`);
    const answer = await fresh().find(one.id, false);
    assert.ok(isLeft(answer) && /was changed, or belongs to another subject/.test(answer.left.detail));
    assert.equal(await bytesOf(fresh(), other.id), other.bytes.toString('hex'));
  });

  it('refuses a damaged master file rather than making another', async () => {
    value(await fresh().keyFor('5'.repeat(64)));
    writeFileSync(join(place.keys, 'vault-key-000001.json'), '{');
    assert.ok(isLeft(await fresh().keyFor('6'.repeat(64))));
    assert.equal(readFileSync(join(place.keys, 'vault-key-000001.json'), 'utf8'), '{');
  });
});
