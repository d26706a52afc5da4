/** The channel to the launcher, which closes with it. */
import { once } from 'node:events';
import type { Environment } from './config';

/** With it, variables come as a message: the process loads its modules while the launcher still starts stores. */
export const awaitsVariables = 'SEPTET_AWAITS_VARIABLES';

/** The own variables of the process and those of the launcher. */
export const launcherVariables = async (env: Environment): Promise<Environment> => {
  if (env[awaitsVariables] === undefined) return env;
  const [sent] = (await once(process, 'message')) as [Environment];
  return { ...env, ...sent };
};

/**
 * Calls back when the launcher that started this process is gone: one that was killed sends no signal, but its end of the channel closes. Called before
 * the first wait of a process, so that no end is missed.
 */
export const onLauncherEnd = (end: () => void): void => {
  if (process.env.SEPTET_CHILD === undefined || process.send === undefined) return;
  if (process.connected) process.once('disconnect', end);
  else setImmediate(end);
};
