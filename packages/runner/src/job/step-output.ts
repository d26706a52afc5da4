/** What a step prints: masked lines for the log, and commands. */
import type { Annotation } from '../../../../domain/workflow/run/events';
import { type LinePiece, type LineReader, openLineReader } from '../logs/line-reader';
import type { LogWriter } from '../logs/log-writer';
import type { Masker } from '../logs/masker';
import { openCommandReader, type WorkflowCommand } from './workflow-commands';

export interface StepOutput {
  readonly push: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => Promise<void>;
  readonly end: () => Promise<void>;
}

export interface StepOutputOptions {
  readonly log: LogWriter;
  readonly masker: Masker;
  readonly annotate: (annotation: Annotation) => void;
  readonly setOutput: (name: string, value: string) => void;
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

export const openStepOutput = ({
  log,
  masker,
  annotate,
  setOutput,
  partialMilliseconds,
}: StepOutputOptions): StepOutput => {
  let text = '';
  /** What the log shows of a command's line; undefined: the line itself. */
  const perform = ({ name, properties, message }: WorkflowCommand): string | undefined => {
    const level = levels.find((each) => each === name);
    if (level !== undefined) {
      annotate(annotationOf(level, masker.mask(message), properties));
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
        masker.add(message);
        return '';
      case 'set-output':
        if (properties.name !== undefined) setOutput(properties.name, message);
        return '';
      default:
        return undefined;
    }
  };
  const open = (): LineReader => {
    const commands = openCommandReader();
    const accept = ({ text: line, begins, ends }: LinePiece): void => {
      const isWhole = begins && ends;
      if (isWhole && line.includes('::')) {
        const { command, hides } = commands.read(line);
        if (hides) return;
        const shown = command === undefined ? undefined : perform(command);
        if (shown === '') return;
        text += `${masker.mask(shown ?? line)}\n`;
        return;
      }
      text += `${masker.mask(line)}${ends ? '\n' : ''}`;
    };
    return openLineReader(accept, masker.heldBack);
  };
  const readers = { stdout: open(), stderr: open() };
  const write = (): Promise<void> => {
    const written = text;
    text = '';
    return log.write(written);
  };
  const timers = new Map<string, NodeJS.Timeout>();
  return {
    push: (stream, bytes) => {
      const reader = readers[stream];
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
      readers.stdout.end();
      readers.stderr.end();
      await write();
    },
  };
};
