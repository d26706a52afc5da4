/** The log in a backup: files of our own node are copied, any other event store is exported. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { takeBackup } from '../../../../packages/eventstore-node/src/backup/index';
import { readDirectory } from '../../../../packages/eventstore-node/src/directory';
import {
  exportLog,
  type LoggedEvent,
  openInput,
  openLog,
  openServer,
  readServer,
  type Server,
  toFile,
} from '../../../../packages/eventstore-node/src/transfer/index';
import { OperatorError } from '../../launch/operator-error';
import type { Manifest } from '../backup-manifest';
import type { LogPlace } from '../installation';

type LogPart = Manifest['log'];

const quietly = (): void => undefined;
export const copyIn = (backup: string): string => join(backup, 'eventstore');
export const exportIn = (backup: string): string => join(backup, 'eventstore.jsonl');

export const withServer = async <A>(url: string, work: (server: Server) => Promise<A>): Promise<A> => {
  const server = openServer(url);
  try {
    return await work(server);
  } finally {
    await server.close();
  }
};

/** Without system streams. */
export async function* readServerLog(url: string, from?: number): AsyncGenerator<LoggedEvent, void> {
  const server = openServer(url);
  try {
    yield* readServer(server, { from, system: false });
  } finally {
    await server.close();
  }
}

export const copyLog = async (from: LogPlace, out: string): Promise<LogPart> => {
  if (from.kind === 'server') {
    const wanted = { from: undefined, system: false, progress: quietly };
    const exported = await withServer(from.url, (server) =>
      toFile(exportIn(out), (sink) => exportLog(server, sink, wanted)),
    );
    return { kind: 'exported', ...exported };
  }
  const copied = await takeBackup({ data: from.path, out: copyIn(out), progress: quietly });
  if (isLeft(copied)) throw new OperatorError(copied.left);
  return { kind: 'copied', events: copied.right.events, lastPosition: copied.right.endPosition };
};

type UseEvent = (event: { readonly stream: string; readonly type: string; readonly data: Uint8Array }) => void;

export const readBackedUpEvents = async (backup: string, { kind }: LogPart, use: UseEvent): Promise<void> => {
  if (kind === 'copied') {
    await readDirectory(copyIn(backup), undefined, use);
    // LMDB's own, of this machine.
    await rm(join(copyIn(backup), 'events.mdb-lock'), { force: true });
    return;
  }
  const { events } = await openLog(await openInput(exportIn(backup)));
  for await (const { event } of events) use({ ...event, stream: event.stream.toString('utf8') });
};

/** Calls `use` with what came after a position, as the log is now; null: from its beginning. */
export const readLaterEvents = async (log: LogPlace, after: number | null, use: UseEvent): Promise<void> => {
  if (log.kind === 'directory') return readDirectory(log.path, after ?? undefined, use);
  // From the position on: its own event comes once more.
  for await (const { stream, type, data } of readServerLog(log.url, after ?? undefined))
    use({ stream: stream.toString('utf8'), type, data });
};

const isEmpty = async (url: string): Promise<boolean> => {
  for await (const _ of readServerLog(url)) return false;
  return true;
};

/** Before anything is changed. */
export const requireEmptyLog = async (to: LogPlace): Promise<void> => {
  if (to.kind === 'directory') return;
  if (!(await isEmpty(to.url)))
    throw new OperatorError('The event store is in use: there are events in it. Nothing is added to them.');
};
