/**
 * Definitions for tests of runs: a file is JSON with jobs as `{ needs?, if?, lostRetries?, … }`, and a condition is `always`, `failure`, or a
 * key of `needs` whose output `go` must be `yes`.
 */
import { left, right } from 'fp-ts/Either';
import type { JobContent } from '../../../domain/workflow/protocol/job-content';
import type { NeedsContext } from '../../../domain/workflow/run/admission';
import type { Concurrency, JobNode } from '../../../domain/workflow/run/events';
import type { Definitions } from '../../../infra/ports/workflow/definitions';
import { node } from './runs';

export interface WrittenJob extends Partial<Omit<JobNode, 'jobId' | 'key' | 'condition'>> {
  readonly if?: string;
  /** The matrix is this output of the needed job, a JSON list. */
  readonly matrixFrom?: string;
}
export type WrittenJobs = { readonly [key: string]: WrittenJob };
/** With the concurrency group of the run. */
export interface WrittenGroup {
  readonly concurrency: Concurrency;
  readonly jobs: WrittenJobs;
}

const content: JobContent = {
  env: {},
  outputs: {},
  matrix: {},
  steps: [],
  strategy: { jobIndex: 0, jobTotal: 1, failFast: true, maxParallel: 1 },
};

const problem = (message: string) => left([{ message, line: null, column: null }]);

export const testDefinitions: Definitions = {
  readTriggers: async () => right({ name: undefined, matches: true, inputs: [] }),
  expand: async ({ yaml, jobId, key, contexts }) => {
    const read = JSON.parse(Buffer.from(yaml).toString()) as WrittenJobs | WrittenGroup | { readonly problem: string };
    if ('problem' in read && typeof read.problem === 'string') return problem(read.problem);
    const isGroup = 'concurrency' in read && 'jobs' in read;
    const { concurrency, jobs: file } = isGroup ? (read as WrittenGroup) : { concurrency: undefined, jobs: read };
    const written = Object.entries(file as WrittenJobs).filter(([name]) => key === undefined || key === name);
    const planned = written.filter(([, { matrixFrom }]) => matrixFrom !== undefined && key === undefined);
    const needs = contexts.needs as NeedsContext;
    const namesOf = (name: string, { matrixFrom }: WrittenJob): readonly string[] => {
      if (matrixFrom === undefined) return [name];
      const values = JSON.parse(needs[matrixFrom]?.outputs.matrix ?? '[]') as readonly string[];
      return values.map((value) => `${name} (${value})`);
    };
    const jobs = written.flatMap(([name, job]) => {
      if (planned.some(([other]) => other === name)) return [];
      const { if: condition = null, matrixFrom: _, ...more } = job;
      return namesOf(name, job).map((each) => node(jobId(each), { key: name, name: each, condition, ...more }));
    });
    if (jobs.length === 0 && key !== undefined) return problem(`The matrix of ${key} is empty.`);
    return right({
      jobs,
      planned: planned.map(([name, job]) => ({ key: name, needs: job.needs ?? [] })),
      content: { jobs: Object.fromEntries(jobs.map((job) => [job.jobId, content])) },
      parser: 'test 1',
      concurrency,
    });
  },
  holds: (condition, contexts, status) => {
    if (condition === null) return right(status.isSuccess);
    if (condition === 'always') return right(true);
    if (condition === 'failure') return right(status.hasFailure);
    const needed = (contexts.needs as NeedsContext)[condition];
    if (needed === undefined) return left({ message: `No job ${condition} is needed.`, line: null, column: null });
    return right(needed.outputs.go === 'yes');
  },
  close: async () => undefined,
};
