/** `import`: imports an exported log into any EventStoreDB, or into a directory that holds no log. */
import { type ExportedLog, openLog } from '../transfer/format/exported-log';
import { importLog } from '../transfer/import-log';
import { importIntoDirectory } from '../transfer/offline-import';
import { openInput } from '../transfer/open-export';
import { openServer } from '../transfer/server/connection';
import { openTarget } from '../transfer/server/import-target';
import { describeError } from '../transfer/transfer-error';
import { printError } from './print-error';
import type { OptionsOf } from './program';
import { createProgressPrinter } from './progress';

type Progress = (events: number) => void;

const importIntoServer = async (
  url: string,
  log: ExportedLog,
  system: boolean,
  progress: Progress,
): Promise<unknown> => {
  const server = openServer(url);
  try {
    const target = await openTarget(server);
    const imported = await importLog(target, log, { system, progress }).finally(target.close);
    if (imported.shiftedStreams > 0)
      printError(
        `${imported.shiftedStreams} streams begin later in the log than at revision 0: they are renumbered from 0.`,
      );
    return imported;
  } finally {
    await server.close();
  }
};

export const run = async ({ url, data, in: input, system }: OptionsOf<'import'>): Promise<number> => {
  if ((data === undefined) === (url === undefined)) return printError('Give --url or --data.');
  const reportProgress = createProgressPrinter(process.stderr);
  const progress = (events: number): void => reportProgress({ events });
  try {
    const log = await openLog(await openInput(input));
    const imported =
      url === undefined
        ? await importIntoDirectory(data as string, log, progress)
        : await importIntoServer(url, log, system, progress);
    process.stdout.write(
      `${JSON.stringify({ import: url === undefined ? data : 'server', ...(imported as object) })}\n`,
    );
    return 0;
  } catch (error) {
    return printError(describeError(error), 1);
  }
};
