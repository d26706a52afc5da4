/** `npm run processes -- …`: what operators do about processes that stopped and jobs that died. */
import { userInfo } from 'node:os';
import { type Either, isLeft } from 'fp-ts/Either';
import type { Instant } from '../domain/kernel/codec';
import { openEventStore } from '../infra/adapters/eventstore/event-store';
import { openDurablePool } from '../infra/adapters/postgres/pool';
import { createPostgresWorkQueue } from '../infra/adapters/postgres/processes/work-queue';
import { withConnectionFileToAppend } from '../infra/operate/launch/connection-file';
import { parseArguments, printLine, runTool, stop } from '../infra/server/runtime/command-line';
import { loadConfig, optional, variables } from '../infra/server/runtime/config';
import { processes } from './composition/processes';
import { noCommandMetrics } from './kernel/command-metrics';
import { readSkipped, recordSkip, type SkipRequest } from './kernel/processes/skipped-events';

const usage = `Usage: npm run processes -- skips
       npm run processes -- skip|unskip <process> <stream> <revision> --reason <sentence>
       npm run processes -- dead-letters
       npm run processes -- replay|drop <job>
Processes: ${processes.map(({ name }) => name).join(', ') || 'none yet'}`;

const must = <A>(answer: Either<{ readonly detail: string }, A>): A =>
  isLeft(answer) ? stop(answer.left.detail, 1) : answer.right;

const parse = () => parseArguments({ reason: { type: 'string' } }, usage);

const clock = { now: () => new Date().toISOString() as Instant };
const config = { EVENTSTORE_URL: optional(variables.EVENTSTORE_URL), POSTGRES_URL: optional(variables.POSTGRES_URL) };

const urlOf = (variable: keyof typeof config): string => {
  const loaded = loadConfig(config, withConnectionFileToAppend(process.env));
  if (isLeft(loaded)) return stop(`Not usable: ${JSON.stringify(loaded.left)}`, 2);
  return loaded.right[variable] ?? stop(`${variable} is not set.`, 2);
};

const skipRequest = (verb: SkipRequest['verb'], location: readonly string[], reason = ''): SkipRequest => {
  const [name, stream, revision] = location;
  if (name === undefined || stream === undefined || !/^\d{1,15}$/.test(revision ?? '')) return stop(usage, 2);
  if (!processes.some((known) => known.name === name)) return stop(usage, 2);
  if (reason.trim() === '' || reason.length > 500)
    return stop('Name the reason: --reason <sentence>, at most 500 characters', 2);
  const actor = `operator:${userInfo().username}`;
  return { verb, process: name, stream, revision: Number(revision), reason, actor };
};

const manageSkips = async (verb: string, location: readonly string[], reason?: string): Promise<void> => {
  const store = openEventStore({ url: urlOf('EVENTSTORE_URL') });
  if (verb === 'skips')
    for (const { view, stream, streamRevision, eventType, reason: why } of must(await readSkipped(store)).values())
      printLine(`${view}  ${stream} revision ${streamRevision}  ${eventType}: ${why}`);
  else {
    const request = skipRequest(verb === 'skip' ? 'skip' : 'unskip', location, reason);
    const changed = must(await recordSkip({ store, commandMetrics: noCommandMetrics, clock }, request));
    printLine(
      changed
        ? 'Recorded; a process that stopped there continues within seconds.'
        : 'Nothing changed: this is already recorded.',
    );
  }
  await store.close();
};

const manageDeadLetters = async (verb: string, id: string): Promise<void> => {
  const pool = openDurablePool({ url: urlOf('POSTGRES_URL') });
  const work = createPostgresWorkQueue(pool);
  if (verb === 'dead-letters')
    for (const { id: job, queue, tenant, attempts, reason, diedAt } of must(await work.deadLetters({ limit: 1_000 })))
      printLine(`${job}  ${diedAt}  ${queue}  ${tenant}  ${attempts} attempts: ${reason}`);
  else if (!must(await work[verb === 'replay' ? 'replay' : 'drop'](id))) stop('There is no such dead letter.', 1);
  else printLine(verb === 'replay' ? 'The job is queued again.' : 'The job is dropped permanently.');
  await pool.end();
};

const main = async (): Promise<void> => {
  const { values, positionals } = parse();
  const [verb = '', ...rest] = positionals;
  if (['skips', 'skip', 'unskip'].includes(verb)) return manageSkips(verb, rest, values.reason);
  if (['dead-letters', 'replay', 'drop'].includes(verb)) return manageDeadLetters(verb, rest[0] ?? '');
  stop(usage, 2);
};

runTool(main);
