/** `npm run restore`: a backup of everything into an empty data directory; `npm start` goes on from there. */
import { resolve } from 'node:path';
import { OperatorError } from '../launch/operator-error';
import { parseArguments, stop } from '../runtime/command-line';
import { restoreBackup } from './restore-backup';

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

const main = async (): Promise<number> => {
  const {
    values,
    positionals: [unexpected],
  } = parseArguments(flags, usage);
  if (unexpected !== undefined) return stop(`Unexpected argument '${unexpected}'.\n${usage}`, 2);
  const { from, keys, forgotten } = values;
  if (from === undefined) return stop(`--from is missing.\n${usage}`, 2);
  if (forgotten === undefined)
    return stop(`Whoever was forgotten after the backup would be back: say --forgotten.\n${usage}`, 2);
  const data = resolve(values.data ?? process.env.DATA_DIR ?? '.data');
  const newest = forgotten === 'none' ? undefined : forgotten;
  const manifest = await restoreBackup({ from, data, env: process.env, keys, forgotten: newest, say });
  process.stdout.write(`${JSON.stringify({ restored: data, ...manifest })}\n`);
  return 0;
};

const failed = (error: unknown): never => {
  if (error instanceof OperatorError) return stop(error.message, 1);
  return stop(`The backup was not restored: ${error instanceof Error ? error.message : String(error)}`, 1);
};

main().then((code) => process.exit(code), failed);
