/** Why a run failed: of each failed job the step, its errors, and the last lines that it wrote. */
import { listWorkflowJobs, readJobLog } from '../../../../packages/client/src/operations';
import type {
  Annotation,
  JobAttempt,
  JobSummary,
  StepReport,
  WorkflowJob,
} from '../../../../packages/client/src/schemas';
import { useResource } from '../../kernel/use-resource';
import { jobReasonOf } from '../labels';
import { textOf } from '../log/ansi';
import { contentOf } from '../log/line-kind';
import { jobPath } from '../paths';
import { failedStepOf, failureLines } from './failure-lines';

/** Whose logs are read; the others are in the list of jobs. */
const mostJobs = 5;
const mostErrors = 5;

export const hasFailed = ({ status }: Pick<JobSummary, 'status'>): boolean =>
  status === 'failure' || status === 'timed_out';

const sentenceOf = ({ number, name, status, exitCode }: StepReport): string => {
  const step = `Step ${number}, “${name}”,`;
  if (status === 'timed_out') return `${step} took longer than its timeout.`;
  return exitCode === null ? `${step} could not be run.` : `${step} failed with exit code ${exitCode}.`;
};

const placeOf = ({ file, line }: Annotation): string | undefined => {
  if (file === null) return undefined;
  return line === null ? file : `${file}, line ${line}`;
};

const Errors = ({ annotations }: Pick<JobAttempt, 'annotations'>) => {
  const errors = annotations.filter(({ level }) => level === 'error').slice(0, mostErrors);
  if (errors.length === 0) return null;
  return (
    <ul class="changes annotations">
      {errors.map((error, index) => (
        <li key={index}>
          {error.title !== null && <strong>{error.title}: </strong>}
          {error.message}
          {placeOf(error) !== undefined && <div class="below mono">{placeOf(error)}</div>}
        </li>
      ))}
    </ul>
  );
};

interface EndProps {
  readonly job: WorkflowJob;
  readonly latest: JobAttempt;
}

const EndOfLog = ({ job: { jobId, runId, name }, latest: { attempt, steps } }: EndProps) => {
  const { content } = useResource(readJobLog({ jobId, attempt, beforeOffset: 'end' }));
  const lines = content === undefined ? [] : failureLines(content, steps);
  if (lines.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard.
    <section class="failure-log" aria-label={`The end of the log of ${name}`} tabIndex={0}>
      {lines.map(({ number, text, kind }) => (
        <div key={number} class={`log-line ${kind}`}>
          <a class="log-number" href={jobPath({ runId, jobId, attempt, line: number })} aria-label={`Line ${number}`}>
            {number}
          </a>
          <span class="log-text">{textOf(contentOf(text, kind))}</span>
        </div>
      ))}
    </section>
  );
};

const Failure = ({ job }: { readonly job: WorkflowJob }) => {
  const latest = job.attempts.at(-1);
  const step = failedStepOf(latest?.steps ?? []);
  const reason = job.reason === null ? undefined : jobReasonOf(job.reason);
  return (
    <article class="failure">
      <h3>
        <a href={jobPath({ runId: job.runId, jobId: job.jobId })}>{job.name}</a>
      </h3>
      <p>{step === undefined ? (reason ?? 'The job failed.') : sentenceOf(step)}</p>
      {latest !== undefined && <Errors annotations={latest.annotations} />}
      {latest !== undefined && <EndOfLog job={job} latest={latest} />}
    </article>
  );
};

export const RunFailures = ({ runId }: { readonly runId: string }) => {
  const { content } = useResource(listWorkflowJobs({ runId, limit: 200 }));
  const failed = (content?.items ?? []).filter(hasFailed);
  if (failed.length === 0) return null;
  return (
    <section class="section">
      <h2>Why it failed</h2>
      {failed.slice(0, mostJobs).map((job) => (
        <Failure key={job.jobId} job={job} />
      ))}
      {failed.length > mostJobs && (
        <p class="more">{failed.length - mostJobs} more failed jobs are in the list below.</p>
      )}
    </section>
  );
};
