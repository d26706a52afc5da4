/** `scavenge`: removes what metadata, deletes and tombstones allow, from a running node's log or from a directory. */
import { existsSync } from 'node:fs';
import { isLeft } from 'fp-ts/Either';
import { scavengeOffline } from '../scavenge/offline-scavenge';
import { requestScavenge } from '../scavenge/request-scavenge';
import { logFileOf } from '../storage/lmdb-tables';
import { parseFlags, printError } from './flags';

const flags = { url: { type: 'string' }, data: { type: 'string' } } as const;

const report = (error: unknown): void => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
};

const print = (completed: object): number => {
  process.stdout.write(`${JSON.stringify(completed)}\n`);
  return (completed as { readonly result?: unknown }).result === 'Success' ? 0 : 1;
};

const printOfflineScavenge = async (data: string): Promise<number> => {
  // A misspelt directory must not become an empty log.
  if (!existsSync(logFileOf(data))) return printError(`There is no log in ${data}.`, 1);
  const completed = await scavengeOffline(data, report);
  return isLeft(completed) ? printError(completed.left, 1) : print(completed.right);
};

export const run = async (argv: readonly string[]): Promise<number> => {
  const parsed = parseFlags(argv, flags);
  if (isLeft(parsed)) return printError(parsed.left);
  const { url, data } = parsed.right;
  if (url !== undefined && data !== undefined) return printError('--url and --data: give one of them.');
  if (url !== undefined) return print(await requestScavenge(url));
  return data === undefined ? printError('--url or --data is missing.') : printOfflineScavenge(data);
};
