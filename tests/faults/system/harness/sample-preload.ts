/** Loaded before the processes service and workers: each registration is answered by a command, a timer and a job, which add to one tally. */
import { right } from 'fp-ts/Either';
import { processes, queues } from '../../../../commands/composition/processes';
import { type BoundProcess, bindProcess, commandTarget } from '../../../../commands/kernel/processes/process-binding';
import { type QueueSpec, queueSpec } from '../../../../commands/kernel/work-queue/job-handler';
import { principals } from '../../../../domain/identity/principal/events';
import { type Instant, record, text } from '../../../../domain/kernel/codec';
import { enqueueJob, policy, schedule, send } from '../../../../domain/kernel/process';
import { type TallyCommand, tally } from '../../../kernel/commands/tally';

const welcomes = {
  name: 'welcomes',
  payload: record('Welcome', { principalId: text('EntityId', { maxLength: 256 }) }),
};

const amounts = { command: 1, timer: 10, job: 100 };

const add = (id: string, amount: number) => send('sample.tally', id, { type: 'Add', amount } as TallyCommand);
const later = (at: Instant, milliseconds: number): Instant =>
  new Date(Date.parse(at) + milliseconds).toISOString() as Instant;

const welcome = policy({
  name: 'welcome-on-registered',
  context: 'sample',
  subscribes: [principals],
  startFrom: 'first-event',
  key: ({ event, entityId: entity }) => (event.type === 'PrincipalRegistered' ? entity : undefined),
  answer: ({ entityId: entity, at }) => [
    add(entity, amounts.command),
    schedule('welcome', later(at, 1_500), add(entity, amounts.timer)),
    enqueueJob(welcomes, { principalId: entity }, { mostAttempts: 50 }),
  ],
});

const targets = { 'sample.tally': commandTarget(tally) };

const welcomeQueue = queueSpec(welcomes, {
  concurrency: 4,
  claimMilliseconds: 3_000,
  targets,
  open: () => ({
    perform: async ({ payload: { principalId } }) => right([add(principalId, amounts.job)]),
  }),
});

if (process.env.SERVICE === 'processes') (processes as BoundProcess[]).push(bindProcess(welcome, targets));
if (process.env.SERVICE === 'workers') (queues as QueueSpec[]).push(welcomeQueue);
