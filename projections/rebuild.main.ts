/** `npm run rebuild`: replays views from the log beside the live ones, compares, switches. */
import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { isLeft } from 'fp-ts/Either';
import { openViewStatusStore } from '../infra/adapters/postgres/views/view-status-store';
import { withRunningSystem } from '../infra/operate/launch/connection-file';
import type { EventStore } from '../infra/ports/event-store';
import type { ViewStatusStore } from '../infra/ports/views/view-status';
import { codeFingerprint } from '../infra/server/runtime/code-fingerprint';
import { printLine, readArguments, refuseArguments, runTool, stop } from '../infra/server/runtime/command-line';
import { loadConfig } from '../infra/server/runtime/config';
import { openLog } from '../infra/server/runtime/log';
import { describeUnknown, tool } from '../packages/command-line/src/index';
import { contentVariables, openContent } from './composition/content-source';
import { guardProjectedLog, openProjectedEventStore, vaultVariables } from './composition/projected-log';
import { projections } from './composition/projections';
import { openWriters, storeVariables, type Writers } from './composition/view-writers';
import type { ContentSource } from './kernel/content';
import type { Projection } from './kernel/projection';
import type { RebuildResult } from './kernel/rebuild/rebuild';
import { rebuildRecorded } from './kernel/rebuild/recorded-rebuild';

const names = projections.map(({ view }) => view.name);

export const program = tool({
  name: 'npm run rebuild --',
  about:
    'Builds a view from the first event of the log, beside the live one, compares the two, and switches. Reads and writes continue.',
  arguments: [{ name: 'view', about: 'which views to rebuild, one after the other', many: true, optional: true }],
  options: {
    all: { type: 'boolean', about: 'rebuilds every view' },
    'accept-differences': {
      type: 'boolean',
      about: 'switches although rows differ, as they do after an event was skipped or a skip was withdrawn',
    },
  },
  notes: [`Views: ${names.join(', ')}.`],
});

interface Place {
  readonly store: EventStore;
  readonly writers: Writers;
  readonly blobs: ContentSource | undefined;
  readonly signal: AbortSignal;
  readonly acceptDifferences: boolean;
  readonly ledger: ViewStatusStore | undefined;
}

const speakEveryMilliseconds = 1_000;

/** On stderr, because stdout has the result. */
const progressOf = (view: string) => {
  let spoke = performance.now();
  return (fields: { readonly [field: string]: unknown }, message: string): void => {
    const now = performance.now();
    if (message === 'replaying' && now - spoke < speakEveryMilliseconds) return;
    spoke = now;
    process.stderr.write(`${view}: ${message} ${JSON.stringify(fields)}\n`);
  };
};

const summary = ({ events, generation, digests }: RebuildResult, milliseconds: number): string => {
  const rows = digests === undefined ? 'not compared: its version was raised' : `${digests.after.rows} rows`;
  const rate = Math.round((events * 1000) / milliseconds);
  const seconds = (milliseconds / 1000).toFixed(1);
  return `rebuilt as generation ${generation}, ${rows}, ${events} events in ${seconds} s (${rate}/s)`;
};

/** Whether the view equals a replay of the log. */
const rebuildOne = async ({ writers, ledger, ...place }: Place, projection: Projection): Promise<boolean> => {
  const { view } = projection;
  const writer = writers.of(view);
  if (writer === undefined) {
    printLine(`${view.name}: not rebuilt: ${writers.reasonOff(view)}`);
    return false;
  }
  const began = performance.now();
  const rebuilt = await rebuildRecorded(
    { ...place, writer, projection, code: codeFingerprint(), progress: progressOf(view.name) },
    { ledger, by: `operator:${userInfo().username}`, id: randomUUID() },
  );
  const isDone = !isLeft(rebuilt);
  printLine(
    isDone
      ? `${view.name}: ${summary(rebuilt.right, performance.now() - began)}`
      : `${view.name}: not rebuilt: ${rebuilt.left.detail}`,
  );
  return isDone;
};

const main = async (): Promise<number> => {
  const { options, arguments: given } = readArguments(program);
  const unknown = given.view.find((name) => !names.includes(name));
  if (unknown !== undefined) return stop(describeUnknown('view', unknown, names), 2);
  const wanted = projections.filter(({ view }) => options.all || given.view.includes(view.name));
  if (wanted.length === 0) return refuseArguments(program, 'Name a view, or give --all.');
  const env = withRunningSystem(process.env);
  const config = loadConfig({ ...storeVariables, ...vaultVariables, ...contentVariables }, env);
  if (isLeft(config)) return stop(`Not set or not usable: ${JSON.stringify(config.left)}`, 2);
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort());
  const log = openLog({ service: 'rebuild', level: 'warn' });
  const guard = guardProjectedLog(config.right, { log, keepsAnchor: false });
  const projected = openProjectedEventStore({ config: config.right, log, projections: wanted, guard });
  const { store } = projected;
  const writers = openWriters(config.right, { env, logId: guard?.logId });
  const content = openContent(config.right, wanted);
  const acceptDifferences = options['accept-differences'];
  const { POSTGRES_URL: postgresUrl } = config.right;
  const ledger = postgresUrl === undefined ? undefined : openViewStatusStore({ url: postgresUrl });
  const place = { store, writers, blobs: content.blobs, signal: interrupted.signal, acceptDifferences, ledger };
  let succeeded = true;
  for (const projection of wanted) succeeded = (await rebuildOne(place, projection)) && succeeded;
  await Promise.all([projected.close(), writers.close(), content.close(), ledger?.close()]);
  return succeeded ? 0 : 1;
};

if (require.main === module) runTool(main);
