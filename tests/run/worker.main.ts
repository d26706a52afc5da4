/** Runs the test files that the runner names, one after the other, and reports each. */
import Mocha, { type Hook, type Runnable } from 'mocha';
import { isMissing, prerequisites, takeDeclared } from '../support/runner/prerequisites';
import { takeSkipReasons } from '../support/runner/skip';
import { writeReports } from './hung-worker';
import type { FromWorker, TestResult, ToWorker } from './messages';
import { skipWhereMissing } from './skip-where-missing';
import { recordPrograms } from './started-programs';

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
  const programs = recordPrograms();
  await mocha.loadFilesAsync();
  skipWhereMissing(mocha.suite);
  return new Promise((resolve) => {
    const runner = mocha.run(() => {
      mocha.dispose();
      const undeclared = programs.takeUndeclared();
      if (undeclared !== undefined) send({ kind: 'result', result: undeclared });
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

/** Answers why tests of the file would be skipped here. */
const plan = async (path: string): Promise<readonly string[]> => {
  const mocha = new Mocha({ reporter: Silent });
  mocha.cleanReferencesAfterRun(true);
  mocha.addFile(path);
  takeDeclared();
  await mocha.loadFilesAsync();
  const tests = mocha.suite.total();
  mocha.dispose();
  const reasons: string[] = [];
  for (const name of takeDeclared()) if (await isMissing(name)) reasons.push(prerequisites[name].reason);
  const result = { title: `loads ${tests} tests`, milliseconds: 0 } as const;
  if (tests === 0) throw new Error('The file has no tests.');
  send({ kind: 'result', result: { ...result, state: reasons.length === 0 ? 'passed' : 'skipped' } });
  return reasons;
};

process.on('message', (message: ToWorker) => {
  if (message.kind !== 'run') return;
  process.env.TEST_FILE_NUMBER = String(message.number);
  process.env.TEST_SIZE = message.size;
  const { path, testMilliseconds, isPlanOnly } = message;
  void (isPlanOnly ? plan(path) : run(path, testMilliseconds))
    .catch(failedToLoad)
    .then((skipReasons) => send({ kind: 'done', skipReasons }));
});

if (process.env.TEST_RUN_DIRECTORY !== undefined) writeReports(process.env.TEST_RUN_DIRECTORY);
// Without the runner there is nothing to run for.
process.once('disconnect', () => process.exit(1));
send({ kind: 'ready' });
