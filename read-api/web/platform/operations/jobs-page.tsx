/** Jobs of work queues, by queue and state. */
import { listJobs } from '../../../../packages/client/src/operations';
import { EmptyState } from '../../components/empty-state';
import { FilterField } from '../../components/filter-field';
import { ChoiceField } from '../../components/form-fields';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { fromAddress, useFilterInput } from '../../kernel/use-filter-input';
import { usePages } from '../../kernel/use-pages';
import type { PageProps } from '../../shell/section';
import type { JobRow } from '../api-types';
import { jobPath } from '../paths';
import { nameOfJob } from './job-names';
import { JobProgress, JobState, jobStateName, jobStates } from './job-state';

const columns: readonly Column<JobRow>[] = [
  {
    title: 'Job',
    show: ({ jobId, queue, kind, reason, enqueuedAt }) => (
      <>
        <a href={jobPath(jobId)}>{nameOfJob({ queue, jobId })}</a>
        <div class="below mono">{kind === queue ? queue : `${queue}, ${kind}`}</div>
        {reason !== null && <div class="below">{reason}</div>}
        <div class="below narrow">
          <Timestamp at={enqueuedAt} />
        </div>
      </>
    ),
  },
  { title: 'State', show: (job) => <JobState job={job} /> },
  { title: 'Progress', isWide: true, show: (job) => <JobProgress job={job} /> },
  {
    title: 'Attempts',
    kind: 'number',
    isWide: true,
    show: ({ attempts, mostAttempts }) => `${attempts}/${mostAttempts}`,
  },
  { title: 'Queued', kind: 'tight', isWide: true, show: ({ enqueuedAt }) => <Timestamp at={enqueuedAt} /> },
];

const stateOptions = [
  { value: '', label: 'Any' },
  ...jobStates.map((state) => ({ value: state, label: jobStateName(state) })),
];

export const JobsPage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput('/console/jobs', query, ['queue', 'state']);
  const pages = usePages(listJobs(fromAddress({ ...applied, limit: '50' })));
  return (
    <>
      <PageHeading title="Jobs" lead="Slow work that events cause, done by workers." />
      <search class="filters">
        <FilterField label="Queue" isSearch value={typed.queue} onType={(value) => type('queue', value)} />
        <ChoiceField
          label="State"
          value={typed.state}
          options={stateOptions}
          onChoose={(value) => type('state', value)}
        />
      </search>
      <PagedTable
        pages={pages}
        label="Jobs"
        one="job"
        columns={columns}
        keyOf={({ jobId }) => jobId}
        empty={
          applied.queue === '' && applied.state === '' ? (
            <EmptyState title="No jobs yet">
              Imports of places and sign-out notices run as jobs. Jobs that succeeded are removed after a week.
            </EmptyState>
          ) : (
            <EmptyState title="No job matches">Jobs that succeeded are removed after a week.</EmptyState>
          )
        }
      />
    </>
  );
};
