/** What an event changes in rows that have a status: the rules are the domain's, so that viewers of logs see the same. */
import type { Instant } from '../../domain/kernel/codec';
import type { TenantId } from '../../domain/kernel/ids';
import type { RunEvent } from '../../domain/workflow/run/events';
import { hasEndStatus, jobStatusChanges, type RunStatus, type StatusChange } from '../../domain/workflow/run/status';
import { patchRow, patchRowsWhere } from '../kernel/projection';
import type { RecordedEvent } from '../kernel/recorded-event';
import type { JobAttemptRow } from './job-attempts/view';
import type { JobRow } from './jobs/view';
import type { RunRow } from './runs/view';

type Patch<Row extends StatusRow> =
  | ReturnType<typeof patchRow<Row>>[number]
  | ReturnType<typeof patchRowsWhere<Row>>[number];
type StatusRow = RunRow | JobRow | JobAttemptRow;
type Recorded = Pick<RecordedEvent<RunEvent>, 'at' | 'event'>;

/** Of an event of the family, with its type again. */
export const happened = <Type extends RunEvent['type']>(
  type: Type,
  { data }: { readonly data: Extract<RunEvent, { type: Type }>['data'] },
): RunEvent => ({ type, data }) as RunEvent;

export const patchStatus = <Row extends StatusRow>(
  key: Partial<Row> & Pick<Row, 'tenantId'>,
  changes: readonly StatusChange[],
  fieldsOf: (to: RunStatus) => Partial<Row>,
): readonly Patch<Row>[] =>
  changes.flatMap(({ from, to }): readonly Patch<Row>[] => {
    const fields = { ...fieldsOf(to), status: to };
    return from === 'any'
      ? patchRow<Row>(key, fields)
      : from.flatMap((status) => patchRowsWhere<Row>({ ...key, status }, fields));
  });

const endedAt = (to: RunStatus, at: Instant): Partial<JobRow> => (hasEndStatus(to) ? { completedAt: at } : {});

/** What finds the rows of the jobs whose status the event changes. */
export const jobKeysOf = (event: RunEvent, tenantId: TenantId) => {
  const { jobs } = jobStatusChanges(event);
  return jobs === 'all' ? [{ tenantId, runId: event.data.runId }] : jobs.map((jobId) => ({ tenantId, jobId }));
};

export const patchJobs = (event: RunEvent, { at, event: info }: Recorded, fields: Partial<JobRow> = {}) => {
  const { tenantId, revision } = at;
  const { changes } = jobStatusChanges(event);
  return jobKeysOf(event, tenantId).flatMap((key) =>
    patchStatus<JobRow>(key, changes, (to) => ({ ...endedAt(to, info.occurredAt), ...fields, revision })),
  );
};
