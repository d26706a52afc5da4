/** What a run prints: a line for each file, failures as they come and again at the end, the slowest tests, and why tests were skipped. */
import type { TestFile } from './files';
import type { FileResult, TestResult } from './messages';
import type { FileRun } from './pool';

const slowestCount = 20;
/** Of what a failed file printed, the end. */
const printedCharacters = 20_000;

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1).padStart(6)} s`;

interface Failure {
  readonly where: string;
  readonly text: string;
}

const indented = (text: string): string => text.replaceAll(/^/gm, '    ');

export const openReport = (print: (line: string) => void) => {
  const began = Date.now();
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failures: Failure[] = [];
  const timed: { readonly where: string; readonly milliseconds: number }[] = [];
  const skipped = new Map<string, number>();
  const durations: Record<string, number> = {};

  const fail = (where: string, text: string): void => {
    failures.push({ where, text });
    print(`  failed: ${where}\n${indented(text)}`);
  };

  const addFile = ({ name, suite }: TestFile, { results, skipReasons }: FileResult, run: FileRun): void => {
    const { milliseconds, processorMilliseconds, output } = run;
    durations[`${suite.name} ${name}`] = milliseconds;
    const of = (state: TestResult['state']): number => results.filter((result) => result.state === state).length;
    const states = (['passed', 'failed', 'skipped'] as const).filter((state) => of(state) > 0);
    for (const state of states) counts[state] += of(state);
    const mark = of('failed') === 0 ? 'ok  ' : 'FAIL';
    print(
      `${mark} ${seconds(milliseconds)} ${seconds(processorMilliseconds)} of processor  ${name} (${states.map((state) => `${of(state)} ${state}`).join(', ')})`,
    );
    for (const { title, state, error, milliseconds: took } of results) {
      timed.push({ where: `${name}: ${title}`, milliseconds: took });
      if (state === 'failed') fail(`${name}: ${title}`, error ?? '');
    }
    if (of('failed') > 0 && output !== '') print(`  what it printed:\n${indented(output.slice(-printedCharacters))}`);
    if (of('skipped') > 0) {
      const reason = skipReasons.join('; ') || 'no reason was given';
      skipped.set(reason, (skipped.get(reason) ?? 0) + of('skipped'));
    }
  };

  const addScript = (script: string, code: number, output: string, milliseconds: number): void => {
    print(`${code === 0 ? 'ok  ' : 'FAIL'} ${seconds(milliseconds)}  npm run ${script}`);
    if (code === 0) return;
    counts.failed += 1;
    fail(`npm run ${script}`, output);
  };

  /** Answers whether everything passed. */
  const end = (): boolean => {
    if (timed.length > slowestCount) {
      print('\nThe slowest tests:');
      const slowest = timed.toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, slowestCount);
      for (const { where, milliseconds } of slowest) print(`  ${seconds(milliseconds)}  ${where}`);
    }
    if (skipped.size > 0) print('\nSkipped:');
    for (const [reason, count] of skipped) print(`  ${count} tests: ${reason}`);
    if (failures.length > 0) print('\nFailed:');
    for (const { where, text } of failures) print(`  ${where}\n${indented(text)}`);
    const took = Math.round((Date.now() - began) / 1000);
    const time = took < 60 ? `${took} s` : `${Math.floor(took / 60)} min ${took % 60} s`;
    print(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped in ${time}`);
    return counts.failed === 0;
  };

  return { addFile, addScript, fail, end, durations };
};
