/**
 * Bounds the cache of scenes in a browser, per user: it records each scene's size and last use, and removes the least recently used beyond
 * the bounds. A scene is only a copy of what the server has; edits are not touched.
 */
import { type IdbDatabase, type IdbFactory, type IdbStore, openDatabase, runTransaction } from './indexed-db';

export interface SceneBounds {
  readonly scenes: number;
  /** Of all scenes; the last used one stays, whatever its size. */
  readonly bytes: number;
}

const defaultBounds: SceneBounds = { scenes: 50, bytes: 268_435_456 };

export interface SceneEvictionOptions {
  readonly factory: IdbFactory;
  readonly userId: string;
  readonly bounds?: SceneBounds;
  /** Deletes a document's scene. */
  readonly drop: (documentId: string) => Promise<void>;
}

export interface SceneEviction {
  /** A scene was read, or replaced by one of this size. */
  readonly used: (documentId: string, bytes?: number) => Promise<void>;
  readonly forget: (documentId: string) => Promise<void>;
}

interface SceneUse {
  readonly documentId: string;
  readonly bytes: number;
  /** A counter instead of a time, because clocks may stand still. */
  readonly use: number;
}

const store = 'scenes';

const exceeding = (rows: readonly SceneUse[], bounds: SceneBounds): readonly SceneUse[] => {
  let bytes = 0;
  return [...rows]
    .sort((one, other) => other.use - one.use)
    .filter((row, index) => {
      bytes += row.bytes;
      return index > 0 && (index >= bounds.scenes || bytes > bounds.bytes);
    });
};

const recordUse = async (
  database: IdbDatabase,
  { documentId, bytes }: { documentId: string; bytes?: number },
  bounds: SceneBounds,
) => {
  let dropped: readonly SceneUse[] = [];
  const work = (storeOf: (name: string) => IdbStore): void => {
    const scenes = storeOf(store);
    const request = scenes.getAll();
    request.onsuccess = () => {
      const rows = request.result as SceneUse[];
      const known = rows.find((row) => row.documentId === documentId);
      const use = rows.reduce((latest, row) => Math.max(latest, row.use), 0) + 1;
      const row = { documentId, bytes: bytes ?? known?.bytes ?? 0, use };
      dropped = exceeding([...rows.filter((one) => one !== known), row], bounds);
      scenes.put(row, documentId);
      for (const one of dropped) scenes.delete(one.documentId);
    };
  };
  await runTransaction(database, { names: [store], isStrict: false, work });
  return dropped;
};

export const openSceneEviction = ({
  factory,
  userId,
  bounds = defaultBounds,
  drop,
}: SceneEvictionOptions): SceneEviction => {
  const within = async (work: (database: IdbDatabase) => Promise<void>): Promise<void> => {
    try {
      const place = { factory, name: `septet-editor-scenes ${userId}`, stores: [store] };
      const database = await (await openDatabase(place, () => undefined))();
      await work(database).finally(() => database.close());
    } catch {
      // A scene that cannot be counted stays.
    }
  };
  return {
    used: (documentId, bytes) =>
      within(async (database) => {
        const dropped = await recordUse(database, { documentId, ...(bytes !== undefined && { bytes }) }, bounds);
        for (const row of dropped) await drop(row.documentId);
      }),
    forget: (documentId) =>
      within(async (database) => {
        const work = (storeOf: (name: string) => IdbStore): void => void storeOf(store).delete(documentId);
        await runTransaction(database, { names: [store], isStrict: false, work });
      }),
  };
};
