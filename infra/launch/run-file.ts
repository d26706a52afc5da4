/** The addresses of the stores that a running launcher brought up, for tools started beside it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../config';

const recorded = (directory: string): Environment => {
  try {
    const found: unknown = JSON.parse(readFileSync(join(directory, 'run.json'), 'utf8'));
    return typeof found === 'object' && found !== null ? (found as Environment) : {};
  } catch {
    return {};
  }
};

/** What the environment says goes before what the launcher wrote. */
export const withRunFile = (env: Environment): Environment => {
  const given = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  return { ...recorded(env.DATA_DIR ?? '.data'), ...Object.fromEntries(given) };
};

/** For the tools that append to the log, which need the account that may. */
export const withRunFileToAppend = (env: Environment): Environment => {
  const { EVENTSTORE_WRITER_URL: url, ...found } = withRunFile(env);
  return url === undefined || env.EVENTSTORE_URL ? found : { ...found, EVENTSTORE_URL: url };
};
