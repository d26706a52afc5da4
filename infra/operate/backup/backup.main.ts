/** `npm run backup`: backs up everything that cannot be rebuilt, while the system runs. */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { tool } from '../../../packages/command-line/src/index';
import { readArguments, refuseArguments, stop } from '../../server/runtime/command-line';
import { OperatorError } from '../launch/operator-error';
import { createBackup, partialOf } from './create-backup';
import { installationVariables, openInstallation } from './installation';
import { listErasedKeys, replaceErasedKeys } from './parts/erased-keys';

export const program = tool({
  name: 'npm run backup --',
  about:
    'Backs up the log, the vault, timers, jobs, blobs, repositories, secrets and signing keys, while the system runs.',
  options: {
    out: { type: 'string', value: 'DIR', about: 'where the backup goes; it must not exist yet' },
    forgotten: {
      type: 'string',
      value: 'FILE',
      about: 'writes the list of erased keys, which a restore of an earlier backup asks for; alone or beside --out',
    },
    data: { type: 'string', value: 'DIR', about: 'the data directory (default: DATA_DIR, or else .data)' },
    'without-keys': { type: 'boolean', about: 'leaves out secrets/ and keys/, to be kept elsewhere' },
    'without-blobs': { type: 'boolean', about: "leaves out blobs, where a bucket's own versions keep them" },
  },
  notes: ['A backup holds the keys to everything unless --without-keys is given: encrypt it.'],
});

const report = (step: string): void => void process.stderr.write(`${step}…\n`);

const list = async (data: string, path: string): Promise<void> => {
  const from = await openInstallation(data, process.env);
  try {
    const forgotten = await listErasedKeys(from.postgresUrl);
    replaceErasedKeys(path, forgotten);
    process.stdout.write(`${JSON.stringify({ forgotten: path, keys: forgotten.keys.length })}\n`);
  } finally {
    await from.close();
  }
};

const take = async (
  data: string,
  out: string,
  left: { withoutKeys: boolean; withoutBlobs: boolean },
): Promise<void> => {
  const from = await openInstallation(data, process.env);
  try {
    const manifest = await createBackup(from, { out, ...left, report });
    process.stdout.write(`${JSON.stringify({ backup: out, ...manifest })}\n`);
  } finally {
    await from.close();
  }
};

const abandon = (out: string): void => {
  rmSync(partialOf(out), { recursive: true, force: true });
  stop('The backup was interrupted.', 1);
};

const main = async (): Promise<number> => {
  const { options } = readArguments(program);
  const { out, forgotten, 'without-keys': withoutKeys, 'without-blobs': withoutBlobs } = options;
  if (out === undefined && forgotten === undefined) return refuseArguments(program, 'Give --out or --forgotten.');
  const data = resolve(options.data ?? process.env.DATA_DIR ?? '.data');
  if (forgotten !== undefined) await list(data, forgotten);
  if (out === undefined) return 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abandon(out));
  await take(data, out, { withoutKeys, withoutBlobs });
  return 0;
};

const failed = (error: unknown): never => {
  if (error instanceof OperatorError) return stop(error.message, 1);
  return stop(`The backup was not made: ${error instanceof Error ? error.message : String(error)}`, 1);
};

export { installationVariables as variables };

if (require.main === module) main().then((code) => process.exit(code), failed);
