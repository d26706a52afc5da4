/** Why the current stage of an ingestion waits, or how far its worker is: from the job that the work queue has for it. */
import { isLeft } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { type IngestionEvent, ingestions } from '../../domain/files/ingestion/events';
import { currentStage, type IngestionProgress } from '../../domain/files/ingestion/progress';
import type { JobStage } from '../../domain/files/pipeline';
import {
  dueStage,
  ingestionQueue,
  queueOf,
  readingQueue,
  runStagesOnIngestion,
} from '../../domain/files/run-stages-on-ingestion/process';
import { type Instant, oneOf } from '../../domain/kernel/codec';
import type { TenantId } from '../../domain/kernel/ids';
import type { StoredEvent } from '../../infra/ports/event-store';
import type { JobLookup, JobRecord } from '../../infra/ports/processes/work-queue';
import { jobKeyOf } from '../../infra/server/ids/derived-id';

/**
 * `capacity`: for its turn in the queue. `worker`: none that takes such jobs is running. `worker_lost`: the one that had it did not return; the
 * next takes it over. `next_try`: the last one failed or was put off, and `nextTryAt` is not over. `operator`: the job was ended from outside.
 */
export const StageWait = oneOf('FileStageWait', ['capacity', 'worker', 'worker_lost', 'next_try', 'operator']);
type StageWait = t.TypeOf<typeof StageWait>;

export interface StageJobState {
  /** A worker has it. */
  readonly isWorkedOn?: boolean;
  readonly waitsFor?: StageWait;
  readonly queuePosition?: number;
  readonly nextTryAt?: Instant;
  readonly progressPercent?: number;
  /** How often a worker began with it, this time included. */
  readonly tries?: number;
  readonly reason?: string;
}

const queues = [ingestionQueue.name, readingQueue.name];

const eventOf = ({ type, data }: StoredEvent): IngestionEvent | undefined => {
  const event = ingestions.decode(type, data);
  return isLeft(event) ? undefined : event.right;
};

/** The id of the event that the job of the current stage was enqueued for. Its name is that job's. */
const dueEventId = (events: readonly StoredEvent[]): string | undefined =>
  events.findLast((stored) => {
    const event = eventOf(stored);
    return event !== undefined && dueStage(event) !== undefined;
  })?.id;

const at = (time: string): Instant => new Date(time).toISOString() as Instant;

/** The store sweeps expired claims every two seconds; before and after, the job's last failure names the loss. */
const lostPrefix = 'The worker ';

const sentence = (text: string): string => text.slice(0, 300);

/** What a defect leaves names the error's class, for operators. */
const thrown = /^\w+ was thrown\.$/;
const failureOf = (reason: string): string =>
  thrown.test(reason) ? 'this system failed in a way that is not expected, and not because of the file.' : reason;

const waiting = async (
  jobs: JobLookup,
  { job, stage }: { readonly job: JobRecord; readonly stage: JobStage },
): Promise<StageJobState> => {
  const { position, attempts, notBefore, reason, state } = job;
  const tries = attempts === 0 ? {} : { tries: attempts };
  const queuePosition = position === null ? {} : { queuePosition: position };
  const served = await jobs.isServed(job.queue);
  if (!isLeft(served) && !served.right)
    return {
      ...tries,
      ...queuePosition,
      waitsFor: 'worker',
      reason:
        queueOf(stage) === readingQueue
          ? 'No worker that reads files is running: one starts where programs can be isolated (bubblewrap). The file continues once it does.'
          : 'No worker is running; the file continues once there is one.',
    };
  if (reason?.startsWith(lostPrefix) === true)
    return {
      ...tries,
      ...queuePosition,
      ...(state === 'delayed' ? { nextTryAt: at(notBefore) } : {}),
      waitsFor: 'worker_lost',
      reason: sentence(`Try ${attempts} ended, for its worker was lost; another worker takes it over.`),
    };
  if (state === 'delayed')
    return {
      ...tries,
      waitsFor: 'next_try',
      nextTryAt: at(notBefore),
      ...(reason === null ? {} : { reason: sentence(`Try ${attempts} failed: ${failureOf(reason)}`) }),
    };
  const place = position === null ? 'more than 10,000 are waiting' : `number ${position} in the queue`;
  return { ...tries, ...queuePosition, waitsFor: 'capacity', reason: `It waits for a worker: ${place}.` };
};

const stateOf = async (
  jobs: JobLookup,
  { job, stage }: { readonly job: JobRecord; readonly stage: JobStage },
): Promise<StageJobState> => {
  const { attempts: tries, progress } = job;
  switch (job.state) {
    case 'running':
      return {
        ...{ isWorkedOn: true, tries },
        ...(progress === null ? {} : { progressPercent: Math.round(100 * progress.fraction) }),
      };
    case 'lost':
      return {
        tries,
        waitsFor: 'worker_lost',
        reason: `The worker of try ${tries} does not answer; another one takes over if it is gone.`,
      };
    case 'waiting':
    case 'delayed':
      return waiting(jobs, { job, stage });
    case 'dead':
    case 'cancelled':
    case 'dropped':
      return {
        tries,
        waitsFor: 'operator',
        reason: 'An operator of the platform ended its job; it continues when they start it again.',
      };
    case 'done':
      return {};
  }
};

interface StageJobRequest {
  readonly tenant: TenantId;
  /** All of the ingestion. */
  readonly events: readonly StoredEvent[];
  readonly progress: IngestionProgress;
}

/** Of the current stage; empty where none is, or the work queue does not answer: a status without it is true as well. */
export const stageJobOf = async (
  jobs: JobLookup,
  { tenant, events, progress }: StageJobRequest,
): Promise<StageJobState> => {
  const stage = currentStage(progress);
  const eventId = stage === undefined ? undefined : dueEventId(events);
  if (stage === undefined || eventId === undefined) return {};
  const key = jobKeyOf(runStagesOnIngestion.name, eventId);
  const job = await jobs.findByKey({ queues, key, tenant });
  return isLeft(job) || job.right === undefined ? {} : stateOf(jobs, { job: job.right, stage });
};
