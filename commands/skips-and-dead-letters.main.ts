/** `npm run processes`: what operators do about processes that stopped and jobs that died. */
import { userInfo } from 'node:os';
import { type Either, isLeft } from 'fp-ts/Either';
import type { Instant } from '../domain/kernel/codec';
import { openEventStore } from '../infra/adapters/eventstore/event-store';
import { openDurablePool } from '../infra/adapters/postgres/pool';
import { createPostgresWorkQueue } from '../infra/adapters/postgres/processes/work-queue';
import { withConnectionFileToAppend } from '../infra/operate/launch/connection-file';
import {
  faultOfReason,
  printLine,
  readCommand,
  refuseCommand,
  runTool,
  stop,
} from '../infra/server/runtime/command-line';
import { loadConfig, optional, variables } from '../infra/server/runtime/config';
import { describeUnknownStream } from '../infra/server/runtime/similar-streams';
import { commandSet, describeUnknown, type ParsedCommand } from '../packages/command-line/src/index';
import { processes } from './composition/processes';
import { noCommandMetrics } from './kernel/command-metrics';
import { readSkipped, recordSkip, type SkipRequest } from './kernel/processes/skipped-events';

const names = processes.map(({ name }) => name);

const event = [
  { name: 'process', about: 'the process that stopped' },
  { name: 'stream', about: 'the stream of the event' },
  { name: 'revision', about: 'the number of the event in its stream, from 0' },
] as const;
const options = {
  reason: { type: 'string', value: 'TEXT', required: true, about: 'why, recorded with it; up to 500 characters' },
} as const;
const job = [{ name: 'job', about: 'its id, as dead-letters prints it' }] as const;

export const program = commandSet({
  name: 'npm run processes --',
  about: 'Lets processes continue that stopped at an event, and retries or drops dead letters.',
  commands: {
    skips: { about: 'Lists the events that processes skip.' },
    skip: { about: 'Lets a process continue without one event. It is recorded.', arguments: event, options },
    unskip: { about: 'Takes a skip back. It is recorded.', arguments: event, options },
    'dead-letters': { about: 'Lists dead letters: jobs that failed for the last time, with the reason.' },
    replay: { about: 'Queues such a job again.', arguments: job },
    drop: { about: 'Drops such a job permanently.', arguments: job },
  },
  notes: [`Processes: ${names.join(', ')}.`],
});

type Wanted = ParsedCommand<typeof program>;
type Change = Extract<Wanted, { readonly command: 'skip' | 'unskip' }>;

const must = <A>(answer: Either<{ readonly detail: string }, A>): A =>
  isLeft(answer) ? stop(answer.left.detail, 1) : answer.right;

const clock = { now: () => new Date().toISOString() as Instant };
const config = { EVENTSTORE_URL: optional(variables.EVENTSTORE_URL), POSTGRES_URL: optional(variables.POSTGRES_URL) };

const urlOf = (variable: keyof typeof config): string => {
  const loaded = loadConfig(config, withConnectionFileToAppend(process.env));
  if (isLeft(loaded)) return stop(`Not usable: ${JSON.stringify(loaded.left)}`, 2);
  return loaded.right[variable] ?? stop(`${variable} is not set.`, 2);
};

const skipRequest = ({
  command,
  arguments: { process: name, stream, revision },
  options: { reason },
}: Change): SkipRequest => {
  if (!names.includes(name)) return stop(describeUnknown('process', name, names), 2);
  if (!/^\d{1,15}$/.test(revision)) return refuseCommand(program, command, '<revision> must be a whole number.');
  const fault = faultOfReason(reason);
  if (fault !== undefined) return refuseCommand(program, command, fault);
  const actor = `operator:${userInfo().username}`;
  return { verb: command, process: name, stream, revision: Number(revision), reason, actor };
};

const manageSkips = async (request: SkipRequest | undefined): Promise<void> => {
  const store = openEventStore({ url: urlOf('EVENTSTORE_URL') });
  if (request === undefined) {
    const skipped = must(await readSkipped(store));
    if (skipped.size === 0) printLine('Nothing is skipped.');
    for (const { view, stream, streamRevision, eventType, reason: why } of skipped.values())
      printLine(`${view}  ${stream} revision ${streamRevision}  ${eventType}: ${why}`);
  } else {
    const recorded = await recordSkip({ store, commandMetrics: noCommandMetrics, clock }, request);
    if (isLeft(recorded)) {
      const prefixes = processes.find(({ name }) => name === request.process)?.prefixes ?? [];
      return stop((await describeUnknownStream(store, prefixes, request.stream)) ?? recorded.left.detail, 1);
    }
    printLine(
      recorded.right
        ? 'Recorded; a process that stopped there continues within seconds.'
        : 'Nothing changed: this is already recorded.',
    );
  }
  await store.close();
};

const manageDeadLetters = async (
  wanted: Extract<Wanted, { readonly command: 'dead-letters' | 'replay' | 'drop' }>,
): Promise<void> => {
  const pool = openDurablePool({ url: urlOf('POSTGRES_URL') });
  const work = createPostgresWorkQueue(pool);
  if (wanted.command === 'dead-letters') {
    const letters = must(await work.deadLetters({ limit: 1_000 }));
    if (letters.length === 0) printLine('There are no dead letters.');
    for (const { id: job, queue, tenant, attempts, reason, diedAt } of letters)
      printLine(`${job}  ${diedAt}  ${queue}  ${tenant}  ${attempts} attempts: ${reason}`);
  } else if (!must(await work[wanted.command](wanted.arguments.job)))
    stop(`There is no dead letter ${wanted.arguments.job}.`, 1);
  else printLine(wanted.command === 'replay' ? 'The job is queued again.' : 'The job is dropped permanently.');
  await pool.end();
};

const main = async (): Promise<void> => {
  const wanted = readCommand(program);
  switch (wanted.command) {
    case 'skips':
      return manageSkips(undefined);
    case 'skip':
    case 'unskip':
      return manageSkips(skipRequest(wanted));
    case 'dead-letters':
    case 'replay':
    case 'drop':
      return manageDeadLetters(wanted);
  }
};

if (require.main === module) runTool(main);
