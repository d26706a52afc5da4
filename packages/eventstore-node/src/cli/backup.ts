/** `backup`: takes a consistent copy of a log, also while it is served. */
import { rmSync } from 'node:fs';
import { isLeft } from 'fp-ts/Either';
import { partialPathOf, takeBackup } from '../backup/backup';
import { parseFlags, printError } from './flags';
import { createProgressPrinter } from './progress';

const flags = { data: { type: 'string' }, out: { type: 'string' } } as const;

export const run = async (argv: readonly string[]): Promise<number> => {
  const parsed = parseFlags(argv, flags);
  if (isLeft(parsed)) return printError(parsed.left);
  const { data, out } = parsed.right;
  if (data === undefined) return printError('--data is missing.');
  if (out === undefined) return printError('--out is missing.');
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
