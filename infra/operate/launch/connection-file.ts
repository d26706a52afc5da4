/** The addresses of the stores that a running launcher brought up, for tools started beside it. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Environment } from '../../server/runtime/config';

const directoryOf = ({ DATA_DIR }: Environment): string => DATA_DIR ?? '.data';

/** Undefined: no launcher runs on that directory. */
const recorded = (directory: string): Environment | undefined => {
  try {
    const found: unknown = JSON.parse(readFileSync(join(directory, 'run.json'), 'utf8'));
    return typeof found === 'object' && found !== null ? (found as Environment) : undefined;
  } catch {
    return undefined;
  }
};

/** A tool without a launcher and without stores of its own was started in the wrong directory, most likely. */
const explainMissing = (directory: string): void =>
  void process.stderr.write(
    `No system runs on ${resolve(directory)} (it has no run.json). Start one with npm start, or name the directory that it runs on: DATA_DIR=DIR.\n`,
  );

/** A variable may also name a file that contains the value. */
const nameOf = (variable: string): string => variable.replace(/_FILE$/, '');

/** The environment takes precedence over the launcher's file, in either form. Without a file the environment stays as it is. */
export const withConnectionFile = (env: Environment): Environment => {
  const own = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  const named = new Set(own.map(([variable]) => nameOf(variable)));
  const others = Object.entries(recorded(directoryOf(env)) ?? {}).filter(([variable]) => !named.has(nameOf(variable)));
  return Object.fromEntries([...others, ...own]);
};

/** For tools that need running stores: explains on stderr where they are looked for, when neither the environment nor a launcher names them. */
export const withRunningSystem = (env: Environment): Environment => {
  const found = withConnectionFile(env);
  if (!found.EVENTSTORE_URL && !found.EVENTSTORE_URL_FILE && !found.POSTGRES_URL) explainMissing(directoryOf(env));
  return found;
};

/** For the tools that append to the log, which need the account that may. */
export const withConnectionFileToAppend = (env: Environment): Environment => {
  const { EVENTSTORE_WRITER_URL: url, ...found } = withRunningSystem(env);
  return url === undefined || env.EVENTSTORE_URL ? found : { ...found, EVENTSTORE_URL: url };
};
