/** Puts the log of a backup into a directory or a server. Only files that are copied keep their positions. */
import { rmSync } from 'node:fs';
import { isLeft } from 'fp-ts/Either';
import { restoreBackup } from '../../../../packages/eventstore-node/src/backup/index';
import {
  type LoggedEvent,
  openInput,
  openLog,
  readOfflineLog,
} from '../../../../packages/eventstore-node/src/transfer/index';
import { OperatorError } from '../../launch/operator-error';
import type { Manifest } from '../backup-manifest';
import type { LogPlace } from '../installation';
import { copyIn, exportIn } from './event-log';
import { type CopiedLog, copyLogInto } from './log-copy';
import type { TranslatedPositions } from './position-translation';

const quietly = (): void => undefined;

const placeFiles = async (backup: string, directory: string): Promise<void> => {
  const restored = await restoreBackup({ from: copyIn(backup), data: directory, progress: quietly });
  if (isLeft(restored)) throw new OperatorError(restored.left);
};

async function* exportedEvents(backup: string): AsyncGenerator<LoggedEvent, void> {
  const { events } = await openLog(await openInput(exportIn(backup)));
  for await (const { event } of events) yield event;
}

export interface LogRestore {
  readonly backup: string;
  readonly to: LogPlace;
  readonly kind: Manifest['log']['kind'];
  /** For files that only pass through. */
  readonly temporary: string;
  /** Positions of the backed up log in the restored tables. */
  readonly positions: TranslatedPositions;
}

/** Undefined: positions are what they were. */
export const restoreLog = async (restore: LogRestore): Promise<CopiedLog | undefined> => {
  const { backup, to, kind, temporary, positions } = restore;
  const copy = (from: AsyncIterable<LoggedEvent>) => copyLogInto({ from, to, ...positions, progress: quietly });
  if (kind === 'exported') return copy(exportedEvents(backup));
  if (to.kind === 'directory') {
    await placeFiles(backup, to.path);
    return undefined;
  }
  try {
    await placeFiles(backup, temporary);
    return await copy(readOfflineLog(temporary));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
};
