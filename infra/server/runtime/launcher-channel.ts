/** The channel to the launcher, which closes with it. */

/**
 * Calls back when the launcher that started this process is gone: one that was killed sends no signal, but its end of the channel closes. Called before
 * the first wait of a process, so that no end is missed.
 */
export const onLauncherEnd = (end: () => void): void => {
  if (process.env.SEPTET_CHILD === undefined || process.send === undefined) return;
  if (process.connected) process.once('disconnect', end);
  else setImmediate(end);
};
