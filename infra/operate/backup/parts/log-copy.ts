/**
 * Copies a log into another one, compares the two, and finds what positions of the one are in the other. An import keeps the order of each
 * stream, and no other order; it can be stopped anywhere and run again.
 */
import { createHash } from 'node:crypto';
import {
  type ExportedLog,
  importIntoDirectory,
  importLog,
  type LoggedEvent,
  openTarget,
  readOfflineLog,
} from '../../../../packages/eventstore-node/src/transfer/index';
import type { LogAnchor } from '../../../ports/log-identity';
import { OperatorError } from '../../launch/operator-error';
import type { LogPlace } from '../installation';
import { readServerLog, withServer } from './event-log';
import { createPositionTranslator, type PositionTranslation } from './position-translation';

/** From a position on, without system streams. */
export const readLog = (place: LogPlace, from?: number): AsyncGenerator<LoggedEvent, void> =>
  place.kind === 'directory' ? readOfflineLog(place.path, from) : readServerLog(place.url, from);

const isMetadata = ({ stream }: LoggedEvent): boolean => stream[0] === 0x24;

/** Of all that stays the same in an import: not positions, nor the times, which the server assigns again. Independent of the order. */
const createDigest = () => {
  const sums = [0, 0];
  const state = { events: 0 };
  return {
    add: ({ stream, revision, id, type, data, metadata }: LoggedEvent): void => {
      const hash = createHash('sha256').update(stream).update(`\n${revision}\n${id}\n${type}\n${data.length}\n`);
      const bytes = hash.update(data).update(metadata).digest();
      for (const at of [0, 1]) sums[at] = ((sums[at] ?? 0) + bytes.readUInt32BE(4 * at)) % 2 ** 32;
      state.events += 1;
    },
    events: () => state.events,
    text: () => `${state.events}-${sums.join('-')}`,
  };
};

async function* linesOf(events: AsyncIterable<LoggedEvent>, seen: (event: LoggedEvent) => void) {
  let line = 1;
  for await (const event of events) {
    seen(event);
    line += 1;
    yield { line, event };
  }
}

const header = (): ExportedLog['header'] => ({
  format: 'eventstore-log',
  version: 1,
  source: '',
  madeAt: new Date().toISOString(),
  from: null,
  system: false,
});

const importInto = async (to: LogPlace, log: ExportedLog, progress: (events: number) => void): Promise<void> => {
  if (to.kind === 'directory') return void (await importIntoDirectory(to.path, log, progress));
  const { shiftedStreams } = await withServer(to.url, async (server) => {
    const target = await openTarget(server);
    return importLog(target, log, { system: false, progress }).finally(target.close);
  });
  if (shiftedStreams > 0)
    throw new OperatorError(
      `${shiftedStreams} streams do not begin at revision 0, and a server would number them anew. Snapshots name revisions, so this log can be put into a directory only.`,
    );
};

export interface LogCopy {
  readonly from: AsyncIterable<LoggedEvent>;
  readonly to: LogPlace;
  /** Positions of the source: checkpoints, before which everything was handled, and positions of single events. */
  readonly checkpoints: readonly bigint[];
  readonly positions: readonly bigint[];
  readonly progress: (events: number) => void;
}

export interface CopiedLog extends PositionTranslation {
  readonly events: number;
  /** The newest event of the copy. */
  readonly anchor: LogAnchor | null;
}

/** Throws an OperatorError where the copy is not what the source is: nothing else may be changed then. */
export const copyLogInto = async ({ from, to, checkpoints, positions, progress }: LogCopy): Promise<CopiedLog> => {
  const translator = createPositionTranslator({ checkpoints, positions });
  const [source, target] = [createDigest(), createDigest()];
  const seen = (event: LoggedEvent): void => {
    translator.source(event);
    if (!isMetadata(event)) source.add(event);
  };
  await importInto(to, { header: header(), events: linesOf(from, seen) }, progress);
  let anchor: LogAnchor | null = null;
  for await (const event of readLog(to)) {
    translator.target(event);
    if (isMetadata(event)) continue;
    target.add(event);
    anchor = { position: BigInt(event.position), eventId: event.id };
  }
  if (source.text() !== target.text())
    throw new OperatorError(
      `The copy differs: ${source.events()} events were read, and the log that they went to has ${target.events()}, or others. ` +
        'Nothing was changed but that log: empty it, and begin again.',
    );
  return { ...translator.translation(), events: source.events(), anchor };
};
