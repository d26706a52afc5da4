/** Lines in the terminal: what each part of the system does, since when, and where its log is. Logs themselves go to files in the data directory. */
import { createWriteStream, existsSync, mkdirSync, renameSync, type WriteStream } from 'node:fs';
import { join, relative } from 'node:path';
import type { Log } from '../../ports/runtime/log';
import { openLog } from '../../server/runtime/log';

const warnLevel = 40;
const widest = 400;

const shortened = (text: string): string => (text.length > widest ? `${text.slice(0, widest)}…` : text);

/** As a person would type it from here. */
export const displayPath = (path: string): string => {
  const fromHere = relative(process.cwd(), path);
  return fromHere === '' || fromHere.startsWith('..') ? path : fromHere;
};

export interface TerminalPart {
  readonly name: string;
  readonly logFile?: string;
}

export interface Terminal {
  /** What this start waits for; `n of m` counts them. */
  readonly expect: (parts: readonly TerminalPart[]) => void;
  readonly step: (name: string, message: string) => void;
  /** Also of a part that is ready again. */
  readonly ready: (name: string, note?: string) => void;
  /** The system runs without it. `reason`: sentences in our own words. */
  readonly off: (name: string, reason: string) => void;
  /** Parts that are neither ready nor off. */
  readonly pending: () => readonly string[];
  /** Parts that are off, with the reason. */
  readonly offParts: () => ReadonlyMap<string, string>;
  /** From now on lines have the time of day. */
  readonly complete: () => void;
}

interface PartState {
  readonly logFile: string | undefined;
  state: 'pending' | 'ready' | 'off';
  reason: string;
  hasPrinted: boolean;
}

export interface TerminalOptions {
  readonly write: (text: string) => void;
  /** Milliseconds since the process began. */
  readonly elapsed: () => number;
  readonly timeOfDay: () => string;
}

const stampWidth = 8;

export const openTerminal = ({ write, elapsed, timeOfDay }: TerminalOptions): Terminal => {
  const parts = new Map<string, PartState>();
  let isComplete = false;

  const stamp = (): string => (isComplete ? timeOfDay() : `${(elapsed() / 1_000).toFixed(1)} s`);
  const logOf = (part: PartState | undefined): string => {
    if (part === undefined || part.hasPrinted || part.logFile === undefined) return '';
    return ` (log: ${displayPath(part.logFile)})`;
  };
  const step = (name: string, message: string): void => {
    const part = parts.get(name);
    write(`  ${stamp().padStart(stampWidth)}  ${name.padEnd(14)} ${shortened(message)}${logOf(part)}\n`);
    if (part !== undefined) part.hasPrinted = true;
  };
  const settled = (): number => [...parts.values()].filter(({ state }) => state !== 'pending').length;
  const settle = (name: string, state: 'ready' | 'off', reason = ''): string => {
    const part = parts.get(name);
    if (part === undefined) return '';
    const wasPending = part.state === 'pending';
    part.state = state;
    part.reason = reason;
    return wasPending ? `${settled()} of ${parts.size}` : 'again';
  };
  return {
    expect: (added) => {
      for (const { name, logFile } of added)
        if (!parts.has(name)) parts.set(name, { logFile, state: 'pending', reason: '', hasPrinted: false });
    },
    step,
    ready: (name, note) => {
      const count = settle(name, 'ready');
      step(name, ['ready', ...(count === '' ? [] : [count]), ...(note === undefined ? [] : [note])].join(', '));
    },
    off: (name, reason) => {
      settle(name, 'off', reason);
      step(name, `off: ${reason}`);
    },
    pending: () => [...parts].flatMap(([name, { state }]) => (state === 'pending' ? [name] : [])),
    offParts: () =>
      new Map([...parts].flatMap(([name, { state, reason }]) => (state === 'off' ? [[name, reason] as const] : []))),
    complete: () => {
      isComplete = true;
    },
  };
};

/** Of this process. */
export const terminal = openTerminal({
  write: (text) => void process.stdout.write(text),
  elapsed: () => performance.now(),
  timeOfDay: () => new Date().toTimeString().slice(0, 8),
});

export const { step } = terminal;

interface LogLine {
  readonly level?: number;
  readonly msg?: string;
  /** A sentence of ours, where there is one. */
  readonly detail?: unknown;
  /** Of a configuration. */
  readonly faults?: unknown;
}

const faultsText = (faults: unknown): string | undefined =>
  Array.isArray(faults)
    ? faults
        .map((fault: { readonly variable?: unknown; readonly expected?: unknown }) =>
          fault.variable === undefined ? '' : `${fault.variable} must be ${fault.expected}`,
        )
        .filter((text) => text !== '')
        .join('; ')
    : undefined;

const specificsOf = ({ detail, faults }: LogLine): string => {
  const text = typeof detail === 'string' ? detail : faultsText(faults);
  return text === undefined || text === '' ? '' : `: ${text}`;
};

/** What another program or a runtime printed is in the log file only; a sentence of our own programs may stand alone. */
const ownSentence = /^[A-Z][^{}]*\.$/;

/** The messages of warnings and errors, which are texts of ours. Their other fields are in the log file. */
const terminalText = (text: string, showsSentences: boolean): string | undefined => {
  if (!text.startsWith('{')) return showsSentences && ownSentence.test(text) ? text : undefined;
  try {
    const line = JSON.parse(text) as LogLine;
    if (line.level === undefined || line.msg === undefined || line.level < warnLevel) return undefined;
    return `${line.level > warnLevel ? 'error' : 'warning'}: ${line.msg}${specificsOf(line)}`;
  } catch {
    return undefined;
  }
};

export interface Logs {
  /** Writes one line of a service's output to its log file; the message of a warning or an error also to the terminal. */
  readonly lineOf: (name: string, options?: { readonly showsSentences?: boolean }) => (text: string) => void;
  /** Writes lines to a log file alone. */
  readonly fileOf: (name: string) => (text: string) => void;
  readonly pathOf: (name: string) => string;
  readonly close: () => void;
}

/** Their output goes to a file beside their data. */
const servers: readonly string[] = ['postgres', 'redis', 'elasticsearch'];

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
  const pathOf = (name: string): string =>
    servers.includes(name) ? join(dataDirectory, name, 'output.log') : join(directory, `${name}.log`);
  const fileOf = (name: string): ((text: string) => void) => {
    const file = fresh(pathOf(name));
    files.push(file);
    return (text) => void file.write(`${text}\n`);
  };
  return {
    pathOf,
    fileOf,
    lineOf: (name, { showsSentences = false } = {}) => {
      const write = fileOf(name);
      return (text) => {
        write(text);
        const message = terminalText(text, showsSentences);
        if (message !== undefined) step(name, `${message} (see ${displayPath(pathOf(name))})`);
      };
    },
    close: () => {
      for (const file of files) file.end();
    },
  };
};

/** The part that a line of the launcher is about. */
const subjectOf = (fields: Readonly<Record<string, unknown>>): string => {
  const subject = fields.service ?? fields.server;
  return typeof subject === 'string' ? subject : 'launcher';
};

/** The launcher's own log: a file, with the messages of warnings and errors in the terminal, too. */
export const openLauncherLog = (logs: Logs): Log => {
  const write = logs.fileOf('launcher');
  const log = openLog({ service: 'launcher', level: 'info', destination: { write: (line) => write(line.trimEnd()) } });
  const show = (fields: Readonly<Record<string, unknown>>, message: string): void => {
    const subject = subjectOf(fields);
    step(subject, `${message}${specificsOf(fields)} (see ${displayPath(logs.pathOf(subject))})`);
  };
  return {
    debug: log.debug,
    info: log.info,
    audit: log.audit,
    warn: (fields, message) => {
      log.warn(fields, message);
      show(fields, message);
    },
    error: (fields, message) => {
      log.error(fields, message);
      show(fields, `error: ${message}`);
    },
  };
};
