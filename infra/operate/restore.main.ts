/** `npm run restore`: a backup of everything into an empty data directory; `npm start` goes on from there. */
import { resolve } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { complain, flagsIn } from '../eventstore/node/flags';
import { Stop } from '../launch/stop';
import { restoreBackup } from './put';

const usage = `Usage: npm run restore -- --from DIR --forgotten FILE|BACKUP|none [--data DIR] [--keys DIR]
         --forgotten  the newest list of erased keys there is, or the newest backup: who was forgotten since stays so;
                      none: nobody was, or there is no newer list
         --keys       where secrets/ and keys/ are, for a backup that was made without them`;

const flags = {
  from: { type: 'string' },
  data: { type: 'string' },
  keys: { type: 'string' },
  forgotten: { type: 'string' },
} as const;

const say = (step: string): void => void process.stderr.write(`${step}…\n`);

const main = async (argv: readonly string[]): Promise<number> => {
  const wanted = flagsIn(argv, flags);
  if (isLeft(wanted)) return complain(`${wanted.left}\n${usage}`);
  const { from, keys, forgotten } = wanted.right;
  if (from === undefined) return complain(`--from is missing.\n${usage}`);
  if (forgotten === undefined)
    return complain(`Whoever was forgotten after the backup would be back: say --forgotten.\n${usage}`);
  const data = resolve(wanted.right.data ?? process.env.DATA_DIR ?? '.data');
  const newest = forgotten === 'none' ? undefined : forgotten;
  const manifest = await restoreBackup({ from, data, env: process.env, keys, forgotten: newest, say });
  process.stdout.write(`${JSON.stringify({ restored: data, ...manifest })}\n`);
  return 0;
};

const failed = (error: unknown): number => {
  if (error instanceof Stop) return complain(error.message, 1);
  return complain(`The backup was not restored: ${error instanceof Error ? error.message : String(error)}`, 1);
};

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => process.exit(failed(error)),
);
