/** The files of all tenants as far as re-indexing needs them, folded of the log: each reading goes on from where the one before ended. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fileAccess } from '../../../domain/files/access/events';
import { files } from '../../../domain/files/file/events';
import type { FileId } from '../../../domain/files/ids';
import { ingestions } from '../../../domain/files/ingestion/events';
import {
  evolveIndexedFile,
  type IndexedFile,
  type IndexedFileEvent,
  indexedFileEvents,
  indexedFileOf,
} from '../../../domain/files/reindexing/due-files';
import { parseStreamName, type TenantId } from '../../../domain/kernel/ids';
import { type Fault, fault } from '../../../domain/kernel/rejection';
import type { EventStore, StoredEvent } from '../../../infra/ports/event-store';

export type FilesOfTenant = ReadonlyMap<FileId, IndexedFile>;

export interface IndexedFiles {
  /** Up to the end of the log. The map is the same one with each call, and changes with the next. */
  readonly read: (
    signal: AbortSignal,
  ) => Promise<Either<Fault<'event-store-unavailable'>, ReadonlyMap<TenantId, FilesOfTenant>>>;
}

const families = [files, ingestions, fileAccess];

/** Undefined: of another context, or of a newer version. */
const decode = ({ stream, type, data }: StoredEvent): IndexedFileEvent | undefined => {
  const event = families.find(({ prefix }) => stream.startsWith(prefix))?.decode(type, data);
  return event === undefined || isLeft(event) ? undefined : event.right;
};

export const openIndexedFiles = (store: Pick<EventStore, 'readAll'>): IndexedFiles => {
  const tenants = new Map<TenantId, Map<FileId, IndexedFile>>();
  let after: bigint | null = null;
  let reading: Promise<void> = Promise.resolve();

  const apply = (stored: StoredEvent): void => {
    const event = decode(stored);
    const tenant = parseStreamName(stored.stream)?.tenant;
    const fileId = event === undefined ? undefined : indexedFileOf(event);
    if (event === undefined || tenant === undefined || fileId === undefined) return;
    const ofTenant = tenants.get(tenant) ?? new Map<FileId, IndexedFile>();
    tenants.set(tenant, ofTenant);
    const file = evolveIndexedFile(ofTenant.get(fileId), event);
    if (file === undefined) ofTenant.delete(fileId);
    else ofTenant.set(fileId, file);
  };
  const readOn = async (signal: AbortSignal): Promise<void> => {
    for await (const stored of store.readAll({ after, filter: { types: indexedFileEvents } })) {
      if (signal.aborted) return;
      apply(stored);
      after = stored.position;
    }
  };
  return {
    read: async (signal) => {
      // One after another: two readings would apply the same events.
      const next = reading.then(() => readOn(signal));
      reading = next.catch(() => undefined);
      try {
        await next;
        return right(tenants);
      } catch (error) {
        return left(
          fault(
            'event-store-unavailable',
            'The log cannot be read right now.',
            error instanceof Error ? error.message : undefined,
          ),
        );
      }
    },
  };
};
