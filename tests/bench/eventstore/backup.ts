/** How fast a log is copied, restored, exported as lines and imported again. */
import { randomUUID } from 'node:crypto';
import { constants, copyFileSync, createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { syncPath } from '../../../packages/data-directory/src/files';
import { takeBackup } from '../../../packages/eventstore-node/src/backup/backup';
import { restoreBackup } from '../../../packages/eventstore-node/src/backup/restore';
import { append } from '../../../packages/eventstore-node/src/storage/append';
import { openStorage } from '../../../packages/eventstore-node/src/storage/storage';
import { startWriter } from '../../../packages/eventstore-node/src/storage/writer';
import { exportLog, toFile } from '../../../packages/eventstore-node/src/transfer/export-log';
import { openLog } from '../../../packages/eventstore-node/src/transfer/format/exported-log';
import { importLog } from '../../../packages/eventstore-node/src/transfer/import-log';
import { importIntoDirectory } from '../../../packages/eventstore-node/src/transfer/offline-import';
import { openServer } from '../../../packages/eventstore-node/src/transfer/server/connection';
import { openTarget } from '../../../packages/eventstore-node/src/transfer/server/import-target';
import { readServer } from '../../../packages/eventstore-node/src/transfer/server/read-log';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { startEventStoreNode } from '../../support/servers/event-store-node';
import { fromCallers, rate, report } from '../measure';
import { eventData } from './events';

const sizes = { events: 200_000, streams: 10_000 };
const progress = (): void => undefined;
const megabyte = 1_000_000;

/** Neighbours in the log are of different streams, as many clients append them: nothing can be put in together. */
const fill = async (data: string): Promise<void> => {
  const storage = openStorage(data);
  const writer = startWriter(storage, () => undefined);
  await fromCallers(1_000, sizes.events, async (index) => {
    const bytes = Buffer.from(JSON.stringify(eventData(index)));
    const event = {
      id: randomUUID(),
      type: 'Benched',
      json: true,
      data: bytes,
      metadata: Buffer.from('{"tenant":"t"}'),
    };
    const stream = Buffer.from(`bench.copied-${index % sizes.streams}`);
    await writer.write(append({ stream, expected: 'any', events: [event] }));
  });
  await storage.tables.root.close();
};

/** A plain copy of the same bytes, on disk as well. */
const copied = (from: string, to: string): void => {
  copyFileSync(from, to, constants.COPYFILE_EXCL);
  syncPath(to);
};

const unwrap = <Value>(
  outcome: { readonly _tag: 'Left'; readonly left: string } | { readonly _tag: 'Right'; readonly right: Value },
): Value => {
  if (isLeft(outcome)) throw new Error(outcome.left);
  return outcome.right;
};

const benchCopies = async (home: string, data: string): Promise<void> => {
  const file = join(data, 'events.mdb');
  const size = statSync(file).size / megabyte;
  const floor = await rate(size, async () => copied(file, join(home, 'copy')));
  const backup = await rate(size, async () => unwrap(await takeBackup({ data, out: join(home, 'backup'), progress })));
  const from = join(home, 'backup');
  const restore = await rate(size, async () =>
    unwrap(await restoreBackup({ from, data: join(home, 'restored'), progress })),
  );
  report({ name: 'eventstore.backup', value: backup, unit: 'MB/s', baseline: floor });
  report({ name: 'eventstore.restore', value: restore, unit: 'MB/s', baseline: floor });
};

const drain = async (events: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of events);
};

const benchExport = async (url: string, file: string): Promise<void> => {
  const server = openServer(url);
  const wanted = { from: undefined, system: false };
  const exported = await rate(sizes.events, () =>
    toFile(file, (sink) => exportLog(server, sink, { ...wanted, progress })),
  );
  const floor = await rate(sizes.events, () => drain(readServer(server, wanted)));
  await server.close();
  report({ name: 'eventstore.export', value: exported, unit: 'events/s', baseline: floor });
};

const logIn = (file: string) => openLog(createReadStream(file, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>);

const benchImport = async (url: string, file: string): Promise<void> => {
  const server = openServer(url);
  const target = await openTarget(server);
  const into = async () => importLog(target, await logIn(file), { system: false, progress });
  report({ name: 'eventstore.import', value: await rate(sizes.events, into), unit: 'events/s' });
  report({ name: 'eventstore.import.again', value: await rate(sizes.events, into), unit: 'events/s' });
  target.close();
  await server.close();
};

export const benchBackup = async (): Promise<void> => {
  const home = temporaryDirectory('bench-backup');
  const [data, file] = [join(home.path, 'data'), join(home.path, 'log.ndjson')];
  await fill(data);
  await benchCopies(home.path, data);
  const source = await startEventStoreNode(data);
  await benchExport(source.url, file);
  await source.stop();
  const direct = await rate(sizes.events, async () =>
    importIntoDirectory(join(home.path, 'direct'), await logIn(file), progress),
  );
  report({ name: 'eventstore.import.data', value: direct, unit: 'events/s' });
  const target = await startEventStoreNode(join(home.path, 'target'));
  await benchImport(target.url, file);
  await target.stop();
  home.remove();
};
