/** `backup`: a consistent copy of a log, also while it is served. */
import { rmSync } from 'node:fs';
import { isLeft } from 'fp-ts/Either';
import { partialOf, takeBackup } from '../backup/backup';
import { complain, flagsIn } from '../flags';
import { progressOn } from '../transfer/progress';

const flags = { data: { type: 'string' }, out: { type: 'string' } } as const;

export const run = async (argv: readonly string[]): Promise<number> => {
  const wanted = flagsIn(argv, flags);
  if (isLeft(wanted)) return complain(wanted.left);
  const { data, out } = wanted.right;
  if (data === undefined) return complain('--data is missing.');
  if (out === undefined) return complain('--out is missing.');
  const abandon = (): void => {
    rmSync(partialOf(out), { recursive: true, force: true });
    process.exit(complain('The backup was interrupted.', 1));
  };
  process.once('SIGINT', abandon);
  process.once('SIGTERM', abandon);
  const say = progressOn(process.stderr);
  const backup = await takeBackup({ data, out, progress: (step, done) => say({ [step]: done }) });
  if (isLeft(backup)) return complain(backup.left, 1);
  process.stdout.write(`${JSON.stringify({ backup: out, ...backup.right })}\n`);
  return 0;
};
