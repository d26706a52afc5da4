/** `restore`: restores a backup into an empty directory, and checks it. */
import { isLeft } from 'fp-ts/Either';
import { restoreBackup } from '../backup/restore';
import { printError } from './print-error';
import type { OptionsOf } from './program';
import { createProgressPrinter } from './progress';
import { run as verify } from './verify';

export const run = async ({ from, data, verify: everything }: OptionsOf<'restore'>): Promise<number> => {
  const reportProgress = createProgressPrinter(process.stderr);
  const restored = await restoreBackup({ from, data, progress: (done) => reportProgress({ copying: done }) });
  if (isLeft(restored)) return printError(restored.left, 1);
  process.stdout.write(`${JSON.stringify({ restored: data, ...restored.right })}\n`);
  return everything ? verify({ data }) : 0;
};
