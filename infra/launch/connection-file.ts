/** The addresses of the stores that a running launcher brought up, for tools started beside it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../runtime/config';

const recorded = (directory: string): Environment => {
  try {
    const found: unknown = JSON.parse(readFileSync(join(directory, 'run.json'), 'utf8'));
    return typeof found === 'object' && found !== null ? (found as Environment) : {};
  } catch {
    return {};
  }
};

/** A variable may also name a file that contains the value. */
const nameOf = (variable: string): string => variable.replace(/_FILE$/, '');

/** The environment takes precedence over the launcher's file, in either form. */
export const withConnectionFile = (env: Environment): Environment => {
  const own = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  const named = new Set(own.map(([variable]) => nameOf(variable)));
  const others = Object.entries(recorded(env.DATA_DIR ?? '.data')).filter(([variable]) => !named.has(nameOf(variable)));
  return Object.fromEntries([...others, ...own]);
};

/** For the tools that append to the log, which need the account that may. */
export const withConnectionFileToAppend = (env: Environment): Environment => {
  const { EVENTSTORE_WRITER_URL: url, ...found } = withConnectionFile(env);
  return url === undefined || env.EVENTSTORE_URL ? found : { ...found, EVENTSTORE_URL: url };
};
