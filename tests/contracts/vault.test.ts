import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft, isRight } from 'fp-ts/Either';
import { Client } from 'pg';
import type { KeyTable, Vault } from '../../infra/ports/vault';
import { openLocalWrapping } from '../../infra/vault/local-wrapping';
import { memoryKeyTable } from '../../infra/vault/memory';
import { openPostgresKeyTable } from '../../infra/vault/postgres';
import { retire, rotate } from '../../infra/vault/rotate';
import { openVault, type VaultParts } from '../../infra/vault/vault';
import { temporaryDirectory } from '../support/event-store-node';
import { openProxy, type ServerProxy } from '../support/proxy';
import { freshDatabase } from '../support/servers';
import { keyTableContract, value } from './vault';

describe('keys in memory', () => keyTableContract(async () => memoryKeyTable()));

describe('keys in Postgres', function () {
  this.timeout(60_000);
  keyTableContract(async () => openPostgresKeyTable(await freshDatabase()));
});

describe('vault in Postgres', function () {
  this.timeout(60_000);
  const masterKey = randomBytes(32);
  const opened: (KeyTable | Vault)[] = [];
  let home: ReturnType<typeof temporaryDirectory>;
  let url: string;
  let proxy: ServerProxy;
  beforeEach(async () => {
    home = temporaryDirectory('vault');
    url = await freshDatabase();
    proxy = await openProxy(url);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
    await proxy.close();
    home.remove();
  });

  const partsOf = (key = masterKey, address = proxy.url): VaultParts => {
    const table = openPostgresKeyTable(address);
    opened.push(table);
    return { table, wrapping: openLocalWrapping({ directory: home.path, masterKey: key }) };
  };
  const vaultOf = (parts: VaultParts, lifetime?: number): Vault => {
    const vault = openVault({ ...parts, table: { ...parts.table, close: async () => undefined } }, lifetime);
    opened.push(vault);
    return vault;
  };
  /** A process of its own, that holds nothing. */
  const fresh = (lifetime?: number): Vault => vaultOf(partsOf(), lifetime);
  const bytesOf = async (vault: Vault, id: string): Promise<string | undefined> =>
    value(await vault.find(id, false)).bytes?.toString('hex');
  const query = async (text: string): Promise<readonly Record<string, unknown>[]> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  };

  it('makes one key of a subject from many processes at once, on an empty database and an empty keystore', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => fresh().keyFor('a'.repeat(64))));
    assert.equal(new Set(keys.map((key) => value(key).bytes.toString('hex'))).size, 1);
    assert.equal(readdirSync(home.path).length, 1);
  });

  it('keeps neither keys nor subjects as they are', async () => {
    const vault = fresh();
    const key = value(await vault.keyFor(vault.subjectOf('acme', 'person-of-interest')));
    const dump = JSON.stringify(await query('select * from septet_vault.keys'));
    for (const plain of [key.bytes.toString('hex'), key.bytes.toString('base64url'), 'person-of-interest'])
      assert.ok(!dump.includes(plain));
  });

  it('is forgotten by every process within the time that keys are held, and at once where it is told', async () => {
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
    let asked: () => void = () => undefined;
    const reading = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const slow: KeyTable = {
      ...parts.table,
      byId: async (key, ahead) => {
        const rows = await parts.table.byId(key, ahead);
        asked();
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
    proxy.away();
    for (const answer of [await cold.keyFor('e'.repeat(64)), await cold.find(id, false), await fresh().erase([id])]) {
      assert.ok(isLeft(answer));
      assert.equal(answer.left.code, 'vault-unavailable');
    }
    assert.ok(isLeft(await cold.check()));
    proxy.back();
    assert.notEqual(await bytesOf(cold, id), undefined);
    assert.ok(isRight(await cold.check()));
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
    assert.ok(isLeft(await rotate(wrong)));
    assert.deepEqual(readdirSync(home.path), ['vault-key-000001.json']);
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
    writeFileSync(join(home.path, 'vault-key-000001.json'), '{');
    assert.ok(isLeft(await fresh().keyFor('6'.repeat(64))));
    assert.equal(readFileSync(join(home.path, 'vault-key-000001.json'), 'utf8'), '{');
  });

  it('changes its master key while others make, read and erase keys, and loses none', async () => {
    const writer = fresh();
    const kept = new Map<string, string>();
    const erased: string[] = [];
    const work = async (index: number): Promise<void> => {
      const key = value(await writer.keyFor(writer.subjectOf('acme', `p-${index}`)));
      if (index % 5 !== 0) return void kept.set(key.id, key.bytes.toString('hex'));
      erased.push(key.id);
      value(await writer.erase([key.id]));
    };
    for (let index = 0; index < 50; index += 1) await work(index);
    const writing = Promise.all(Array.from({ length: 100 }, (_, index) => work(50 + index)));
    const rotated = value(await rotate(partsOf()));
    await writing;
    value(await rotate(partsOf()));
    assert.ok(rotated.keys > 0);
    const masters = value(await partsOf().table.masters());
    assert.deepEqual(
      masters.filter(({ active, keys }) => !active && keys > 0),
      [],
    );
    assert.equal(value(await retire(partsOf())).length, 2);
    assert.equal(readdirSync(home.path).length, 1);
    const reader = fresh();
    for (const [id, bytes] of kept) assert.equal(await bytesOf(reader, id), bytes);
    for (const id of erased) assert.equal(await bytesOf(reader, id), undefined);
    assert.equal(
      value(await reader.keyFor(reader.subjectOf('acme', 'p-1'))).bytes.toString('hex'),
      [...kept.values()][0],
    );
  });

  it('does not rotate twice at once', async () => {
    const parts = partsOf();
    value(await vaultOf(parts).keyFor(randomUUID()));
    const second = await parts.table.alone(() => rotate(partsOf()));
    const answer = value(second);
    assert.ok(answer !== undefined && isLeft(answer));
  });
});
