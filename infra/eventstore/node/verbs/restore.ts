/** `restore`: a backup into an empty directory, checked. */
import { isLeft } from 'fp-ts/Either';
import { restoreBackup } from '../backup/restore';
import { complain, flagsIn } from '../flags';
import { progressOn } from '../transfer/progress';

const flags = {
  from: { type: 'string' },
  data: { type: 'string' },
} as const;

export const run = async (argv: readonly string[]): Promise<number> => {
  const wanted = flagsIn(argv, flags);
  if (isLeft(wanted)) return complain(wanted.left);
  const { from, data } = wanted.right;
  if (from === undefined) return complain('--from is missing.');
  if (data === undefined) return complain('--data is missing.');
  const say = progressOn(process.stderr);
  const restored = await restoreBackup({ from, data, progress: (done) => say({ copying: done }) });
  if (isLeft(restored)) return complain(restored.left, 1);
  process.stdout.write(`${JSON.stringify({ restored: data, ...restored.right })}\n`);
  return 0;
};
