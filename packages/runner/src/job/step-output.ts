/** What a step prints: masked lines for the log, and commands. */
import type { Annotation } from '../../../../domain/workflow/run/events';
import { type LinePiece, openLineReader } from '../logs/line-reader';
import type { LogWriter } from '../logs/log-writer';
import type { Masker } from '../masks/masker';
import { openCommandReader, rawMessage, type WorkflowCommand } from './workflow-commands';

export interface StepOutput {
  readonly push: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => Promise<void>;
  readonly end: () => Promise<void>;
}

export interface StepOutputOptions {
  readonly log: LogWriter;
  readonly masker: Masker;
  readonly annotate: (annotation: Annotation) => void;
  readonly setOutput: (name: string, value: string) => void;
  /** A command could not be performed, and the step fails. */
  readonly refuse: (detail: string) => void;
  /** How long an unfinished line waits for its rest. */
  readonly partialMilliseconds: number;
}

const levels = ['error', 'warning', 'notice'] as const;

export const cut = (text: string, most: number): string =>
  text.length <= most ? text.toWellFormed() : `${text.slice(0, most - 1).toWellFormed()}…`;

export const annotationOf = (
  level: Annotation['level'],
  message: string,
  { title, file, line }: { readonly [name: string]: string } = {},
): Annotation => {
  const number = Number(line);
  return {
    level,
    message: cut(message, 4_000),
    title: title === undefined || title === '' ? null : cut(title, 300),
    file: file === undefined || file === '' ? null : cut(file, 500),
    line: Number.isSafeInteger(number) && number >= 1 ? number : null,
  };
};

/** Any program that prints could use them; GitHub has disabled them since 2020. */
const disabledCommands = { 'set-env': 'GITHUB_ENV', 'add-path': 'GITHUB_PATH' };

export const openStepOutput = ({
  log,
  masker,
  annotate,
  setOutput,
  refuse,
  partialMilliseconds,
}: StepOutputOptions): StepOutput => {
  const addMask = (message: string, line: string): string => {
    // As it was escaped, and as it stands: programs print secrets without escaping them.
    for (const value of new Set([message, rawMessage(line)])) {
      const added = masker.add(value);
      if (added.kind === 'refused') refuse(added.detail);
      if (added.kind === 'ignored') return `##[warning]${added.detail}`;
    }
    return '';
  };
  /** What the log shows of a command's line; undefined: the line itself. */
  const perform = ({ name, properties, message }: WorkflowCommand, line: string): string | undefined => {
    const level = levels.find((each) => each === name);
    if (level !== undefined) {
      // Masked before it is cut: half of a secret would not be found.
      const masked = Object.entries(properties).map(([key, value]) => [key, masker.mask(value)] as const);
      annotate(annotationOf(level, masker.mask(message), Object.fromEntries(masked)));
      return `##[${level}]${message}`;
    }
    switch (name) {
      case 'group':
        return `##[group]${message}`;
      case 'endgroup':
        return '##[endgroup]';
      case 'debug':
      case 'echo':
        return '';
      case 'add-mask':
        return addMask(message, line);
      case 'set-output':
        if (properties.name !== undefined) setOutput(properties.name, message);
        return '';
      case 'set-env':
      case 'add-path':
        refuse(`The command ${name} is disabled: write to the file ${disabledCommands[name]} instead.`);
        return '';
      case 'save-state':
        return '';
      case 'add-matcher':
      case 'remove-matcher':
        return `##[warning]The command ${name} has no effect: no annotations are made by matchers.`;
      default:
        return undefined;
    }
  };
  const openStream = () => {
    const commands = openCommandReader();
    const masking = masker.openStream();
    let text = '';
    const accept = ({ text: line, begins, ends, isCut }: LinePiece): void => {
      if (isCut) {
        refuse('A line with add-mask is too long. What programs print is left out from here on.');
        masker.maskEverything();
        return;
      }
      const isWhole = begins && ends;
      if (isWhole && line.includes('::')) {
        const { command, hides } = commands.read(line);
        if (hides) return;
        const replacement = command === undefined ? undefined : perform(command, line);
        if (replacement !== '') text += `${replacement ?? line}\n`;
        return;
      }
      text += `${line}${ends ? '\n' : ''}`;
    };
    /** Masked when it is written: masks of later lines of the same piece count, too. */
    const take = (isLast: boolean): string => {
      const taken = text;
      text = '';
      const masked = masking.push(taken);
      return isLast ? `${masked}${masking.end()}` : masked;
    };
    return { reader: openLineReader(accept), take };
  };
  const streams = { stdout: openStream(), stderr: openStream() };
  const write = (isLast = false): Promise<void> => log.write(streams.stdout.take(isLast) + streams.stderr.take(isLast));
  const timers = new Map<string, NodeJS.Timeout>();
  return {
    push: (stream, bytes) => {
      const { reader } = streams[stream];
      clearTimeout(timers.get(stream));
      reader.push(bytes);
      timers.set(
        stream,
        setTimeout(() => {
          reader.flushPartial();
          void write();
        }, partialMilliseconds),
      );
      return write();
    },
    end: async () => {
      for (const timer of timers.values()) clearTimeout(timer);
      streams.stdout.reader.end();
      streams.stderr.reader.end();
      await write(true);
    },
  };
};
