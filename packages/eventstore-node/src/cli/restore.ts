/** `restore`: restores a backup into an empty directory, and checks it. */
import { isLeft } from 'fp-ts/Either';
import { restoreBackup } from '../backup/restore';
import { parseFlags, printError } from './flags';
import { createProgressPrinter } from './progress';
import { run as verify } from './verify';

const flags = {
  from: { type: 'string' },
  data: { type: 'string' },
  verify: { type: 'boolean', default: false },
} as const;

export const run = async (argv: readonly string[]): Promise<number> => {
  const parsed = parseFlags(argv, flags);
  if (isLeft(parsed)) return printError(parsed.left);
  const { from, data, verify: everything } = parsed.right;
  if (from === undefined) return printError('--from is missing.');
  if (data === undefined) return printError('--data is missing.');
  const reportProgress = createProgressPrinter(process.stderr);
  const restored = await restoreBackup({ from, data, progress: (done) => reportProgress({ copying: done }) });
  if (isLeft(restored)) return printError(restored.left, 1);
  process.stdout.write(`${JSON.stringify({ restored: data, ...restored.right })}\n`);
  return everything ? verify(['--data', data]) : 0;
};
