/** Scavenges a directory that no node serves. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { describeProcess, lockDirectory } from '../../../data-directory/src/index';
import { openStorage } from '../storage/storage';
import { startWriter } from '../storage/writer';
import type { CompletedScavenge } from './scavenge-history';
import { createScavenger } from './scavenger';

/** Left: one line for the operator. */
export const scavengeOffline = async (
  data: string,
  report: (error: unknown) => void,
): Promise<Either<string, CompletedScavenge>> => {
  const lock = lockDirectory(data, 'node');
  if (isLeft(lock)) return left(`${data} is in use by ${describeProcess(lock.left)}: ask it with --url.`);
  const storage = openStorage(data);
  const writer = startWriter(storage, () => undefined);
  try {
    const { start } = createScavenger({ storage, writer, nodeEndpoint: () => 'offline', report });
    const completed = await (await start()).over;
    return completed === undefined ? left('The scavenge failed.') : right(completed);
  } finally {
    await writer.idle();
    await storage.tables.root.close();
    lock.right.release();
  }
};
