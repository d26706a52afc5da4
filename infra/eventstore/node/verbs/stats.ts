/** `stats`: what a log holds and takes; of a directory, served or not, or of a running node by its URL. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { inventoryOf } from '../backup/inventory';
import { dataFile, openSnapshot } from '../backup/snapshot';
import { complain, flagsIn } from '../flags';
import { sentenceOf } from '../transfer/faults';
import { openServer } from '../transfer/server';

const flags = { data: { type: 'string' }, url: { type: 'string' } } as const;

const ofDirectory = async (data: string): Promise<unknown> => {
  const snapshot = openSnapshot(join(data, dataFile));
  try {
    return await inventoryOf(snapshot);
  } finally {
    await snapshot.root.close();
  }
};

const ofServer = async (url: string): Promise<unknown> => {
  const server = openServer(url);
  try {
    return await server.http('/stats');
  } finally {
    await server.close();
  }
};

export const run = async (argv: readonly string[]): Promise<number> => {
  const wanted = flagsIn(argv, flags);
  if (isLeft(wanted)) return complain(wanted.left);
  const { data, url } = wanted.right;
  if ((data === undefined) === (url === undefined)) return complain('Either --data or --url is needed.');
  if (data !== undefined && !existsSync(join(data, dataFile))) return complain(`There is no event log in ${data}.`, 1);
  try {
    const stats = data === undefined ? await ofServer(url as string) : await ofDirectory(data);
    process.stdout.write(`${JSON.stringify(stats)}\n`);
    return 0;
  } catch (error) {
    return complain(sentenceOf(error), 1);
  }
};
