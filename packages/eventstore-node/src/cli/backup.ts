/** `backup`: takes a consistent copy of a log, also while it is served. */
import { rmSync } from 'node:fs';
import { isLeft } from 'fp-ts/Either';
import { partialPathOf, takeBackup } from '../backup/backup';
import { printError } from './print-error';
import type { OptionsOf } from './program';
import { createProgressPrinter } from './progress';

export const run = async ({ data, out }: OptionsOf<'backup'>): Promise<number> => {
  const abandon = (): void => {
    rmSync(partialPathOf(out), { recursive: true, force: true });
    process.exit(printError('The backup was interrupted.', 1));
  };
  process.once('SIGINT', abandon);
  process.once('SIGTERM', abandon);
  const reportProgress = createProgressPrinter(process.stderr);
  const backup = await takeBackup({ data, out, progress: (step, done) => reportProgress({ [step]: done }) });
  if (isLeft(backup)) return printError(backup.left, 1);
  process.stdout.write(`${JSON.stringify({ backup: out, ...backup.right })}\n`);
  return 0;
};
