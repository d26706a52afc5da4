/** How far each stream of a log has come, for any number of streams: the recent ones in memory, the others in a file. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';

export interface Place {
  /** The last revision that was read of the stream; -1 before the first event. */
  readonly source: number;
  /** The revision that comes next at the target. */
  readonly next: number;
  /** Its newest metadata says so. */
  readonly softDeleted: boolean;
  /** The target has it otherwise, and the log has not yet said why. */
  readonly doubted: boolean;
  /** Its revisions at the target are others than in the log. */
  readonly shifted: boolean;
}

const unseen: Place = { source: -1, next: 0, softDeleted: false, doubted: false, shifted: false };

export const hasEvents = ({ source }: Place): boolean => source >= 0;

export interface Places {
  readonly get: (stream: Buffer) => Place;
  readonly set: (stream: Buffer, place: Place) => void;
  readonly close: () => Promise<void>;
}

const mostInMemory = 20_000;

interface Spilled {
  readonly root: RootDatabase<Place, Buffer>;
  readonly directory: string;
}

const spill = (): Spilled => {
  const directory = mkdtempSync(join(tmpdir(), 'eventstore-import-'));
  const path = join(directory, 'places.mdb');
  // Of no use to another run: nothing is flushed.
  const root = open<Place, Buffer>({ path, keyEncoding: 'binary', encoding: 'json', noSync: true });
  return { root, directory };
};

const longestKey = 256;
/** Names may be longer than LMDB's keys; a hashed one is longer than any that is not. */
const keyOf = (stream: Buffer): string =>
  stream.length <= longestKey
    ? stream.toString('latin1')
    : `${stream.toString('latin1', 0, longestKey)}${createHash('sha256').update(stream).digest().toString('latin1')}`;

export const openPlaces = (most = mostInMemory): Places => {
  const recent = new Map<string, Place>();
  let file: Spilled | undefined;
  const moveOut = (): void => {
    file ??= spill();
    const { root } = file;
    root.transactionSync(() => {
      for (const [key, place] of recent) root.putSync(Buffer.from(key, 'latin1'), place);
    });
    recent.clear();
  };
  return {
    get: (stream) => {
      const key = keyOf(stream);
      return recent.get(key) ?? file?.root.get(Buffer.from(key, 'latin1')) ?? unseen;
    },
    set: (stream, place) => {
      recent.set(keyOf(stream), place);
      if (recent.size >= most) moveOut();
    },
    close: async () => {
      if (file === undefined) return;
      await file.root.close();
      rmSync(file.directory, { recursive: true, force: true });
    },
  };
};
