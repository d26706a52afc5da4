/** `stats`: statistics of a log: of a directory, served or not, or of a running node by its URL. */
import { withSnapshot } from '../backup/log-snapshot';
import { collectStatistics } from '../backup/log-statistics';
import { openServer } from '../transfer/server/connection';
import { describeError, TransferError } from '../transfer/transfer-error';
import { printError } from './print-error';
import type { OptionsOf } from './program';

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

export const run = async ({ data, url }: OptionsOf<'stats'>): Promise<number> => {
  if ((data === undefined) === (url === undefined)) return printError('Give --data or --url.');
  try {
    const stats = data === undefined ? await serverStats(url as string) : await directoryStats(data);
    process.stdout.write(`${JSON.stringify(stats)}\n`);
    return 0;
  } catch (error) {
    return printError(describeError(error), 1);
  }
};
