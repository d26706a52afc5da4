/** Short steps in the terminal; the services' own logs go to files in the data directory. */
import { createWriteStream, existsSync, mkdirSync, renameSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../ports/runtime/log';

const warnLevel = 40;
const widest = 200;

const shortened = (text: string): string => (text.length > widest ? `${text.slice(0, widest)}…` : text);

export const step = (name: string, message: string): void => {
  process.stdout.write(`  ${name.padEnd(14)} ${shortened(message)}\n`);
};

const fieldsText = (fields: object): string => {
  const parts = Object.entries(fields).map(([field, value]) => `${field}: ${JSON.stringify(value)}`);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
};

const withoutCommonFields = (line: object): object => {
  const { level: _1, time: _2, pid: _3, service: _4, msg: _5, ...rest } = line as Record<string, unknown>;
  return rest;
};

/** The part of an output line for the terminal: warnings, errors, and lines that are no log lines, such as a stack trace. */
const terminalText = (text: string): string | undefined => {
  if (!text.startsWith('{')) return text.trim() === '' ? undefined : text;
  try {
    const line = JSON.parse(text) as { level?: number; msg?: string };
    if (line.level === undefined || line.level < warnLevel) return undefined;
    return `${line.level > warnLevel ? 'error' : 'warning'}: ${line.msg}${fieldsText(withoutCommonFields(line))}`;
  } catch {
    return text;
  }
};

/** The launcher's own log. */
export const terminalLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (fields, message) => step('launch', `warning: ${message}${fieldsText(fields)}`),
  error: (fields, message) => step('launch', `error: ${message}${fieldsText(fields)}`),
};

export interface Logs {
  /** Writes one line of a service's output to its log file; warnings and errors also to the terminal. */
  readonly lineOf: (name: string) => (text: string) => void;
  readonly close: () => void;
}

const fresh = (path: string): WriteStream => {
  if (existsSync(path)) renameSync(path, `${path}.1`);
  const file = createWriteStream(path, { mode: 0o600 });
  // A full disk must not end the launcher: the services report it themselves.
  file.on('error', () => undefined);
  return file;
};

/** One file per service and start; the previous one becomes `.1`. */
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
        const message = terminalText(text);
        if (message !== undefined) step(name, message);
      };
    },
    close: () => {
      for (const file of files) file.end();
    },
  };
};
