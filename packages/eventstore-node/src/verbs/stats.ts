/** `stats`: what a log holds and takes; of a directory, served or not, or of a running node by its URL. */
import { isLeft } from 'fp-ts/Either';
import { inventoryOf } from '../backup/inventory';
import { withSnapshot } from '../backup/snapshot';
import { complain, flagsIn } from '../flags';
import { sentenceOf, TransferError } from '../transfer/faults';
import { openServer } from '../transfer/server';

const flags = { data: { type: 'string' }, url: { type: 'string' } } as const;

const ofDirectory = async (data: string): Promise<unknown> => {
  const inventory = await withSnapshot(data, inventoryOf);
  if (inventory === undefined) throw new TransferError(`There is no event log in ${data}.`);
  return inventory;
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
  try {
    const stats = data === undefined ? await ofServer(url as string) : await ofDirectory(data);
    process.stdout.write(`${JSON.stringify(stats)}\n`);
    return 0;
  } catch (error) {
    return complain(sentenceOf(error), 1);
  }
};
