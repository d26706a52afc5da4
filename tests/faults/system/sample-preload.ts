/** Loaded before the processes service: each registration is answered by a command, a timer and a job, which add to one tally. */
import { right } from 'fp-ts/Either';
import { processes, workshops } from '../../../commands/composition/processes';
import { type BoundProcess, bindProcess, target } from '../../../commands/kernel/react/bound';
import type { Workshop } from '../../../commands/kernel/react/worker';
import { principals } from '../../../domain/identity/principal/events';
import type { Instant } from '../../../domain/kernel/codec';
import { policy, schedule, send, work } from '../../../domain/kernel/process';
import { type TallyCommand, tally } from '../../kernel/tally';

const amounts = { command: 1, timer: 10, job: 100 };

const add = (id: string, amount: number) => send('sample.tally', id, { type: 'Add', amount } as TallyCommand);
const later = (at: Instant, milliseconds: number): Instant =>
  new Date(Date.parse(at) + milliseconds).toISOString() as Instant;

const welcome = policy({
  name: 'welcome-on-registered',
  context: 'sample',
  follows: [{ family: principals, aggregate: 'principal' }],
  begins: 'first-event',
  key: ({ event, entity }) => (event.type === 'PrincipalRegistered' ? entity : undefined),
  answer: ({ entity, at }) => [
    add(entity, amounts.command),
    schedule('welcome', later(at, 1_500), add(entity, amounts.timer)),
    work('welcomes', { principalId: entity }, { mostAttempts: 50 }),
  ],
});

const targets = { 'sample.tally': target(tally) };

const workshop: Workshop = {
  queue: 'welcomes',
  concurrency: 4,
  claimMilliseconds: 3_000,
  targets,
  perform: async ({ payload }) => right([add((payload as { principalId: string }).principalId, amounts.job)]),
};

if (process.env.SERVICE === 'processes') {
  (processes as BoundProcess[]).push(bindProcess(welcome, targets));
  (workshops as Workshop[]).push(workshop);
}
