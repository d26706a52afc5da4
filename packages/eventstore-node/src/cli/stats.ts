/** `stats`: statistics of a log: of a directory, served or not, or of a running node by its URL. */
import { isLeft } from 'fp-ts/Either';
import { withSnapshot } from '../backup/log-snapshot';
import { collectStatistics } from '../backup/log-statistics';
import { openServer } from '../transfer/server/connection';
import { describeError, TransferError } from '../transfer/transfer-error';
import { parseFlags, printError } from './flags';

const flags = { data: { type: 'string' }, url: { type: 'string' } } as const;

const directoryStats = async (data: string): Promise<unknown> => {
  const inventory = await withSnapshot(data, collectStatistics);
  if (inventory === undefined) throw new TransferError(`There is no event log in ${data}.`);
  return inventory;
};

const serverStats = async (url: string): Promise<unknown> => {
  const server = openServer(url);
  try {
    return await server.http('/stats');
  } finally {
    await server.close();
  }
};

export const run = async (argv: readonly string[]): Promise<number> => {
  const parsed = parseFlags(argv, flags);
  if (isLeft(parsed)) return printError(parsed.left);
  const { data, url } = parsed.right;
  if ((data === undefined) === (url === undefined)) return printError('Set either --data or --url.');
  try {
    const stats = data === undefined ? await serverStats(url as string) : await directoryStats(data);
    process.stdout.write(`${JSON.stringify(stats)}\n`);
    return 0;
  } catch (error) {
    return printError(describeError(error), 1);
  }
};
