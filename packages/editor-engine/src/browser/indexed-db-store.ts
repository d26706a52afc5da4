/** `DocumentStore` in IndexedDB. It outlives the tab and the browser. */
import type { ClientId } from '../../../../domain/editor/ids';
import type {
  DocumentStore,
  RecoveredEdit,
  StoreChange,
  StoredClient,
  StoredFrame,
  StoredOperation,
  StoredScene,
  VersionStamp,
} from '../ports/document-store';
import {
  awaitRequest,
  type IdbDatabase,
  type IdbDatabaseSpec,
  type IdbFactory,
  type IdbStore,
  openDatabase,
  read,
  runTransaction,
} from './indexed-db';
import { openSceneEviction, type SceneBounds, type SceneEviction } from './scene-eviction';

const storeNames = ['clients', 'pending', 'acknowledged', 'recovered', 'frames', 'chunks', 'scene'] as const;
type StoreName = (typeof storeNames)[number];
type Stores = (name: StoreName) => IdbStore;

/** The stored scene. Chunks of the previous one stay until all chunks of this one are written. */
interface SceneRecord extends VersionStamp {
  readonly generation: number;
  readonly count: number;
}

const keyOf = (clientId: ClientId, clientSeq: number): string => `${clientId} ${String(clientSeq).padStart(16, '0')}`;
const frameKey = (version: number): string => String(version).padStart(16, '0');
const chunkKey = (generation: number, index: number): string => `${generation} ${index}`;

/** Client ids have equal length, so a prefix identifies a client's keys; there are few. */
const ofClient = (key: unknown, clientId: ClientId): boolean => String(key).startsWith(`${clientId} `);

const deleteClient = (storeOf: Stores, clientId: ClientId): void => {
  storeOf('clients').delete(clientId);
  for (const edits of [storeOf('pending'), storeOf('acknowledged')]) {
    const request = edits.getAllKeys();
    request.onsuccess = () => {
      for (const key of request.result) if (ofClient(key, clientId)) edits.delete(key);
    };
  }
};

const writeEdits = (edits: IdbStore, come: StoreChange['pending'], gone: StoreChange['settled']): void => {
  for (const one of come ?? []) edits.put(one, keyOf(one.clientId, one.operation.clientSeq));
  for (const { clientId, clientSeq } of gone ?? []) edits.delete(keyOf(clientId, clientSeq));
};

const write = (storeOf: Stores, change: StoreChange): void => {
  if (change.client !== undefined) storeOf('clients').put(change.client, change.client.clientId);
  writeEdits(storeOf('pending'), change.pending, change.settled);
  writeEdits(storeOf('acknowledged'), change.acknowledged, change.released);
  if (change.replacesScene === true) for (const name of ['scene', 'chunks', 'frames'] as const) storeOf(name).clear();
  for (const frame of change.frames ?? []) storeOf('frames').put(frame, frameKey(frame.fromVersion));
  for (const edit of change.recovered ?? []) storeOf('recovered').put(edit, edit.id);
  for (const id of change.discarded ?? []) storeOf('recovered').delete(id);
  for (const clientId of change.forgotten ?? []) deleteClient(storeOf, clientId);
};

async function* chunksOf(database: IdbDatabase, { generation, count }: SceneRecord): AsyncGenerator<string> {
  for (let index = 0; index < count; index += 1) {
    const chunk = await read(database, 'chunks', (store) => store.get(chunkKey(generation, index)));
    if (typeof chunk !== 'string') throw new Error('A part of the stored document is missing.');
    yield chunk;
  }
}

const readSceneRecord = async (database: IdbDatabase): Promise<SceneRecord | undefined> =>
  (await read(database, 'scene', (store) => store.get('scene'))) as SceneRecord | undefined;

const readScene = async (database: IdbDatabase): Promise<StoredScene | undefined> => {
  const whole = await readSceneRecord(database);
  const frames = (await read(database, 'frames', (store) => store.getAll())) as StoredFrame[];
  if (whole === undefined && frames.length === 0) return undefined;
  const { generation, count, ...mark } = whole ?? { version: 0, generation: 0, count: 0 };
  return { ...mark, chunks: chunksOf(database, { ...mark, generation, count }), frames };
};

const transactAll = (database: IdbDatabase, work: (storeOf: Stores) => void): Promise<void> =>
  runTransaction(database, {
    names: storeNames,
    isStrict: true,
    work: work as (storeOf: (name: string) => IdbStore) => void,
  });

/** Edits must be durable before they are sent; the scene can be fetched again. */
const isEdit = ({ pending = [], recovered = [] }: StoreChange): boolean => pending.length + recovered.length > 0;

const finishScene = async (database: IdbDatabase, whole: SceneRecord): Promise<void> =>
  transactAll(database, (storeOf) => {
    storeOf('scene').put(whole, 'scene');
    const [chunks, frames] = [storeOf('chunks'), storeOf('frames')];
    const keys = chunks.getAllKeys();
    keys.onsuccess = () => {
      for (const key of keys.result) if (!String(key).startsWith(`${whole.generation} `)) chunks.delete(key);
    };
    const stored = frames.getAll();
    stored.onsuccess = () => {
      for (const { fromVersion, operations } of stored.result as StoredFrame[])
        if (fromVersion + operations.length - 1 <= whole.version) frames.delete(frameKey(fromVersion));
    };
  });

/** Returns the approximate size in bytes. */
const replaceScene = async (
  database: IdbDatabase,
  mark: VersionStamp,
  chunks: AsyncIterable<string>,
): Promise<number> => {
  const generation = ((await readSceneRecord(database))?.generation ?? 0) + 1;
  let [count, bytes] = [0, 0];
  for await (const chunk of chunks) {
    const key = chunkKey(generation, count);
    const work = (storeOf: (name: string) => IdbStore): void => void storeOf('chunks').put(chunk, key);
    await runTransaction(database, { names: ['chunks'], isStrict: false, work });
    count += 1;
    bytes += chunk.length;
  }
  await finishScene(database, { ...mark, generation, count });
  return bytes;
};

export interface IndexedDbOptions {
  readonly factory: IdbFactory;
  readonly userId: string;
  readonly documentId: string;
  /** Bounds for the scenes of all documents; the default applies if omitted. */
  readonly sceneBounds?: SceneBounds;
}

const databaseOf = ({ factory, userId }: IndexedDbOptions, documentId: string): IdbDatabaseSpec => ({
  factory,
  name: `septet-editor ${userId} ${documentId}`,
  stores: storeNames,
});

const dropScene = async (place: IdbDatabaseSpec): Promise<void> => {
  const database = await (await openDatabase(place, () => undefined))();
  const work = (storeOf: (name: string) => IdbStore): void => write(storeOf as Stores, { replacesScene: true });
  await runTransaction(database, { names: storeNames, isStrict: false, work }).finally(() => database.close());
};

const sceneEvictionOf = (options: IndexedDbOptions): SceneEviction => {
  const { factory, userId, sceneBounds: bounds } = options;
  const drop = (documentId: string): Promise<void> => dropScene(databaseOf(options, documentId));
  return openSceneEviction({ factory, userId, drop, ...(bounds === undefined ? {} : { bounds }) });
};

export const openIndexedDbStore = async (options: IndexedDbOptions): Promise<DocumentStore> => {
  const { documentId } = options;
  let lost = (): void => undefined;
  const database = await openDatabase(databaseOf(options, documentId), () => lost());
  const scenes = sceneEvictionOf(options);
  const all = async <Value>(name: StoreName): Promise<Value[]> =>
    (await read(await database(), name, (store) => store.getAll())) as Value[];
  const editsOf = async (name: 'pending' | 'acknowledged', clientId: ClientId): Promise<readonly StoredOperation[]> =>
    (await all<StoredOperation>(name)).filter((one) => one.clientId === clientId);
  return {
    isDurable: true,
    clients: () => all<StoredClient>('clients'),
    pendingOf: (clientId) => editsOf('pending', clientId),
    acknowledgedOf: (clientId) => editsOf('acknowledged', clientId),
    recovered: () => all<RecoveredEdit>('recovered'),
    scene: async () => {
      const scene = await readScene(await database());
      if (scene !== undefined) await scenes.used(documentId);
      return scene;
    },
    write: async (change) => {
      const work = (storeOf: (name: string) => IdbStore): void => write(storeOf as Stores, change);
      await runTransaction(await database(), { names: storeNames, isStrict: isEdit(change), work });
    },
    replaceScene: async (mark, chunks) => {
      const bytes = await replaceScene(await database(), mark, chunks);
      await scenes.used(documentId, bytes);
    },
    clear: async () => {
      await transactAll(await database(), (storeOf) => {
        for (const name of storeNames) storeOf(name).clear();
      });
      await scenes.forget(documentId);
    },
    close: async () => (await database()).close(),
    onLost: (listener) => {
      lost = listener;
    },
  };
};

/** Deletes everything stored for one document and user. */
export const deleteStoredDocument = async (options: IndexedDbOptions): Promise<void> => {
  const { factory, documentId } = options;
  await awaitRequest(factory.deleteDatabase(databaseOf(options, documentId).name));
  await sceneEvictionOf(options).forget(documentId);
};
