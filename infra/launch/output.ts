/** What a person sees: short steps in the terminal; the services' own logs go to files beside the data. */
import { createWriteStream, existsSync, mkdirSync, renameSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';

const warnLevel = 40;

/** Level of a JSON log line; undefined when the line is something else, such as a stack trace. */
const levelOf = (text: string): number | undefined => {
  if (!text.startsWith('{')) return undefined;
  try {
    const level = (JSON.parse(text) as { level?: unknown }).level;
    return typeof level === 'number' ? level : 0;
  } catch {
    return undefined;
  }
};

const worthShowing = (text: string): boolean => (levelOf(text) ?? warnLevel) >= warnLevel;

export const step = (name: string, message: string): void => {
  process.stdout.write(`  ${name.padEnd(14)} ${message}\n`);
};

export interface Logs {
  /** Takes one line of a service's output; warnings and errors are shown in the terminal too. */
  readonly lineOf: (name: string) => (text: string) => void;
  readonly close: () => void;
}

const fresh = (path: string): WriteStream => {
  if (existsSync(path)) renameSync(path, `${path}.1`);
  const file = createWriteStream(path, { mode: 0o600 });
  // A full disk must not end the launcher: the services say it themselves.
  file.on('error', () => undefined);
  return file;
};

/** One file per service and start; the one of the start before is kept as `.1`. */
export const openLogs = (dataDirectory: string): Logs => {
  const directory = join(dataDirectory, 'logs');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const files: WriteStream[] = [];
  return {
    lineOf: (name) => {
      const file = fresh(join(directory, `${name}.log`));
      files.push(file);
      return (text) => {
        file.write(`${text}\n`);
        if (worthShowing(text)) step(name, text);
      };
    },
    close: () => {
      for (const file of files) file.end();
    },
  };
};
