/** Assignments with the steps of a test. */
import { jobId } from './control-plane';

export interface StepInput {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: { readonly [name: string]: string };
  readonly shell?: string;
  readonly env?: { readonly [name: string]: string };
  readonly timeoutMinutes?: number | string;
  readonly continueOnError?: boolean | string;
  readonly workingDirectory?: string;
}

export interface JobInput {
  readonly steps: readonly StepInput[];
  readonly env?: { readonly [name: string]: string };
  readonly outputs?: { readonly [name: string]: string };
  readonly contexts?: { readonly [name: string]: unknown };
  readonly epoch?: number;
  readonly leaseSeconds?: number;
  readonly timeoutMinutes?: number;
  readonly cancelGraceSeconds?: number;
  readonly repository?: { readonly url: string; readonly ref: string; readonly commitSha: string };
}

/** As workflow files write it. */
export const expression = (text: string): string => `$\{{ ${text} }}`;

export const jobToken = 'job-token-that-no-log-shows';

export const assignmentOf = ({ steps, epoch = 1, ...job }: JobInput) => ({
  type: 'assign',
  assignment: {
    runId: '0197c9a0-0000-7000-8000-0000000000cc',
    jobId,
    attempt: epoch,
    epoch,
    name: 'test',
    timeoutMinutes: job.timeoutMinutes ?? 10,
    cancelGraceSeconds: job.cancelGraceSeconds ?? 60,
    leaseSeconds: job.leaseSeconds ?? 20,
    content: {
      env: job.env ?? {},
      outputs: job.outputs ?? {},
      matrix: {},
      strategy: { jobIndex: 0, jobTotal: 1, failFast: true, maxParallel: 1 },
      steps: steps.map((step, index) => ({
        id: step.id ?? `step-${index + 1}`,
        name: step.name ?? step.run ?? step.uses ?? '',
        condition: step.if ?? null,
        run: step.uses === undefined ? (step.run ?? '') : null,
        uses: step.uses ?? null,
        with: step.with ?? {},
        shell: step.shell ?? null,
        workingDirectory: step.workingDirectory ?? null,
        env: step.env ?? {},
        timeoutMinutes: step.timeoutMinutes ?? null,
        continueOnError: step.continueOnError ?? false,
      })),
    },
    contexts: {
      github: { repository: 'acme/site', ref: 'refs/heads/main', sha: 'a'.repeat(40), event: { number: 7 } },
      ...job.contexts,
    },
    repository: {
      repoId: '0197c9a0-0000-7000-8000-0000000000dd',
      ...(job.repository ?? { url: 'http://127.0.0.1:9/none', ref: 'refs/heads/main', commitSha: 'a'.repeat(40) }),
    },
    jobToken,
  },
});
