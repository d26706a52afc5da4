/** A process of its own for the model: 250 MB that services do not carry, and an end for what hangs. */
import { type ChildProcess, fork } from 'node:child_process';
import { type Either, left, right } from 'fp-ts/Either';
import { reasonIn } from '../../../programs/run-program';
import { watch } from '../../../programs/watchdog';
import type { ModelFiles } from '../model/fetch-model';
import type { FromInference, ToInference } from './messages';

export interface InferenceLimits {
  readonly startMilliseconds: number;
  /** For one message of texts. */
  readonly runMilliseconds: number;
}

export interface InferenceFault {
  /** `ended`: the process is gone. `refused`: the model returned an error; the process continues. */
  readonly kind: 'ended' | 'refused';
  readonly cause: string;
}

export interface InferenceProcess {
  readonly pid: number;
  /** One call at a time. A process that exceeds its time is ended. */
  readonly run: (texts: readonly string[]) => Promise<Either<InferenceFault, readonly Float32Array[]>>;
  readonly isRunning: () => boolean;
  readonly end: () => Promise<void>;
}

const script = require.resolve('./inference.main');
/** Of JavaScript: the vocabulary and one message. The model's 200 MB are beside it. */
const heapMegabytes = 128;
const mostErrorCharacters = 4_000;

const spawned = ({ runtime, model, tokenizer }: ModelFiles): ChildProcess =>
  fork(script, [runtime, model, tokenizer], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [...process.execArgv, `--max-old-space-size=${heapMegabytes}`],
    // The service's environment holds secrets.
    env: {},
    // Ctrl-C in a terminal reaches the service alone, which drains first.
    detached: true,
  });

/** Resolves once the model is loaded. Left: why it is not. */
export const startInference = async (
  files: ModelFiles,
  { startMilliseconds, runMilliseconds }: InferenceLimits,
): Promise<Either<string, InferenceProcess>> => {
  let child: ChildProcess;
  try {
    child = spawned(files);
  } catch (error) {
    // The machine is out of memory or of processes.
    return left(String(error));
  }
  const callOff =
    child.pid === undefined ? () => undefined : watch({ pid: child.pid, force: 'SIGKILL', account: undefined });
  let errors = '';
  let isTooSlow = false;
  let isOver = false;
  let receive: (message: FromInference | undefined) => void = () => undefined;
  let timer: NodeJS.Timeout | undefined;

  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-mostErrorCharacters);
  });
  child.on('message', (message: FromInference) => receive(message));
  const exited = new Promise<void>((resolve) => {
    const settle = (error?: unknown): void => {
      if (error instanceof Error) errors += `\n${error.message}`;
      isOver = true;
      callOff();
      receive(undefined);
      resolve();
    };
    child.once('error', settle);
    child.once('exit', () => settle());
  });
  // An idle process keeps no service alive; while one is waited for, the timer does.
  child.unref();
  child.channel?.unref();
  (child.stderr as unknown as { unref?: () => void } | null)?.unref?.();

  const nextMessage = (milliseconds: number): Promise<FromInference | undefined> =>
    new Promise((resolve) => {
      if (isOver) return resolve(undefined);
      timer = setTimeout(() => {
        isTooSlow = true;
        child.kill('SIGKILL');
      }, milliseconds);
      receive = (message) => {
        clearTimeout(timer);
        receive = () => undefined;
        resolve(message);
      };
    });
  const causeOfEnd = (): string => (isTooSlow ? 'it took too long' : errors === '' ? 'it was ended' : reasonIn(errors));

  const run: InferenceProcess['run'] = async (texts) => {
    const answer = nextMessage(runMilliseconds);
    const message: ToInference = { kind: 'embed', texts };
    // What cannot be sent has ended, and `exit` follows.
    if (!isOver && child.connected) child.send(message, () => undefined);
    const received = await answer;
    if (received?.kind === 'vectors') return right(received.vectors);
    if (received?.kind === 'failed') return left({ kind: 'refused', cause: received.error });
    return left({ kind: 'ended', cause: causeOfEnd() });
  };
  // There is nothing that it could lose.
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };

  const first = await nextMessage(startMilliseconds);
  if (first?.kind !== 'ready') return left(causeOfEnd());
  return right({ pid: child.pid as number, run, isRunning: () => !isOver, end });
};
