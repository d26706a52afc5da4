/** `npm run projections`: takes one event out of one view by name, and lists what is out. */
import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { isLeft } from 'fp-ts/Either';
import type { Instant } from '../domain/kernel/codec';
import { openEventStore } from '../infra/adapters/eventstore/event-store';
import { withConnectionFileToAppend } from '../infra/operate/launch/connection-file';
import type { EventStore } from '../infra/ports/event-store';
import {
  faultOfReason,
  printLine,
  readCommand,
  refuseCommand,
  runTool,
  stop,
} from '../infra/server/runtime/command-line';
import { loadConfig, variables } from '../infra/server/runtime/config';
import { openLog } from '../infra/server/runtime/log';
import { describeUnknownStream } from '../infra/server/runtime/similar-streams';
import { commandSet, describeUnknown, type ParsedCommand } from '../packages/command-line/src/index';
import { projections } from './composition/projections';
import { readSkips, recordSkip, type SkipRequest } from './kernel/skipped-events';

const names = projections.map(({ view }) => view.name);

const event = [
  { name: 'view', about: 'the view that stopped' },
  { name: 'stream', about: 'the stream of the event' },
  { name: 'revision', about: 'the number of the event in its stream, from 0' },
] as const;
const options = {
  reason: { type: 'string', value: 'TEXT', required: true, about: 'why, recorded with it; up to 500 characters' },
} as const;

export const program = commandSet({
  name: 'npm run projections --',
  about: 'Takes single events out of a view that stopped at them. Each change is recorded in the log with its reason.',
  commands: {
    skips: { about: 'Lists the events that are skipped.' },
    skip: { about: 'Lets a view continue without one event.', arguments: event, options },
    unskip: {
      about: 'Takes a skip back: the next rebuild of the view has the event again.',
      arguments: event,
      options,
    },
  },
  notes: [`Views: ${names.join(', ')}.`],
});

type Change = Extract<ParsedCommand<typeof program>, { readonly command: 'skip' | 'unskip' }>;

const list = async (store: EventStore): Promise<void> => {
  const skips = await readSkips(store);
  if (isLeft(skips)) return stop(skips.left.detail, 1);
  if (skips.right.size === 0) printLine('Nothing is skipped.');
  for (const { view, stream, streamRevision, eventType, reason } of skips.right.values())
    printLine(`${view}  ${stream} revision ${streamRevision}  ${eventType}: ${reason}`);
};

const skipRequest = ({ command, arguments: { view, stream, revision }, options: { reason } }: Change): SkipRequest => {
  if (!names.includes(view)) return stop(describeUnknown('view', view, names), 2);
  if (!/^\d{1,15}$/.test(revision)) return refuseCommand(program, command, '<revision> must be a whole number.');
  const fault = faultOfReason(reason);
  if (fault !== undefined) return refuseCommand(program, command, fault);
  const at = new Date().toISOString() as Instant;
  const actor = `operator:${userInfo().username}`;
  return { verb: command, stream, revision: Number(revision), reason, id: randomUUID(), actor, at };
};

const record = async (store: EventStore, view: string, request: SkipRequest): Promise<void> => {
  const projection = projections.find((one) => one.view.name === view);
  if (projection === undefined) return stop(describeUnknown('view', view, names), 2);
  const recorded = await recordSkip(store, projection, request);
  if (isLeft(recorded)) {
    const prefixes = projection.sources.map(({ prefix }) => prefix);
    return stop((await describeUnknownStream(store, prefixes, request.stream)) ?? recorded.left.detail, 1);
  }
  const event = `revision ${request.revision} of ${request.stream}`;
  if (!recorded.right) return printLine(`${view}: ${event}: nothing to change, that is already recorded.`);
  if (request.verb === 'skip') return printLine(`${view} skips ${event}.`);
  printLine(`The next copy of ${view} takes ${event} again: npm run rebuild -- ${view} --accept-differences`);
};

const main = async (): Promise<void> => {
  const wanted = readCommand(program);
  const request = wanted.command === 'skips' ? undefined : skipRequest(wanted);
  const config = loadConfig({ EVENTSTORE_URL: variables.EVENTSTORE_URL }, withConnectionFileToAppend(process.env));
  if (isLeft(config)) return stop(`Not set or not usable: ${JSON.stringify(config.left)}`, 2);
  const log = openLog({ service: 'projections', level: 'warn' });
  const store = openEventStore({ url: config.right.EVENTSTORE_URL, log });
  if (wanted.command === 'skips' || request === undefined) await list(store);
  else await record(store, wanted.arguments.view, request);
  await store.close();
};

if (require.main === module) runTool(main);
