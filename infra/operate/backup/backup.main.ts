/** `npm run backup`: backs up everything that cannot be rebuilt, while the system runs. */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArguments, stop } from '../../server/runtime/command-line';
import { OperatorError } from '../launch/operator-error';
import { createBackup, partialOf } from './create-backup';
import { installationVariables, openInstallation } from './installation';
import { listErasedKeys, replaceErasedKeys } from './parts/erased-keys';

const usage = `Usage: npm run backup -- --out DIR [--data DIR] [--without-keys] [--without-blobs]
         the log, the vault, timers, jobs, blobs, secrets and keys; DIR must not be there yet
       npm run backup -- --forgotten FILE [--data DIR]
         only the list of keys that were erased, which a restore of an earlier backup asks for`;

const flags = {
  out: { type: 'string' },
  data: { type: 'string' },
  forgotten: { type: 'string' },
  'without-keys': { type: 'boolean', default: false },
  'without-blobs': { type: 'boolean', default: false },
} as const;

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
  const {
    values,
    positionals: [unexpected],
  } = parseArguments(flags, usage);
  if (unexpected !== undefined) return stop(`Unexpected argument '${unexpected}'.\n${usage}`, 2);
  const { out, forgotten, 'without-keys': withoutKeys, 'without-blobs': withoutBlobs } = values;
  if ((out === undefined) === (forgotten === undefined)) return stop(usage, 2);
  const data = resolve(values.data ?? process.env.DATA_DIR ?? '.data');
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
