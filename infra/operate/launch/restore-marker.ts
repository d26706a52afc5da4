/** The mark of a data directory that is being filled from a backup. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from './operator-error';

export const restoringFile = 'restoring';

/** A partly restored directory must not start: missing secrets would be generated again. */
export const refusePartialRestore = (data: string): void => {
  if (existsSync(join(data, restoringFile)))
    throw new OperatorError(`${data} was not restored to the end: empty it, and restore again.`);
};
