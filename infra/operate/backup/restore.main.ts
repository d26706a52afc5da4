/** `npm run restore`: restores a backup into an empty data directory; `npm start` continues from there. */
import { resolve } from 'node:path';
import { tool } from '../../../packages/command-line/src/index';
import { readArguments, stop } from '../../server/runtime/command-line';
import { OperatorError } from '../launch/operator-error';
import { restoreBackup } from './restore-backup';

export const program = tool({
  name: 'npm run restore --',
  about: 'Restores a backup into an empty data directory. npm start continues from there.',
  options: {
    from: { type: 'string', value: 'DIR', required: true, about: 'the backup' },
    forgotten: {
      type: 'string',
      value: 'FILE|BACKUP|none',
      required: true,
      whenMissing: 'people forgotten after the backup would reappear',
      about:
        'the newest list of erased keys, or the newest backup, so that people forgotten since the backup stay forgotten; none: nobody was forgotten since, or there is no newer list',
    },
    data: { type: 'string', value: 'DIR', about: 'the data directory (default: DATA_DIR, or else .data)' },
    keys: {
      type: 'string',
      value: 'DIR',
      about: 'where secrets/ and keys/ are, for a backup that was made without them',
    },
  },
});

const report = (step: string): void => void process.stderr.write(`${step}…\n`);

const main = async (): Promise<number> => {
  const { from, keys, forgotten, data: directory } = readArguments(program).options;
  const data = resolve(directory ?? process.env.DATA_DIR ?? '.data');
  const newest = forgotten === 'none' ? undefined : forgotten;
  const manifest = await restoreBackup({ from, data, env: process.env, keys, forgotten: newest, report });
  process.stdout.write(`${JSON.stringify({ restored: data, ...manifest })}\n`);
  return 0;
};

const failed = (error: unknown): never => {
  if (error instanceof OperatorError) return stop(error.message, 1);
  return stop(`The backup was not restored: ${error instanceof Error ? error.message : String(error)}`, 1);
};

if (require.main === module) main().then((code) => process.exit(code), failed);
