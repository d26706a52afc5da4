/** Puts an exported log into a server: again and again with the same result, also after it was stopped anywhere. */
import { isMetadataStream } from '../storage/heads';
import { TransferError } from './faults';
import { isTombstone } from './group';
import { openLanes } from './lanes';
import { openPlaces } from './places';
import { type Import, putGroup, type Tally } from './put-group';
import type { ExportedLog } from './read-log';
import type { Server } from './server';
import { openTarget } from './target';

export interface ImportOptions {
  /** Streams of the system as well, if the log has them. */
  readonly system: boolean;
  readonly progress: (events: number) => void;
}

export interface Imported extends Tally {
  readonly events: number;
  readonly skippedSystemEvents: number;
}

const dollar = 0x24;

/** A stream of the system, or the metadata of one. */
const isSystem = (stream: Buffer): boolean =>
  stream[0] === dollar && !(isMetadataStream(stream) && stream[2] !== dollar);

const feed = async (into: Import, log: ExportedLog, { system, progress }: ImportOptions) => {
  const lanes = openLanes({
    put: (group) => putGroup(into, group),
    // Appending to a soft-deleted stream would make the target write metadata of its own.
    waitsForMetadata: ({ stream, lines }) =>
      !isMetadataStream(stream) && !lines.some(isTombstone) && into.places.get(stream).softDeleted,
  });
  const counts = { events: 0, skippedSystemEvents: 0 };
  try {
    for await (const line of log.events) {
      if (!system && isSystem(line.event.stream)) {
        counts.skippedSystemEvents += 1;
        continue;
      }
      const full = lanes.add(line);
      if (full !== undefined) await full;
      counts.events += 1;
      progress(counts.events);
    }
    await lanes.finish();
    return counts;
  } finally {
    await lanes.stop();
  }
};

export const importLog = async (server: Server, log: ExportedLog, options: ImportOptions): Promise<Imported> => {
  const target = await openTarget(server);
  const places = openPlaces();
  const tally: Tally = { shiftedStreams: 0, endedStreams: 0 };
  try {
    const counts = await feed({ target, places, tally, continues: log.header.from !== null }, log, options);
    if (tally.endedStreams > 0)
      throw new TransferError(`The target has ended ${tally.endedStreams} of the streams, and the log has not.`);
    return { ...counts, ...tally };
  } finally {
    target.close();
    await places.close();
  }
};
