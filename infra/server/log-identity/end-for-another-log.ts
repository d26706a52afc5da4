/** How a process ends that finds another log where its own was. */
import type { Log } from '../../ports/runtime/log';
import { configurationExit } from '../runtime/service';

/** Starting again would not help, and going on would pass over events in silence. */
export const endForAnotherLog =
  (log: Log) =>
  (detail: string): void => {
    log.error({ detail }, 'this is another log: the process ends');
    process.exit(configurationExit);
  };
