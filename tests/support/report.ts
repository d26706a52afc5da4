/**
 * What mocha prints, and at its end whatever failed once and was tried again: real servers on a full machine make a test fail now and
 * then, and a whole run is not to be lost by that; nor is it to be hidden.
 */
import { type MochaOptions, type Runner, reporters, type Test } from 'mocha';

/** A class, as mocha wants it. */
export default class Report extends reporters.Spec {
  constructor(runner: Runner, options: MochaOptions) {
    super(runner, options);
    const failed: string[] = [];
    runner.on('retry', (test: Test, error: Error) => {
      failed.push(`  ${test.fullTitle()}\n    ${error.stack ?? error.message}`);
    });
    runner.once('end', () => {
      if (failed.length === 0) return;
      console.log(`  ${failed.length} failed once and were tried again:\n\n${failed.join('\n\n')}\n`);
    });
  }
}
