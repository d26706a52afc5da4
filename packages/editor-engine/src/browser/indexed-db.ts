/** The parts of IndexedDB that the store uses, with promises. One database per document and user. */

export interface IdbRequest<Value> {
  result: Value;
  readonly error: unknown;
  onsuccess: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
}

export interface IdbStore {
  put(value: unknown, key?: unknown): unknown;
  delete(key: unknown): unknown;
  clear(): unknown;
  get(key: unknown): IdbRequest<unknown>;
  getAll(range?: unknown, count?: number): IdbRequest<unknown[]>;
  getAllKeys(range?: unknown): IdbRequest<unknown[]>;
}

export interface IdbTransaction {
  readonly error: unknown;
  objectStore(name: string): IdbStore;
  abort(): void;
  oncomplete: ((event: never) => void) | null;
  onabort: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
}

export interface IdbDatabase {
  readonly objectStoreNames: { contains(name: string): boolean };
  createObjectStore(name: string): unknown;
  transaction(names: string[], mode: 'readonly' | 'readwrite', options?: { durability?: string }): IdbTransaction;
  close(): void;
  onversionchange: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
}

interface IdbOpening extends IdbRequest<IdbDatabase> {
  onupgradeneeded: ((event: never) => void) | null;
}

export interface IdbFactory {
  open(name: string, version: number): IdbOpening;
  deleteDatabase(name: string): IdbRequest<unknown>;
}

export const awaitRequest = <Value>(request: IdbRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Incremented with each new object store. */
const schemaVersion = 2;

export interface IdbDatabaseSpec {
  readonly factory: IdbFactory;
  readonly name: string;
  readonly stores: readonly string[];
}

const open = async ({ factory, name, stores }: IdbDatabaseSpec, closed: () => void): Promise<IdbDatabase> => {
  const request = factory.open(name, schemaVersion);
  request.onupgradeneeded = () => {
    const { result } = request;
    for (const store of stores) if (!result.objectStoreNames.contains(store)) result.createObjectStore(store);
  };
  const database = await awaitRequest(request);
  // The browser's "clear site data" must not wait for this page.
  database.onversionchange = () => database.close();
  database.onclose = closed;
  return database;
};

/** Reopened if the browser closes it, as some do with background pages. */
export const openDatabase = async (place: IdbDatabaseSpec, closed: () => void): Promise<() => Promise<IdbDatabase>> => {
  let current: Promise<IdbDatabase> | undefined;
  const opened = (): Promise<IdbDatabase> => {
    if (current !== undefined) return current;
    const opening = open(place, () => {
      current = undefined;
      closed();
    });
    current = opening;
    // A failed open is not cached.
    opening.catch(() => {
      if (current === opening) current = undefined;
    });
    return opening;
  };
  await opened();
  return opened;
};

export interface WriteTransaction {
  readonly names: readonly string[];
  /** Whether the promise resolves only after the data is on disk; relaxed writes cost less. */
  readonly isStrict: boolean;
  readonly work: (storeOf: (name: string) => IdbStore) => void;
}

export const runTransaction = (database: IdbDatabase, { names, isStrict, work }: WriteTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    const durability = isStrict ? 'strict' : 'relaxed';
    const transaction = database.transaction([...names], 'readwrite', { durability });
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    transaction.onerror = () => reject(transaction.error);
    try {
      work((name) => transaction.objectStore(name));
    } catch (error) {
      transaction.abort();
      reject(error);
    }
  });

export const read = <Value>(
  database: IdbDatabase,
  name: string,
  request: (store: IdbStore) => IdbRequest<Value>,
): Promise<Value> => awaitRequest(request(database.transaction([name], 'readonly').objectStore(name)));
