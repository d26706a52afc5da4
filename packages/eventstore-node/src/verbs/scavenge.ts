/** `scavenge`: removes what metadata, deletes and tombstones allow, from a running node's log or from a directory. */
import { existsSync } from 'node:fs';
import { isLeft } from 'fp-ts/Either';
import { complain, flagsIn } from '../flags';
import { askForScavenge } from '../maintenance/ask-scavenge';
import { scavengeDirectory } from '../maintenance/scavenge-directory';
import { fileOf } from '../storage/database';

const flags = { url: { type: 'string' }, data: { type: 'string' } } as const;

const report = (error: unknown): void => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
};

const print = (completed: object): number => {
  process.stdout.write(`${JSON.stringify(completed)}\n`);
  return (completed as { readonly result?: unknown }).result === 'Success' ? 0 : 1;
};

const ofDirectory = async (data: string): Promise<number> => {
  // What is misspelt must not become an empty log.
  if (!existsSync(fileOf(data))) return complain(`There is no log in ${data}.`, 1);
  const completed = await scavengeDirectory(data, report);
  return isLeft(completed) ? complain(completed.left, 1) : print(completed.right);
};

export const run = async (argv: readonly string[]): Promise<number> => {
  const wanted = flagsIn(argv, flags);
  if (isLeft(wanted)) return complain(wanted.left);
  const { url, data } = wanted.right;
  if (url !== undefined && data !== undefined) return complain('--url and --data: give one of them.');
  if (url !== undefined) return print(await askForScavenge(url));
  return data === undefined ? complain('--url or --data is missing.') : ofDirectory(data);
};
