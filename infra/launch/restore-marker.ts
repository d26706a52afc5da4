/** The mark of a data directory that is being filled from a backup. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from './operator-error';

export const restoringFile = 'restoring';

/** Half of a backup must not be started on: secrets that it lacks would be made anew. */
export const refusePartialRestore = (data: string): void => {
  if (existsSync(join(data, restoringFile)))
    throw new OperatorError(`${data} was not restored to the end: empty it, and restore again.`);
};
