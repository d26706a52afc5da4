/** Backups that are expected to be made. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { takeBackup } from '../../../../packages/eventstore-node/src/backup/backup';
import type { Manifest } from '../../../../packages/eventstore-node/src/backup/manifest';

export const ignoreProgress = (): void => undefined;

export const makeBackup = async (data: string, out: string): Promise<Manifest> => {
  const backup = await takeBackup({ data, out, progress: ignoreProgress });
  return isRight(backup) ? backup.right : assert.fail(backup.left);
};
