/** `restore`: a backup into an empty directory, checked. */
import { isLeft } from 'fp-ts/Either';
import { restoreBackup } from '../backup/restore';
import { complain, flagsIn } from '../flags';
import { progressOn } from '../transfer/progress';
import { run as verify } from './verify';

const flags = {
  from: { type: 'string' },
  data: { type: 'string' },
  verify: { type: 'boolean', default: false },
} as const;

export const run = async (argv: readonly string[]): Promise<number> => {
  const wanted = flagsIn(argv, flags);
  if (isLeft(wanted)) return complain(wanted.left);
  const { from, data, verify: everything } = wanted.right;
  if (from === undefined) return complain('--from is missing.');
  if (data === undefined) return complain('--data is missing.');
  const say = progressOn(process.stderr);
  const restored = await restoreBackup({ from, data, progress: (done) => say({ copying: done }) });
  if (isLeft(restored)) return complain(restored.left, 1);
  process.stdout.write(`${JSON.stringify({ restored: data, ...restored.right })}\n`);
  return everything ? verify(['--data', data]) : 0;
};
