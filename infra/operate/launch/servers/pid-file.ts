/** Which process serves a directory, written down so that the next start finds one that was left behind. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { endProcess, isRunning, markOf } from '../../../../packages/data-directory/src/process-identity';

const Mark = t.strict({ pid: t.Int, started: t.string });
const Record = t.strict({ server: Mark, launcher: Mark });
type Record = t.TypeOf<typeof Record>;

const stopTimeoutMilliseconds = 10_000;

const pathIn = (directory: string): string => join(directory, 'process.json');

/** What cannot be read was not finished: then there was no time to start anything either. */
const read = (directory: string): Record | undefined => {
  try {
    const record = Record.decode(JSON.parse(readFileSync(pathIn(directory), 'utf8')));
    return record._tag === 'Right' ? record.right : undefined;
  } catch {
    return undefined;
  }
};

export const recordProcess = (directory: string, pid: number): void => {
  const record = { server: markOf(pid), launcher: markOf(process.pid) };
  const path = pathIn(directory);
  writeFileSync(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
  renameSync(`${path}.new`, path);
};

export const forgetProcess = (directory: string): void => rmSync(pathIn(directory), { force: true });

/** Ends a server whose launcher is gone. Left: its launcher still runs. */
export const stopOrphanedServer = async (directory: string, force: NodeJS.Signals): Promise<Either<string, void>> => {
  const record = read(directory);
  if (record === undefined || !isRunning(record.server)) return right(undefined);
  if (isRunning(record.launcher))
    return left(`it already runs on ${directory}, started by process ${record.launcher.pid}; stop that one first.`);
  if (await endProcess(record.server, { signal: force, timeoutMilliseconds: stopTimeoutMilliseconds }))
    return right(undefined);
  return left(`process ${record.server.pid} was left behind on ${directory} and cannot be ended; end it by hand.`);
};
