/** The jobs of a run as a graph: what a job needs is to its left. The boxes are links in the order of the graph. */
import type { JobSummary, RunStatus } from '../../../../packages/client/src/schemas';
import { Elapsed } from '../../components/timestamp';
import { countOf } from '../../kernel/format';
import { isActive, RunState } from '../labels';
import { jobPath } from '../paths';
import { layOutGraph, nodeHeight, nodeWidth } from './graph-layout';

/** The status of a matrix is that of its first job in this order. */
const urgency: readonly RunStatus[] = [
  'failure',
  'timed_out',
  'canceling',
  'in_progress',
  'waiting_for_runner',
  'queued',
  'canceled',
  'success',
  'skipped',
];

const statusOf = (jobs: readonly JobSummary[]): RunStatus =>
  urgency.find((status) => jobs.some((job) => job.status === status)) ?? 'queued';

const firstOf = (jobs: readonly JobSummary[]): JobSummary | undefined =>
  jobs.find(({ status }) => status === statusOf(jobs));

const JobTime = ({ job: { startedAt, completedAt, status } }: { readonly job: JobSummary }) =>
  startedAt === undefined ? null : <Elapsed from={startedAt} to={completedAt ?? null} isRunning={isActive(status)} />;

interface Props {
  readonly runId: string;
  readonly jobs: readonly JobSummary[];
}

export const JobGraph = ({ runId, jobs }: Props) => {
  const { nodes, edges, width, height } = layOutGraph(jobs);
  const inOrder = nodes.toSorted((one, other) => one.level - other.level || one.row - other.row);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide graph is scrolled by keyboard.
    <section class="job-graph" aria-label="Jobs and their dependencies" tabIndex={0}>
      <div style={{ width: `${width}px`, height: `${height}px` }}>
        <svg width={width} height={height} aria-hidden="true">
          {edges.map(({ from, to, path }) => (
            <path key={`${from} ${to}`} d={path} />
          ))}
        </svg>
        {inOrder.map(({ key, jobs: group, x, y }) => {
          const style = { left: `${x}px`, top: `${y}px`, width: `${nodeWidth}px`, height: `${nodeHeight}px` };
          const job = firstOf(group);
          const jobId = job?.jobId ?? '';
          return (
            <a key={key} class="job-node" style={style} href={jobPath({ runId, jobId })}>
              <span class="name">{group.length === 1 ? (group[0]?.name ?? key) : key}</span>
              <span>
                <RunState status={statusOf(group)} />{' '}
                <span class="faint">
                  {group.length > 1 ? countOf(group.length, 'job') : job !== undefined && <JobTime job={job} />}
                </span>
              </span>
            </a>
          );
        })}
      </div>
    </section>
  );
};
