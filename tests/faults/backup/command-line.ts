/** The verbs as an operator runs them, and an installation as they find it. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Launched, launch, linkTools } from '../../support/processes/launcher';
import { scriptArguments } from '../../support/runner/compiled';

export interface CommandResult {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Without what names stores that other suites use. */
const bare = (): NodeJS.ProcessEnv => {
  const own = /^((EVENTSTORE|POSTGRES|REDIS|ELASTICSEARCH)(_READER)?_URL|S3_.*|BLOBS_.*|KEYS_DIR|MASTER_KEY.*)$/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
};

const run = (script: string, rest: readonly string[]) =>
  new Promise<CommandResult>((resolve) => {
    const child = spawn(process.execPath, [...scriptArguments(script), ...rest], { env: bare() });
    const printed = { output: '', errors: '' };
    child.stdout.on('data', (bytes) => (printed.output += String(bytes)));
    child.stderr.on('data', (bytes) => (printed.errors += String(bytes)));
    child.once('close', (code) => resolve({ code, ...printed }));
  });

export const backup = (...rest: readonly string[]) => run('infra/operate/backup/backup.main.ts', rest);
export const restore = (...rest: readonly string[]) => run('infra/operate/backup/restore.main.ts', rest);

/** Elasticsearch holds nothing that is backed up, and takes the longest to start. */
const withoutJava = { JAVA_HOME: '/nowhere' };

/** In one process beside the log and Postgres: eight would each take a second of processor to start. */
export const startSeptet = (data: string, port: number): Promise<Launched> => {
  linkTools(data);
  return launch({
    directory: process.cwd(),
    arguments: ['--data', data, '--port', String(port)],
    env: withoutJava,
  });
};

export interface RunFile {
  readonly EVENTSTORE_URL: string;
  readonly EVENTSTORE_WRITER_URL: string;
  readonly POSTGRES_URL: string;
}

export const runFileOf = (data: string): RunFile => JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as RunFile;
