/** One process at a time has a directory, as long as it lives. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, and somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Directories of this very process. */
const mine = new Set<string>();

const ownerOf = async (path: string): Promise<number> => Number(await readFile(path, 'utf8').catch(() => ''));

export const takeDirectory = async (directory: string): Promise<() => Promise<void>> => {
  const path = join(directory, 'owner.pid');
  if (mine.has(path)) throw new Error(`${directory} is open already: share the store that has it.`);
  mine.add(path);
  for (;;) {
    const owner = await ownerOf(path);
    if (owner > 0 && owner !== process.pid && isAlive(owner)) {
      mine.delete(path);
      throw new Error(`${directory} is open in process ${owner}.`);
    }
    await rm(path, { force: true });
    const isTaken = await writeFile(path, String(process.pid), { flag: 'wx' }).then(
      () => true,
      () => false,
    );
    if (isTaken) break;
  }
  return async () => {
    mine.delete(path);
    await rm(path, { force: true });
  };
};
