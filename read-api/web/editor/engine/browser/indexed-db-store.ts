/** What an engine keeps, in the browser's own database: it outlives the tab, the browser, and the connection. */
import type { ClientId } from '../../../../../domain/editor/ids';
import type {
  Change,
  DocumentStore,
  KeptClient,
  KeptFrame,
  KeptPending,
  KeptScene,
  Mark,
  RecoveredEdit,
} from '../ports/store';
import { answerOf, type IdbDatabase, type IdbFactory, type IdbStore, openDatabase, read, transact } from './indexed-db';

const names = ['clients', 'pending', 'acknowledged', 'recovered', 'frames', 'chunks', 'scene'] as const;
type Name = (typeof names)[number];
type Stores = (name: Name) => IdbStore;

/** What the chunks are of; those of the one before stay until all of its own are there. */
interface Whole extends Mark {
  readonly generation: number;
  readonly count: number;
}

const keyOf = (clientId: ClientId, clientSeq: number): string => `${clientId} ${String(clientSeq).padStart(16, '0')}`;
const frameKey = (version: number): string => String(version).padStart(16, '0');
const chunkKey = (generation: number, index: number): string => `${generation} ${index}`;

/** Ids have the same letters and length, so that all keys of one are beside each other; there are few. */
const ofClient = (key: unknown, clientId: ClientId): boolean => String(key).startsWith(`${clientId} `);

const forget = (storeOf: Stores, clientId: ClientId): void => {
  storeOf('clients').delete(clientId);
  for (const edits of [storeOf('pending'), storeOf('acknowledged')]) {
    const request = edits.getAllKeys();
    request.onsuccess = () => {
      for (const key of request.result) if (ofClient(key, clientId)) edits.delete(key);
    };
  }
};

const writeEdits = (edits: IdbStore, come: Change['pending'], gone: Change['settled']): void => {
  for (const one of come ?? []) edits.put(one, keyOf(one.clientId, one.operation.clientSeq));
  for (const { clientId, clientSeq } of gone ?? []) edits.delete(keyOf(clientId, clientSeq));
};

const write = (storeOf: Stores, change: Change): void => {
  if (change.client !== undefined) storeOf('clients').put(change.client, change.client.clientId);
  writeEdits(storeOf('pending'), change.pending, change.settled);
  writeEdits(storeOf('acknowledged'), change.acknowledged, change.released);
  if (change.isAnew === true) for (const name of ['scene', 'chunks', 'frames'] as const) storeOf(name).clear();
  for (const frame of change.frames ?? []) storeOf('frames').put(frame, frameKey(frame.fromVersion));
  for (const edit of change.recovered ?? []) storeOf('recovered').put(edit, edit.id);
  for (const id of change.discarded ?? []) storeOf('recovered').delete(id);
  for (const clientId of change.forgotten ?? []) forget(storeOf, clientId);
};

async function* chunksOf(database: IdbDatabase, { generation, count }: Whole): AsyncGenerator<string> {
  for (let index = 0; index < count; index += 1) {
    const chunk = await read(database, 'chunks', (store) => store.get(chunkKey(generation, index)));
    if (typeof chunk !== 'string') throw new Error('A part of what was kept of the document is gone.');
    yield chunk;
  }
}

const wholeIn = async (database: IdbDatabase): Promise<Whole | undefined> =>
  (await read(database, 'scene', (store) => store.get('scene'))) as Whole | undefined;

const sceneIn = async (database: IdbDatabase): Promise<KeptScene | undefined> => {
  const whole = await wholeIn(database);
  const frames = (await read(database, 'frames', (store) => store.getAll())) as KeptFrame[];
  if (whole === undefined && frames.length === 0) return undefined;
  const { generation, count, ...mark } = whole ?? { version: 0, generation: 0, count: 0 };
  return { ...mark, chunks: chunksOf(database, { ...mark, generation, count }), frames };
};

const transactAll = (database: IdbDatabase, work: (storeOf: Stores) => void): Promise<void> =>
  transact(database, { names, isStrict: true, work: work as (storeOf: (name: string) => IdbStore) => void });

/** What is sent after it must not get lost here; what is only read from the server again may. */
const isEdit = ({ pending = [], recovered = [] }: Change): boolean => pending.length + recovered.length > 0;

const finish = async (database: IdbDatabase, whole: Whole): Promise<void> =>
  transactAll(database, (storeOf) => {
    storeOf('scene').put(whole, 'scene');
    const [chunks, frames] = [storeOf('chunks'), storeOf('frames')];
    const keys = chunks.getAllKeys();
    keys.onsuccess = () => {
      for (const key of keys.result) if (!String(key).startsWith(`${whole.generation} `)) chunks.delete(key);
    };
    const kept = frames.getAll();
    kept.onsuccess = () => {
      for (const { fromVersion, operations } of kept.result as KeptFrame[])
        if (fromVersion + operations.length - 1 <= whole.version) frames.delete(frameKey(fromVersion));
    };
  });

const replaceScene = async (database: IdbDatabase, mark: Mark, chunks: AsyncIterable<string>): Promise<void> => {
  const generation = ((await wholeIn(database))?.generation ?? 0) + 1;
  let count = 0;
  for await (const chunk of chunks) {
    const key = chunkKey(generation, count);
    const work = (storeOf: (name: string) => IdbStore): void => void storeOf('chunks').put(chunk, key);
    await transact(database, { names: ['chunks'], isStrict: false, work });
    count += 1;
  }
  await finish(database, { ...mark, generation, count });
};

export interface IndexedDbOptions {
  readonly factory: IdbFactory;
  readonly userId: string;
  readonly documentId: string;
}

export const openIndexedDbStore = async (options: IndexedDbOptions): Promise<DocumentStore> => {
  const { factory, userId, documentId } = options;
  let lost = (): void => undefined;
  const name = `septet-editor ${userId} ${documentId}`;
  const database = await openDatabase({ factory, name, stores: names }, () => lost());
  const all = async <Value>(name: Name): Promise<Value[]> =>
    (await read(await database(), name, (store) => store.getAll())) as Value[];
  const editsOf = async (name: 'pending' | 'acknowledged', clientId: ClientId): Promise<readonly KeptPending[]> =>
    (await all<KeptPending>(name)).filter((one) => one.clientId === clientId);
  return {
    lasts: true,
    clients: () => all<KeptClient>('clients'),
    pendingOf: (clientId) => editsOf('pending', clientId),
    acknowledgedOf: (clientId) => editsOf('acknowledged', clientId),
    recovered: () => all<RecoveredEdit>('recovered'),
    scene: async () => sceneIn(await database()),
    write: async (change) => {
      const work = (storeOf: (name: string) => IdbStore): void => write(storeOf as Stores, change);
      await transact(await database(), { names, isStrict: isEdit(change), work });
    },
    replaceScene: async (mark, chunks) => replaceScene(await database(), mark, chunks),
    clear: async () =>
      transactAll(await database(), (storeOf) => {
        for (const name of names) storeOf(name).clear();
      }),
    close: async () => (await database()).close(),
    onLost: (listener) => {
      lost = listener;
    },
  };
};

/** Of one document and one person, without a trace. */
export const forgetDocument = async ({ factory, userId, documentId }: IndexedDbOptions): Promise<void> =>
  void (await answerOf(factory.deleteDatabase(`septet-editor ${userId} ${documentId}`)));
