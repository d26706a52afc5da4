/** A log in the embedded node's storage, without a server: its events as lines, and an import target. */
import { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { append } from '../../../../packages/eventstore-node/src/storage/append';
import { softDelete, tombstone } from '../../../../packages/eventstore-node/src/storage/delete';
import { isReadable, readStreamPage } from '../../../../packages/eventstore-node/src/storage/read-pages';
import {
  idOf,
  messageOf,
  type NewRecord,
} from '../../../../packages/eventstore-node/src/storage/records/record-format';
import { openStorage } from '../../../../packages/eventstore-node/src/storage/storage';
import type { ExpectedRevision } from '../../../../packages/eventstore-node/src/storage/write-events';
import { startWriter } from '../../../../packages/eventstore-node/src/storage/writer';
import type { LoggedEvent } from '../../../../packages/eventstore-node/src/transfer/format/event-line';
import type { ExportedLog } from '../../../../packages/eventstore-node/src/transfer/format/exported-log';
import type { AppendResult } from '../../../../packages/eventstore-node/src/transfer/server/append-messages';
import type { Target } from '../../../../packages/eventstore-node/src/transfer/server/import-target';
import { decodeLoggedEvent } from '../../../../packages/eventstore-node/src/transfer/server/read-events';
import { temporaryDirectory } from '../../../support/files/temporary-directory';

const { RecordedEvent } = ReadResp.ReadEvent;

export interface LogInProcess {
  readonly append: (stream: string, expected: ExpectedRevision, events: readonly NewRecord[]) => Promise<AppendResult>;
  readonly softDelete: (stream: string) => Promise<unknown>;
  readonly tombstone: (stream: string) => Promise<unknown>;
  readonly events: () => LoggedEvent[];
  /** The ids that a reader sees of a stream. */
  readonly visible: (stream: string) => readonly string[];
  readonly target: Target;
  readonly close: () => Promise<void>;
}

type Outcome = { readonly kind: string; readonly revision?: number };

/** A full disk would be a defect of the test. */
const answerOf = ({ kind, revision }: Outcome): AppendResult => {
  if (kind === 'appended' || kind === 'wrong-revision') return { kind, revision: revision ?? -1 };
  if (kind === 'stream-deleted' || kind === 'deleted') return { kind: 'stream-deleted' };
  throw new Error(`unexpected: ${kind}`);
};

export const openLogInProcess = (): LogInProcess => {
  const { path: directory, remove } = temporaryDirectory('transfer');
  const storage = openStorage(directory);
  const writer = startWriter(storage, () => undefined);
  const put = async (stream: Buffer, expected: ExpectedRevision, events: readonly NewRecord[]): Promise<AppendResult> =>
    answerOf(await writer.write(append({ stream, expected, events })));
  const events = (): LoggedEvent[] =>
    [...storage.tables.log.getRange({})].map(({ value }) =>
      decodeLoggedEvent(RecordedEvent.deserializeBinary(messageOf(value))),
    );
  const visible = (name: Buffer): readonly string[] => {
    const head = storage.heads.get(name);
    if (!isReadable(head)) return [];
    const window = { name, head, from: 0, direction: 'forwards', limit: 1_000 } as const;
    return readStreamPage(storage.tables, window).records.map(({ bytes }) => idOf(bytes));
  };
  return {
    append: (stream, expected, events) => put(Buffer.from(stream), expected, events),
    softDelete: (stream) => writer.write(softDelete({ stream: Buffer.from(stream), expected: 'any' })),
    tombstone: (stream) => writer.write(tombstone({ stream: Buffer.from(stream), expected: 'any' })),
    events,
    visible: (stream) => visible(Buffer.from(stream)),
    target: {
      append: ({ stream, expected, events }) => put(stream, expected, events),
      end: async (stream, expected) => answerOf(await writer.write(tombstone({ stream, expected }))),
      edge: async (stream, edge) => {
        const ids = visible(stream);
        const id = edge === 'oldest' ? ids[0] : ids.at(-1);
        return events().find((event) => event.id === id && event.stream.equals(stream));
      },
      close: () => undefined,
    },
    close: async () => {
      await writer.idle();
      await storage.tables.root.close();
      remove();
    },
  };
};

const header = { format: 'eventstore-log', version: 1, source: 'test', madeAt: '2026-11-20T00:00:00.000Z' } as const;

/** The first event is on line 2. */
export const logOf = (events: readonly LoggedEvent[], from: number | null = null): ExportedLog => ({
  header: { ...header, from, system: false },
  events: (async function* () {
    for (const [index, event] of events.entries()) yield { line: index + 2, event };
  })(),
});

/** What an import has to keep of each stream: ids, types and bytes in order; revisions as far as nothing was removed. */
export const contentOf = (events: readonly LoggedEvent[]): Record<string, readonly string[]> => {
  const streams: Record<string, string[]> = {};
  for (const { stream, id, type, data, metadata, revision } of events) {
    const name = stream.toString('latin1');
    // Metadata of a renumbered stream names other revisions.
    const bytes = name.startsWith('$$') ? '' : Buffer.from(data).toString('latin1');
    // Tombstones get ids of their own.
    const own = revision === Number.POSITIVE_INFINITY ? '' : id;
    const fields = [own, type, bytes, Buffer.from(metadata).toString('latin1')];
    streams[name] = [...(streams[name] ?? []), fields.join('|')];
  }
  return streams;
};
