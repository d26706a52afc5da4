/** `scavenge`: removes what metadata, deletes and tombstones allow, from a running node's log or from a directory. */
import { existsSync } from 'node:fs';
import { isLeft } from 'fp-ts/Either';
import { scavengeOffline } from '../scavenge/offline-scavenge';
import { requestScavenge } from '../scavenge/request-scavenge';
import { logFileOf } from '../storage/lmdb-tables';
import { printError } from './print-error';
import type { OptionsOf } from './program';

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

export const run = async ({ url, data }: OptionsOf<'scavenge'>): Promise<number> => {
  if (url !== undefined && data !== undefined) return printError('Give --url or --data, not both.');
  if (url !== undefined) return print(await requestScavenge(url));
  return data === undefined ? printError('Give --url or --data.') : printOfflineScavenge(data);
};
