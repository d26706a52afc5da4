/** Records the child processes of a launcher, so that the next launcher ends what a killed one left. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as t from 'io-ts';
import { endProcess, isRunning, markOf, type ProcessMark } from '../../../packages/data-directory/src/process-identity';
import { OperatorError } from './operator-error';

const Mark = t.strict({ pid: t.Int, started: t.string });

/** They end by themselves, once their channel closes: this is how long draining takes at most. */
const stopTimeoutMilliseconds = 15_000;

const directoryIn = (data: string): string => join(data, 'processes');
const suffix = '.json';

export const recordChild = (data: string, name: string, pid: number): void => {
  const path = join(directoryIn(data), `${name}${suffix}`);
  mkdirSync(directoryIn(data), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, JSON.stringify(markOf(pid)), { mode: 0o600 });
  renameSync(`${path}.new`, path);
};

export const forgetChild = (data: string, name: string): void =>
  rmSync(join(directoryIn(data), `${name}${suffix}`), { force: true });

interface LeftChild {
  readonly name: string;
  readonly mark: ProcessMark;
}

/** What cannot be read belongs to a process that had just begun, and ends with its channel. */
const readMark = (path: string): ProcessMark | undefined => {
  try {
    const decoded = Mark.decode(JSON.parse(readFileSync(path, 'utf8')));
    return decoded._tag === 'Right' ? decoded.right : undefined;
  } catch {
    return undefined;
  }
};

const namesIn = (data: string): readonly string[] => {
  try {
    return readdirSync(directoryIn(data)).filter((file) => file.endsWith(suffix));
  } catch {
    return [];
  }
};

const leftChildren = (data: string): readonly LeftChild[] =>
  namesIn(data).flatMap((file) => {
    const mark = readMark(join(directoryIn(data), file));
    return mark !== undefined && isRunning(mark) ? [{ name: basename(file, suffix), mark }] : [];
  });

/** Called under the launcher's lock: the launcher that recorded them has ended. */
export const endLeftChildren = async (data: string, report: (name: string, message: string) => void): Promise<void> => {
  await Promise.all(
    leftChildren(data).map(async ({ name, mark }) => {
      report(name, `process ${mark.pid} is left of a launcher that was killed; it is ended`);
      if (await endProcess(mark, { signal: 'SIGTERM', timeoutMilliseconds: stopTimeoutMilliseconds })) return;
      throw new OperatorError(`Process ${mark.pid} (${name}) is left of a launcher that was killed: end it by hand.`);
    }),
  );
  rmSync(directoryIn(data), { recursive: true, force: true });
};
