/** Verifies directories one after the other; if no damage is found, reports a digest of what reads return. */
import { createHash } from 'node:crypto';
import { readAllPage, readStreamPage } from '../../../../packages/eventstore-node/src/storage/read-pages';
import { openStorage, type Storage } from '../../../../packages/eventstore-node/src/storage/storage';
import { checkAll } from '../../../../packages/eventstore-node/src/verify/check-all';
import { CorruptionError } from '../../../../packages/eventstore-node/src/verify/corruption-error';
import { namesIn } from './stored-log';

type Hash = ReturnType<typeof createHash>;

const addStream = (hash: Hash, { tables, heads }: Storage, name: Buffer): void => {
  const head = heads.get(name);
  hash.update(JSON.stringify(head ?? null));
  if (head === undefined) return;
  let from: number | undefined = 0;
  while (from !== undefined) {
    const page = readStreamPage(tables, { name, head, from, direction: 'forwards', limit: 256 });
    for (const { bytes } of page.records) hash.update(bytes);
    from = page.next;
  }
};

const addAll = (hash: Hash, { tables }: Storage): void => {
  const everything = { direction: 'forwards', limit: 256, window: 256, matches: () => true } as const;
  let from = 0;
  for (;;) {
    const page = readAllPage(tables, { from, ...everything });
    for (const { bytes } of page.records) hash.update(bytes);
    if (page.last === undefined) return;
    from = page.last + 1;
  }
};

const digestOf = async (directory: string): Promise<string> => {
  const storage = openStorage(directory);
  const hash = createHash('sha256');
  addAll(hash, storage);
  for (const name of namesIn()) for (const stream of [name, `$$${name}`]) addStream(hash, storage, Buffer.from(stream));
  await storage.tables.root.close();
  return hash.digest('hex');
};

const answer = async (directory: string): Promise<object> => {
  try {
    const walked = await checkAll(directory, () => undefined);
    return { found: walked === undefined ? 'nothing' : undefined, digest: await digestOf(directory) };
  } catch (error) {
    return { found: error instanceof Error ? error.message : String(error), named: error instanceof CorruptionError };
  }
};

process.on('message', (directory: string) => void answer(directory).then((found) => process.send?.(found)));
