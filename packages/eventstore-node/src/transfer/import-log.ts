/** Imports an exported log into a target. It can be stopped at any point and run again with the same result. */
import type { ExportedLog } from './format/exported-log';
import { type ImportContext, type ImportTally, importBatch, mustWait } from './import-batch';
import { createImportQueues } from './import-queues';
import type { Target } from './server/import-target';
import { openStreamProgress } from './stream-progress';
import { isSystemStream } from './system-streams';
import { TransferError } from './transfer-error';

export interface ImportOptions {
  /** Also imports system streams, if the log has them. */
  readonly system: boolean;
  readonly progress: (events: number) => void;
}

export interface ImportResult extends Pick<ImportTally, 'shiftedStreams'> {
  readonly events: number;
  readonly skippedSystemEvents: number;
}

const importEvents = async (context: ImportContext, log: ExportedLog, { system, progress }: ImportOptions) => {
  const queues = createImportQueues({
    importBatch: (batch, following) => importBatch(context, batch, following),
    mustWait: (batch) => mustWait(context, batch),
  });
  const counts = { events: 0, skippedSystemEvents: 0 };
  try {
    for await (const line of log.events) {
      if (!system && isSystemStream(line.event.stream)) {
        counts.skippedSystemEvents += 1;
        continue;
      }
      const full = queues.add(line);
      if (full !== undefined) await full;
      counts.events += 1;
      progress(counts.events);
    }
    await queues.finish();
    return counts;
  } finally {
    await queues.stop();
  }
};

export const importLog = async (target: Target, log: ExportedLog, options: ImportOptions): Promise<ImportResult> => {
  const streamProgress = openStreamProgress();
  const tally: ImportTally = { shiftedStreams: 0, doubtedStreams: 0 };
  try {
    const counts = await importEvents(
      { target, progress: streamProgress, tally, continues: log.header.from !== null },
      log,
      options,
    );
    if (tally.doubtedStreams > 0)
      throw new TransferError(
        `${tally.doubtedStreams} of the streams have ended at the target, or have other metadata there, and the log has no reason for it.`,
      );
    return { ...counts, shiftedStreams: tally.shiftedStreams };
  } finally {
    await streamProgress.close();
  }
};
