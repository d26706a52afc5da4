/** One job: its state, progress, worker and failed attempts. */
import type { ComponentChildren } from 'preact';
import { getJob } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { PageHeading } from '../../components/page-heading';
import { Table } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { useResource } from '../../kernel/use-resource';
import type { PageProps } from '../../shell/section';
import type { JobRow } from '../api-types';
import { nameOfJob } from './job-names';
import { JobAction, JobProgress, JobState } from './job-state';

const everyMilliseconds = 2_000;

const Entry = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Facts = ({ job }: { readonly job: JobRow }) => (
  <dl class="facts">
    <Entry name="State">
      <JobState job={job} />
    </Entry>
    <Entry name="Progress">
      <JobProgress job={job} />
    </Entry>
    <Entry name="Queue">{job.kind === job.queue ? job.queue : `${job.queue}, ${job.kind}`}</Entry>
    <Entry name="Tenant">{job.tenantId}</Entry>
    <Entry name="Attempts">
      {job.attempts} of {job.mostAttempts}
    </Entry>
    <Entry name="Worker">{job.worker ?? '—'}</Entry>
    <Entry name="Claimed">
      <Timestamp at={job.claimedAt} />
    </Entry>
    <Entry name="Worker last seen">
      <Timestamp at={job.seenAt} />
    </Entry>
    <Entry name="Queued">
      <Timestamp at={job.enqueuedAt} />
    </Entry>
    <Entry name="Not before">
      <Timestamp at={job.notBefore} />
    </Entry>
    <Entry name="Deadline">
      <Timestamp at={job.deadline} />
    </Entry>
    <Entry name="Ended">
      <Timestamp at={job.endedAt} />
    </Entry>
  </dl>
);

const Failures = ({ job: { failures } }: { readonly job: JobRow }) => (
  <section class="section">
    <h2>Failed attempts</h2>
    <Table
      label="Failed attempts"
      rows={failures}
      columns={[
        { title: 'Why', show: ({ reason }) => reason },
        { title: 'Attempt', kind: 'number', show: ({ attempt }) => attempt },
        { title: 'At', kind: 'tight', show: ({ at }) => <Timestamp at={at} /> },
      ]}
      keyOf={({ at, attempt }) => `${at} ${attempt}`}
    />
  </section>
);

export const JobPage = ({ params }: PageProps) => {
  const { jobId = '' } = params;
  const job = useResource(getJob({ jobId }), { everyMilliseconds });
  return (
    <>
      <PageHeading
        title={job.content === undefined ? 'Job' : nameOfJob(job.content)}
        trail={[{ label: 'Jobs', path: '/console/jobs' }]}
      />
      <AsyncContent source={job} rows={6}>
        {(found) => (
          <>
            <Facts job={found} />
            <div class="actions">
              <JobAction job={found} changed={job.reload} />
            </div>
            {found.failures.length > 0 && <Failures job={found} />}
          </>
        )}
      </AsyncContent>
    </>
  );
};
