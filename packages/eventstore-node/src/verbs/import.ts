/** `import`: an exported log into any EventStoreDB, or into a directory that holds none. */
import { isLeft } from 'fp-ts/Either';
import { complain, flagsIn } from '../flags';
import { importIntoDirectory } from '../transfer/direct';
import { sentenceOf } from '../transfer/faults';
import { importLog } from '../transfer/import';
import { openInput } from '../transfer/input';
import { progressOn } from '../transfer/progress';
import { type ExportedLog, openLog } from '../transfer/read-log';
import { openServer } from '../transfer/server';
import { openTarget } from '../transfer/target';

const flags = {
  url: { type: 'string' },
  data: { type: 'string' },
  in: { type: 'string', default: '-' },
  system: { type: 'boolean', default: false },
} as const;

type Progress = (events: number) => void;

const intoServer = async (url: string, log: ExportedLog, system: boolean, progress: Progress): Promise<unknown> => {
  const server = openServer(url);
  try {
    const target = await openTarget(server);
    const imported = await importLog(target, log, { system, progress }).finally(target.close);
    if (imported.shiftedStreams > 0)
      complain(`${imported.shiftedStreams} streams begin later in the log than at revision 0: they are numbered anew.`);
    return imported;
  } finally {
    await server.close();
  }
};

export const run = async (argv: readonly string[]): Promise<number> => {
  const wanted = flagsIn(argv, flags);
  if (isLeft(wanted)) return complain(wanted.left);
  const { url, data, in: input, system } = wanted.right;
  if ((data === undefined) === (url === undefined)) return complain('Either --url or --data is needed.');
  const say = progressOn(process.stderr);
  const progress = (events: number): void => say({ events });
  try {
    const log = await openLog(await openInput(input));
    const imported =
      url === undefined
        ? await importIntoDirectory(data as string, log, progress)
        : await intoServer(url, log, system, progress);
    process.stdout.write(
      `${JSON.stringify({ import: url === undefined ? data : 'server', ...(imported as object) })}\n`,
    );
    return 0;
  } catch (error) {
    return complain(sentenceOf(error), 1);
  }
};
