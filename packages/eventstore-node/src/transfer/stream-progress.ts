/** The import progress of each stream, for any number of streams: recent ones in memory, the others in a file. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';

export interface StreamProgress {
  /** The last revision read from the stream; -1 before the first event. */
  readonly source: number;
  /** The next revision at the target. */
  readonly next: number;
  /** By its newest metadata. */
  readonly softDeleted: boolean;
  /** The target differs, and the log has not explained that yet. */
  readonly isConflicting: boolean;
  /** Its revisions at the target differ from those of the log. */
  readonly isRenumbered: boolean;
}

const noProgress: StreamProgress = {
  source: -1,
  next: 0,
  softDeleted: false,
  isConflicting: false,
  isRenumbered: false,
};

export const hasEvents = ({ source }: StreamProgress): boolean => source >= 0;

export interface StreamProgressStore {
  readonly get: (stream: Buffer) => StreamProgress;
  readonly set: (stream: Buffer, progress: StreamProgress) => void;
  readonly close: () => Promise<void>;
}

const maxInMemory = 20_000;

interface SpillFile {
  readonly root: RootDatabase<StreamProgress, Buffer>;
  readonly directory: string;
}

const openSpillFile = (): SpillFile => {
  const directory = mkdtempSync(join(tmpdir(), 'eventstore-import-'));
  const path = join(directory, 'places.mdb');
  // Not flushed: of no use to another run.
  const root = open<StreamProgress, Buffer>({ path, keyEncoding: 'binary', encoding: 'json', noSync: true });
  return { root, directory };
};

const maxKeyBytes = 256;
/** Names may be longer than LMDB's keys; a hashed key is longer than any unhashed one. */
const keyOf = (stream: Buffer): string =>
  stream.length <= maxKeyBytes
    ? stream.toString('latin1')
    : `${stream.toString('latin1', 0, maxKeyBytes)}${createHash('sha256').update(stream).digest().toString('latin1')}`;

export const openStreamProgress = (maxRecent = maxInMemory): StreamProgressStore => {
  const recent = new Map<string, StreamProgress>();
  let file: SpillFile | undefined;
  const spillRecent = (): void => {
    file ??= openSpillFile();
    const { root } = file;
    root.transactionSync(() => {
      for (const [key, progress] of recent) root.putSync(Buffer.from(key, 'latin1'), progress);
    });
    recent.clear();
  };
  return {
    get: (stream) => {
      const key = keyOf(stream);
      return recent.get(key) ?? file?.root.get(Buffer.from(key, 'latin1')) ?? noProgress;
    },
    set: (stream, progress) => {
      recent.set(keyOf(stream), progress);
      if (recent.size >= maxRecent) spillRecent();
    },
    close: async () => {
      if (file === undefined) return;
      await file.root.close();
      rmSync(file.directory, { recursive: true, force: true });
    },
  };
};
