/** `@septet/runner`: runs jobs of workflows on this machine. */
export { type Runner, type RunnerEnd, type RunnerOptions, type RunnerTiming, startRunner } from './runner';
export type { RunnerLog } from './runner-log';
