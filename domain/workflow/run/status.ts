/**
 * Statuses of runs and jobs as people see them (specification, section 3), and how events change them. The views and the viewers of logs both follow
 * this, so that they agree.
 */
import type * as t from 'io-ts';
import { oneOf } from '../../kernel/codec';
import type { JobId } from '../ids';
import type { RunEvent } from './events';

/**
 * The specification's, and `skipped`. A run waits for a runner until the first job of its attempt is assigned; a job whose needs have not ended is
 * `queued`.
 */
export const RunStatus = oneOf('RunStatus', [
  'queued',
  'waiting_for_runner',
  'in_progress',
  'canceling',
  'canceled',
  'success',
  'failure',
  'timed_out',
  'skipped',
]);
export type RunStatus = t.TypeOf<typeof RunStatus>;

const beforeAssignment: readonly RunStatus[] = ['queued', 'waiting_for_runner'];
const unended: readonly RunStatus[] = [...beforeAssignment, 'in_progress', 'canceling'];

export const hasEndStatus = (status: RunStatus): boolean => !unended.includes(status);

export interface StatusChange {
  /** Others stay as they are. */
  readonly from: 'any' | readonly RunStatus[];
  readonly to: RunStatus;
}

export interface JobStatusChanges {
  readonly jobs: 'all' | readonly JobId[];
  /** One at most applies to a job: no `to` is in the `from` of another one. */
  readonly changes: readonly StatusChange[];
}

export const statusAfter = (status: RunStatus, changes: readonly StatusChange[]): RunStatus =>
  changes.find(({ from }) => from === 'any' || from.includes(status))?.to ?? status;

const always = (to: RunStatus): readonly StatusChange[] => [{ from: 'any', to }];

export const runStatusChanges = (event: RunEvent): readonly StatusChange[] => {
  switch (event.type) {
    case 'RunRequested':
    case 'RunRetried':
      return always('queued');
    case 'RunNotResolved':
    case 'RunRefused':
      return always('failure');
    case 'JobsQueued':
      return [{ from: ['queued'], to: 'waiting_for_runner' }];
    case 'JobAssigned':
      return [{ from: beforeAssignment, to: 'in_progress' }];
    case 'RunCancelRequested':
    case 'RunTimedOut':
      return always('canceling');
    case 'RunCompleted':
      return always(event.data.result);
    case 'RunResolved':
    case 'RunTitled':
    case 'RunGrouped':
    case 'JobsPlanned':
    case 'JobsSkipped':
    case 'JobClaimExpired':
    case 'JobStarted':
    case 'JobCompleted':
    case 'JobLost':
    case 'JobRequeued':
    case 'JobsCancelRequested':
      return [];
  }
};

/** Jobs without a runner end at once; for others the runner is notified. */
const canceled: readonly StatusChange[] = [
  { from: beforeAssignment, to: 'canceled' },
  { from: ['in_progress'], to: 'canceling' },
];

/** A lost job that was to be canceled counts as canceled: it is not retried. */
const lost: readonly StatusChange[] = [
  { from: ['in_progress'], to: 'failure' },
  { from: ['canceling'], to: 'canceled' },
];

const noJobs: JobStatusChanges = { jobs: [], changes: [] };

/** New jobs, of RunResolved and JobsPlanned, are `queued`. */
export const jobStatusChanges = (event: RunEvent): JobStatusChanges => {
  switch (event.type) {
    case 'JobsQueued':
      return { jobs: event.data.jobIds, changes: always('waiting_for_runner') };
    case 'JobsSkipped':
      return { jobs: event.data.jobIds, changes: always('skipped') };
    case 'JobAssigned':
      return { jobs: [event.data.jobId], changes: always('in_progress') };
    case 'JobCompleted':
      return { jobs: [event.data.jobId], changes: always(event.data.result) };
    case 'JobLost':
      return { jobs: [event.data.jobId], changes: lost };
    case 'JobRequeued':
      return { jobs: [event.data.jobId], changes: always('waiting_for_runner') };
    case 'JobsCancelRequested':
      return { jobs: event.data.jobIds, changes: canceled };
    case 'RunCancelRequested':
    case 'RunTimedOut':
      return { jobs: 'all', changes: canceled };
    case 'RunRetried':
      return { jobs: event.data.jobIds, changes: always('queued') };
    case 'RunRequested':
    case 'RunResolved':
    case 'RunTitled':
    case 'RunGrouped':
    case 'RunNotResolved':
    case 'RunRefused':
    case 'JobsPlanned':
    case 'JobClaimExpired':
    case 'JobStarted':
    case 'RunCompleted':
      return noJobs;
  }
};
