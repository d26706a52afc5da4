/** Transcribes by Whisper in a Python process of its own for each recording, one at a time. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decimal, decodeStored, integer, record, text } from '../../../../domain/kernel/codec';
import { fault } from '../../../../domain/kernel/rejection';
import { onPath } from '../../../../packages/sandbox/src/on-path';
import type { SpeechRecording, SpokenPassage, Transcriber, TranscriberFault } from '../../../ports/files/transcriber';
import { reasonIn } from '../../programs/run-program';
import { watch } from '../../programs/watchdog';
import type { WhisperFiles } from './fetch-whisper';
import { whisperScript } from './whisper-script';

const Passage = record('WhisperPassage', {
  startMs: integer(0),
  endMs: integer(1),
  text: text('WhisperText', { content: 'any', maxLength: 10_000 }),
  confidence: decimal(0, 1),
});
const Line = t.union([Passage, record('WhisperProgress', { doneMs: integer(0) })], 'WhisperLine');

/** Five minutes of speech take about one minute of a busy processor. */
const silenceMilliseconds = 600_000;
const mostPassages = 100_000;
const mostErrorCharacters = 4_000;

const unavailable = (detail: string): Either<TranscriberFault, never> => left(fault('transcriber-unavailable', detail));

type Passages = Either<TranscriberFault, readonly SpokenPassage[]>;

const runWhisper = async (
  { model, libraries }: WhisperFiles,
  { path, signal, reportProgress }: SpeechRecording,
): Promise<Passages> => {
  if (signal.aborted) return left(fault('transcription-aborted', 'It was ended.'));
  if (statSync(path).size === 0) return right([]);
  const program = onPath('python3');
  if (program === undefined) return unavailable('There is no python3 on the PATH, which transcribes speech.');
  const child = spawn(program, ['-c', whisperScript, model, path], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // The service's environment holds secrets.
    env: {
      PATH: process.env.PATH,
      PYTHONPATH: libraries.join(':'),
      OMP_NUM_THREADS: '1',
      PYTHONDONTWRITEBYTECODE: '1',
    },
    detached: true,
  });
  const callOff =
    child.pid === undefined ? () => undefined : watch({ pid: child.pid, force: 'SIGKILL', account: undefined });
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  const timer = setTimeout(kill, silenceMilliseconds);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    errors = (errors + part).slice(-mostErrorCharacters);
  });
  const closed = once(child, 'close').catch((error: unknown) => {
    errors += String(error);
  });
  const passages: SpokenPassage[] = [];
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      timer.refresh();
      const value = decodeStored(Line, JSON.parse(line));
      if (isLeft(value)) return unavailable('The program that transcribes speech answers with something unknown.');
      if ('doneMs' in value.right) reportProgress(value.right.doneMs);
      else if (passages.length < mostPassages) passages.push(value.right);
    }
    await closed;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
    kill();
    callOff();
  }
  const isAborted = (): boolean => signal.aborted;
  if (isAborted()) return left(fault('transcription-aborted', 'It was ended.'));
  if (child.exitCode === 0) return right(passages);
  const cause = reasonIn(errors).slice(0, 200);
  return left(fault('transcriber-unavailable', 'Speech could not be transcribed.', cause));
};

const whisperModel = 'whisper-tiny.en-ct2-int8';

export const openWhisper = (files: WhisperFiles): Transcriber => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    model: whisperModel,
    transcribe: (recording) => {
      const mine = last.then(() => runWhisper(files, recording));
      last = mine.catch(() => undefined);
      return mine;
    },
    close: async () => {
      await last;
    },
  };
};
