/** Vaults over one fresh database and one keystore, as so many processes have them, for the tests of one describe. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { openLocalWrapping } from '../../../infra/adapters/vault/local-key-wrapping';
import { openPostgresKeyTable } from '../../../infra/adapters/vault/postgres-key-table';
import { openVault, type VaultParts } from '../../../infra/adapters/vault/subject-keys';
import type { KeyTable, Vault } from '../../../infra/ports/vault';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { openProxy, type ServerProxy } from '../../support/servers/proxy';
import { freshDatabase } from '../../support/servers/shared-servers';
import { value } from './key-table-contract';

export const masterKey = randomBytes(32);

interface Place {
  url: string;
  proxy: ServerProxy;
  keys: string;
}

/** Registers its hooks with the describe that calls it. */
export const useVaultProcesses = () => {
  const opened: (KeyTable | Vault)[] = [];
  const place = {} as Place;
  let home: ReturnType<typeof temporaryDirectory>;
  beforeEach(async () => {
    home = temporaryDirectory('vault');
    const url = await freshDatabase();
    Object.assign(place, { url, proxy: await openProxy(url), keys: home.path });
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
    await place.proxy.close();
    home.remove();
  });
  const partsOf = (key = masterKey): VaultParts => {
    const table = openPostgresKeyTable(place.proxy.url);
    opened.push(table);
    return { table, wrapping: openLocalWrapping({ directory: place.keys, masterKey: key }) };
  };
  const vaultOf = (parts: VaultParts, lifetime?: number): Vault => {
    const vault = openVault({ ...parts, table: { ...parts.table, close: async () => undefined } }, lifetime);
    opened.push(vault);
    return vault;
  };
  /** One that holds nothing. */
  const fresh = (lifetime?: number): Vault => vaultOf(partsOf(), lifetime);
  const bytesOf = async (vault: Vault, id: string): Promise<string | undefined> =>
    value(await vault.find(id, false)).bytes?.toString('hex');
  const query = async (text: string): Promise<readonly Record<string, unknown>[]> => {
    const client = new Client({ connectionString: place.url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  };
  return { place, partsOf, vaultOf, fresh, bytesOf, query };
};
