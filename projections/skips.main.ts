/** `npm run projections -- skips | skip | unskip …`: takes one event out of one view by name, and lists what is out. */
import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { isLeft } from 'fp-ts/Either';
import type { Instant } from '../domain/kernel/codec';
import { openEventStore } from '../infra/adapters/eventstore/event-store';
import { withConnectionFileToAppend } from '../infra/operate/launch/connection-file';
import type { EventStore } from '../infra/ports/event-store';
import { parseArguments, printLine, runTool, stop } from '../infra/server/runtime/command-line';
import { loadConfig, variables } from '../infra/server/runtime/config';
import { openLog } from '../infra/server/runtime/log';
import { projections } from './composition/projections';
import { readSkips, recordSkip, type SkipRequest } from './kernel/skipped-events';

const usage = `Usage: npm run projections -- skips
       npm run projections -- skip <view> <stream> <revision> --reason <sentence>
       npm run projections -- unskip <view> <stream> <revision> --reason <sentence>
Views: ${projections.map(({ view }) => view.name).join(', ')}`;

const longestReason = 500;

const parse = () => parseArguments({ reason: { type: 'string' } }, usage);

const list = async (store: EventStore): Promise<void> => {
  const skips = await readSkips(store);
  if (isLeft(skips)) return stop(skips.left.detail, 1);
  if (skips.right.size === 0) printLine('Nothing is skipped.');
  for (const { view, stream, streamRevision, eventType, reason } of skips.right.values())
    printLine(`${view}  ${stream} revision ${streamRevision}  ${eventType}: ${reason}`);
};

const skipRequest = (verb: SkipRequest['verb'], location: readonly string[], reason = ''): SkipRequest => {
  const [stream, revision] = location;
  if (stream === undefined || revision === undefined || !/^\d{1,15}$/.test(revision)) return stop(usage, 2);
  if (reason.trim() === '' || reason.length > longestReason)
    return stop(`Name the reason, in at most ${longestReason} characters: --reason <sentence>`, 2);
  const at = new Date().toISOString() as Instant;
  const actor = `operator:${userInfo().username}`;
  return { verb, stream, revision: Number(revision), reason, id: randomUUID(), actor, at };
};

const record = async (store: EventStore, view: string, request: SkipRequest): Promise<void> => {
  const projection = projections.find((one) => one.view.name === view);
  if (projection === undefined) return stop(usage, 2);
  const recorded = await recordSkip(store, projection, request);
  if (isLeft(recorded)) return stop(recorded.left.detail, 1);
  const event = `revision ${request.revision} of ${request.stream}`;
  if (!recorded.right) return printLine(`${view}: ${event}: nothing to change, that is already recorded.`);
  if (request.verb === 'skip') return printLine(`${view} skips ${event}.`);
  printLine(`The next copy of ${view} takes ${event} again: npm run rebuild -- ${view} --accept-differences`);
};

const main = async (): Promise<void> => {
  const { values, positionals } = parse();
  const [verb, view = '', ...rest] = positionals;
  const isKnown = verb === 'skips' ? positionals.length === 1 : rest.length === 2;
  if (!isKnown || (verb !== 'skips' && verb !== 'skip' && verb !== 'unskip')) return stop(usage, 2);
  const request = verb === 'skips' ? undefined : skipRequest(verb, rest, values.reason);
  const config = loadConfig({ EVENTSTORE_URL: variables.EVENTSTORE_URL }, withConnectionFileToAppend(process.env));
  if (isLeft(config)) return stop(`Not set or not usable: ${JSON.stringify(config.left)}`, 2);
  const log = openLog({ service: 'projections', level: 'warn' });
  const store = openEventStore({ url: config.right.EVENTSTORE_URL, log });
  await (request === undefined ? list(store) : record(store, view, request));
  await store.close();
};

runTool(main);
