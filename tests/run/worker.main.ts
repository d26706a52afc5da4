/** Runs the test files that the runner names, one after the other, and reports each. */
import Mocha, { type Hook, type Runnable } from 'mocha';
import { takeSkipReasons } from '../support/runner/skip';
import type { FromWorker, TestResult, ToWorker } from './messages';

const { EVENT_HOOK_BEGIN, EVENT_TEST_BEGIN, EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_TEST_PENDING } =
  Mocha.Runner.constants;

const send = (message: FromWorker): void => void process.send?.(message);

const describeError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? error.message;
  // V8 cuts a stack's first lines from the message as it was when the error was made.
  const whole = text.includes(error.message) ? text : `${error.message}\n${text}`;
  return error.cause === undefined ? whole : `${whole}\n  caused by: ${describeError(error.cause)}`;
};

/** The runner prints. */
class Silent extends Mocha.reporters.Base {}

/** Answers why tests of the file were skipped. */
const run = async (path: string, testMilliseconds: number): Promise<readonly string[]> => {
  const add = (test: Runnable | Hook, state: TestResult['state'], error?: unknown): void =>
    send({
      kind: 'result',
      result: {
        title: test.fullTitle(),
        state,
        milliseconds: test.duration ?? 0,
        ...(error === undefined ? {} : { error: describeError(error) }),
      },
    });
  const mocha = new Mocha({ timeout: testMilliseconds, forbidOnly: true, reporter: Silent });
  mocha.cleanReferencesAfterRun(true);
  mocha.addFile(path);
  await mocha.loadFilesAsync();
  return new Promise((resolve) => {
    const runner = mocha.run(() => {
      mocha.dispose();
      resolve(takeSkipReasons());
    });
    const begin = (test: Runnable | Hook): void => send({ kind: 'begin', title: test.fullTitle() });
    runner.on(EVENT_TEST_BEGIN, begin);
    runner.on(EVENT_HOOK_BEGIN, begin);
    runner.on(EVENT_TEST_PASS, (test) => add(test, 'passed'));
    runner.on(EVENT_TEST_PENDING, (test) => add(test, 'skipped'));
    runner.on(EVENT_TEST_FAIL, (test, error) => add(test, 'failed', error));
  });
};

const failedToLoad = (error: unknown): readonly string[] => {
  const result = { title: 'loading the file', state: 'failed', milliseconds: 0, error: describeError(error) } as const;
  send({ kind: 'result', result });
  return [];
};

process.on('message', (message: ToWorker) => {
  if (message.kind !== 'run') return;
  process.env.TEST_FILE_NUMBER = String(message.number);
  process.env.TEST_SIZE = message.size;
  void run(message.path, message.testMilliseconds)
    .catch(failedToLoad)
    .then((skipReasons) => send({ kind: 'done', skipReasons }));
});

// Without the runner there is nothing to run for.
process.once('disconnect', () => process.exit(1));
send({ kind: 'ready' });
