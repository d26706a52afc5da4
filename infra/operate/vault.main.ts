/** `npm run vault`: administers the vault's master keys. */
import { isLeft } from 'fp-ts/Either';
import { MasterKeyText } from '../adapters/kms/master-key';
import { openLocalWrapping } from '../adapters/vault/local-key-wrapping';
import { openPostgresKeyTable } from '../adapters/vault/postgres-key-table';
import { retireMasterKeys, rotateMasterKey } from '../adapters/vault/rotate-master-key';
import type { VaultParts } from '../adapters/vault/subject-keys';
import type { VaultFault } from '../ports/vault';
import { printLine, runTool, stop } from '../server/runtime/command-line';
import { anyText, loadConfig, variables } from '../server/runtime/config';
import { withRunningSystem } from './launch/connection-file';

const usage = `Usage: npm run vault -- status          master keys, and how many keys each wraps
       npm run vault -- rotate          a new master key; completes an interrupted rotation
       npm run vault -- retire          destroys master keys that no longer wrap anything; old backups become unreadable
       npm run vault -- abandon <key>   data that a lost key sealed reads as forgotten`;

const failed = ({ detail }: VaultFault): never => stop(detail, 1);

const config = { POSTGRES_URL: variables.POSTGRES_URL, MASTER_KEY: MasterKeyText, KEYS_DIR: anyText };

const openParts = (): VaultParts => {
  const loaded = loadConfig(config, withRunningSystem(process.env));
  if (isLeft(loaded)) return stop(`Not set or not usable: ${JSON.stringify(loaded.left)}`, 2);
  const { POSTGRES_URL, MASTER_KEY: masterKey, KEYS_DIR: directory } = loaded.right;
  return { table: openPostgresKeyTable(POSTGRES_URL), wrapping: openLocalWrapping({ directory, masterKey }) };
};

const status = async ({ table }: VaultParts): Promise<void> => {
  const masters = await table.masters();
  if (isLeft(masters)) return failed(masters.left);
  for (const { id, active, keys } of masters.right) printLine(`${id}  ${active ? 'active' : 'before'}  ${keys} keys`);
};

const rotateNow = async (parts: VaultParts): Promise<void> => {
  const rotated = await rotateMasterKey(parts, (keys) => printLine(`${keys} keys are rewrapped.`));
  if (isLeft(rotated)) return failed(rotated.left);
  const { master, keys, resumed } = rotated.right;
  printLine(
    `${master} is the master key; ${keys} keys were rewrapped${resumed ? ', completing an interrupted rotation' : ''}.`,
  );
};

const retireNow = async (parts: VaultParts): Promise<void> => {
  const retired = await retireMasterKeys(parts);
  if (isLeft(retired)) return failed(retired.left);
  printLine(retired.right.length === 0 ? 'There is nothing to destroy.' : `Destroyed: ${retired.right.join(', ')}`);
};

/** Only for lost keys: existing keys are erased by forgetting their subject, which is recorded. */
const abandon = async ({ table }: VaultParts, id: string): Promise<void> => {
  const row = await table.byId(id, 0);
  if (isLeft(row)) return failed(row.left);
  if (row.right.length > 0) return stop('The vault knows this key: forget its subject instead.', 1);
  const erased = await table.erase([id]);
  if (isLeft(erased)) return failed(erased.left);
  printLine(`Data sealed by ${id} reads as forgotten from now on.`);
};

const verbs: { readonly [verb: string]: (parts: VaultParts, id: string) => Promise<void> } = {
  status,
  rotate: rotateNow,
  retire: retireNow,
  abandon,
};

const main = async (argv: readonly string[]): Promise<void> => {
  const [verb = '', ...rest] = argv;
  const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (run === undefined || rest.length !== (verb === 'abandon' ? 1 : 0)) return stop(usage, 2);
  const parts = openParts();
  await run(parts, rest[0] ?? '');
  await parts.table.close();
};

runTool(() => main(process.argv.slice(2)));
