import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { isLeft, isRight, left } from 'fp-ts/Either';
import { unavailable } from '../../../infra/adapters/vault/faults';
import { memoryKeyTable } from '../../../infra/adapters/vault/memory-vault';
import { openPostgresKeyTable } from '../../../infra/adapters/vault/postgres-key-table';
import type { KeyTable } from '../../../infra/ports/vault';
import { freshDatabase } from '../../support/servers/shared-servers';
import { keyTableContract, value } from './key-table-contract';
import { useVaultProcesses } from './vaults';

describe('keys in memory', () => keyTableContract(async () => memoryKeyTable()));

describe('keys in Postgres', function () {
  this.timeout(60_000);
  keyTableContract(async () => openPostgresKeyTable(await freshDatabase()));
});

describe('vault in Postgres', function () {
  this.timeout(60_000);
  const { place, partsOf, vaultOf, fresh, bytesOf, query } = useVaultProcesses();

  it('makes one key of a subject from many processes at once, on an empty database and an empty keystore', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => fresh().keyFor('a'.repeat(64))));
    assert.equal(new Set(keys.map((key) => value(key).bytes.toString('hex'))).size, 1);
    assert.equal(readdirSync(place.keys).length, 1);
  });

  it('keeps neither keys nor subjects as they are', async () => {
    const vault = fresh();
    const key = value(await vault.keyFor(vault.subjectOf('acme', 'person-of-interest')));
    const dump = JSON.stringify(await query('select * from septet_vault.keys'));
    for (const plain of [key.bytes.toString('hex'), key.bytes.toString('base64url'), 'person-of-interest'])
      assert.ok(!dump.includes(plain));
  });

  it('is forgotten by every process within the cache time of keys, and at once by the notified one', async () => {
    const [one, told, other] = [fresh(), fresh(), fresh(1)];
    const { id } = value(await one.keyFor('b'.repeat(64)));
    for (const vault of [told, other]) assert.notEqual(await bytesOf(vault, id), undefined);
    value(await one.erase([id]));
    assert.equal(one.peek(id), undefined);
    told.drop([id]);
    assert.equal(await bytesOf(told, id), undefined);
    assert.equal(await bytesOf(other, id), undefined);
    assert.notEqual(value(await one.keyFor('b'.repeat(64))).id, id);
  });

  it('does not take back what was read of a key just before it was erased', async () => {
    const parts = partsOf();
    const { id } = value(await fresh().keyFor('c'.repeat(64)));
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let signalRead: () => void = () => undefined;
    const reading = new Promise<void>((resolve) => {
      signalRead = resolve;
    });
    const slow: KeyTable = {
      ...parts.table,
      byId: async (key, ahead) => {
        const rows = await parts.table.byId(key, ahead);
        signalRead();
        await held;
        return rows;
      },
    };
    const vault = vaultOf({ ...parts, table: slow });
    const found = vault.find(id, false);
    await reading;
    value(await vault.erase([id]));
    letGo();
    assert.equal(value(await found).bytes, null);
    assert.equal(vault.peek(id), undefined);
  });

  it('says that Postgres is away, and goes on by itself when it is back', async () => {
    const vault = fresh();
    const { id } = value(await vault.keyFor('d'.repeat(64)));
    const cold = fresh();
    place.proxy.away();
    for (const answer of [await cold.keyFor('e'.repeat(64)), await cold.find(id, false), await fresh().erase([id])]) {
      assert.ok(isLeft(answer));
      assert.equal(answer.left.code, 'vault-unavailable');
    }
    assert.ok(isLeft(await cold.check()));
    place.proxy.back();
    assert.notEqual(await bytesOf(cold, id), undefined);
    assert.ok(isRight(await cold.check()));
  });

  it('has one key of a subject though the answer to its making was lost', async () => {
    const parts = partsOf();
    let losing = true;
    const insert: KeyTable['insert'] = async (row) => {
      const inserted = await parts.table.insert(row);
      return losing ? left(unavailable('The answer was lost.')) : inserted;
    };
    const vault = vaultOf({ ...parts, table: { ...parts.table, insert } });
    assert.ok(isLeft(await vault.keyFor('7'.repeat(64))));
    losing = false;
    const key = value(await vault.keyFor('7'.repeat(64)));
    assert.equal(value(await fresh().keyFor('7'.repeat(64))).id, key.id);
    assert.equal((await query('select * from septet_vault.keys')).length, 1);
  });

  it('does not wait for a Postgres that takes connections and says nothing', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const table = openPostgresKeyTable(`postgres://nobody@127.0.0.1:${port}/none`);
    const answer = await table.ofSubject('8'.repeat(64));
    assert.ok(isLeft(answer));
    await table.close();
    silent.close();
  });
});
