/** `npm run vault`: administers the vault's master keys. */
import { isLeft } from 'fp-ts/Either';
import { commandSet } from '../../packages/command-line/src/index';
import { MasterKeyText } from '../adapters/kms/master-key';
import { openLocalWrapping } from '../adapters/vault/local-key-wrapping';
import { openPostgresKeyTable } from '../adapters/vault/postgres-key-table';
import { retireMasterKeys, rotateMasterKey } from '../adapters/vault/rotate-master-key';
import type { VaultParts } from '../adapters/vault/subject-keys';
import type { VaultFault } from '../ports/vault';
import { printLine, readCommand, runTool, stop } from '../server/runtime/command-line';
import { anyText, loadConfig, variables } from '../server/runtime/config';
import { withRunningSystem } from './launch/connection-file';

export const program = commandSet({
  name: 'npm run vault --',
  about: "Administers the master keys that wrap the keys of people's fields.",
  commands: {
    status: { about: 'Lists the master keys, and how many keys each wraps.' },
    rotate: { about: 'Makes a new master key and rewraps every key; completes an interrupted rotation.' },
    retire: { about: 'Destroys master keys that no longer wrap anything. Older backups become unreadable.' },
    abandon: {
      about: 'Lets the data that a lost key sealed read as forgotten. It cannot be undone.',
      arguments: [{ name: 'key', about: 'the id of the lost key' }],
    },
  },
});

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

const main = async (): Promise<void> => {
  const wanted = readCommand(program);
  const parts = openParts();
  if (wanted.command === 'status') await status(parts);
  else if (wanted.command === 'rotate') await rotateNow(parts);
  else if (wanted.command === 'retire') await retireNow(parts);
  else await abandon(parts, wanted.arguments.key);
  await parts.table.close();
};

if (require.main === module) runTool(main);
