/** Puts an exported log into a target: again and again with the same result, also after it was stopped anywhere. */
import { isMetadataStream } from '../storage/heads';
import { TransferError } from './faults';
import { openLanes } from './lanes';
import { openPlaces } from './places';
import { type Import, putGroup, type Tally, waits } from './put-group';
import type { ExportedLog } from './read-log';
import type { Target } from './target';

export interface ImportOptions {
  /** Streams of the system as well, if the log has them. */
  readonly system: boolean;
  readonly progress: (events: number) => void;
}

export interface Imported extends Pick<Tally, 'shiftedStreams'> {
  readonly events: number;
  readonly skippedSystemEvents: number;
}

const dollar = 0x24;

/** A stream of the system, or the metadata of one. */
const isSystem = (stream: Buffer): boolean =>
  stream[0] === dollar && !(isMetadataStream(stream) && stream[2] !== dollar);

const feed = async (into: Import, log: ExportedLog, { system, progress }: ImportOptions) => {
  const lanes = openLanes({
    put: (group, following) => putGroup(into, group, following),
    waits: (group) => waits(into, group),
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

export const importLog = async (target: Target, log: ExportedLog, options: ImportOptions): Promise<Imported> => {
  const places = openPlaces();
  const tally: Tally = { shiftedStreams: 0, doubtedStreams: 0 };
  try {
    const counts = await feed({ target, places, tally, continues: log.header.from !== null }, log, options);
    if (tally.doubtedStreams > 0)
      throw new TransferError(
        `${tally.doubtedStreams} of the streams have ended at the target, or have other metadata there, and the log does not say why.`,
      );
    return { ...counts, shiftedStreams: tally.shiftedStreams };
  } finally {
    await places.close();
  }
};
