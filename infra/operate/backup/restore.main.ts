/** `npm run restore`: restores a backup into an empty data directory; `npm start` continues from there. */
import { resolve } from 'node:path';
import { parseArguments, stop } from '../../server/runtime/command-line';
import { OperatorError } from '../launch/operator-error';
import { restoreBackup } from './restore-backup';

const usage = `Usage: npm run restore -- --from DIR --forgotten FILE|BACKUP|none [--data DIR] [--keys DIR]
         --forgotten  the newest list of erased keys, or the newest backup: people forgotten since stay forgotten;
                      none: no one was forgotten since, or there is no newer list
         --keys       where secrets/ and keys/ are, for a backup that was made without them`;

const flags = {
  from: { type: 'string' },
  data: { type: 'string' },
  keys: { type: 'string' },
  forgotten: { type: 'string' },
} as const;

const report = (step: string): void => void process.stderr.write(`${step}…\n`);

const main = async (): Promise<number> => {
  const {
    values,
    positionals: [unexpected],
  } = parseArguments(flags, usage);
  if (unexpected !== undefined) return stop(`Unexpected argument '${unexpected}'.\n${usage}`, 2);
  const { from, keys, forgotten } = values;
  if (from === undefined) return stop(`--from is missing.\n${usage}`, 2);
  if (forgotten === undefined)
    return stop(`--forgotten is missing: people who were forgotten after the backup would reappear.\n${usage}`, 2);
  const data = resolve(values.data ?? process.env.DATA_DIR ?? '.data');
  const newest = forgotten === 'none' ? undefined : forgotten;
  const manifest = await restoreBackup({ from, data, env: process.env, keys, forgotten: newest, report });
  process.stdout.write(`${JSON.stringify({ restored: data, ...manifest })}\n`);
  return 0;
};

const failed = (error: unknown): never => {
  if (error instanceof OperatorError) return stop(error.message, 1);
  return stop(`The backup was not restored: ${error instanceof Error ? error.message : String(error)}`, 1);
};

main().then((code) => process.exit(code), failed);
