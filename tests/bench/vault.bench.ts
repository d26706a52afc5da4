/** Cost of secrets: a field, an append, a read in log order by a process with an empty key cache; an erasure in a view. */
import { createCipheriv, createSecretKey, randomBytes } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import { openEventStore } from '../../infra/adapters/eventstore/event-store';
import { migrate } from '../../infra/adapters/postgres/migrate';
import { openEncryptingStore } from '../../infra/adapters/vault/encrypting-store';
import { decryptField, encryptField } from '../../infra/adapters/vault/field-encryption';
import { openLocalWrapping } from '../../infra/adapters/vault/local-key-wrapping';
import { openPostgresKeyTable } from '../../infra/adapters/vault/postgres-key-table';
import { openVault } from '../../infra/adapters/vault/subject-keys';
import type { EventStore, NewEvent } from '../../infra/ports/event-store';
import type { Vault } from '../../infra/ports/vault';
import { expectRight } from '../support/domain/expect-right';
import { joined, memberEvent, memberStream } from '../support/domain/personal-context';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { startEventStoreNode } from '../support/servers/event-store-node';
import { freshDatabase, stopServers } from '../support/servers/shared-servers';
import { fromCallers, percentile, rate, report } from './measure';
import { benchErasures } from './vault/erasures';

const fields = 50_000;
const rounds = 3;
const subjects = 2_000;
const events = 20_000;
const appends = 1_000;

const place = JSON.stringify([
  memberStream('m-1'),
  'sample.MemberJoined.v1',
  '7d9f1c9e-2f0a-4b4e-8a51-0f1e2d3c4b5a',
  'name',
]);
const plain = JSON.stringify('somebody@septet.example');

const perSecond = (task: () => void): number => {
  const began = performance.now();
  for (let count = 0; count < fields; count += 1) task();
  return (fields * 1000) / (performance.now() - began);
};

/** The floor: the cipher alone. */
const rawSeal = (key: ReturnType<typeof createSecretKey>): void => {
  const cipher = createCipheriv('aes-256-gcm', key, randomBytes(12));
  cipher.update(plain, 'utf8');
  cipher.final();
  cipher.getAuthTag();
};

const benchFields = (): void => {
  const key = randomBytes(32);
  const raw = createSecretKey(key);
  const sealed = encryptField(key, place, plain);
  const found = { seal: [] as number[], open: [] as number[], raw: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    found.raw.push(perSecond(() => rawSeal(raw)));
    found.seal.push(perSecond(() => void encryptField(key, place, plain)));
    found.open.push(perSecond(() => void decryptField(key, place, sealed)));
  }
  const baseline = percentile(found.raw, 0.5);
  report({ name: 'vault.seal', value: percentile(found.seal, 0.5), unit: 'fields/s', baseline });
  report({ name: 'vault.open', value: percentile(found.open, 0.5), unit: 'fields/s', baseline });
};

const append = async (store: EventStore, stream: string, made: readonly NewEvent[]): Promise<void> => {
  const appended = await store.append(stream, 'any', made);
  if (isLeft(appended)) throw new Error(JSON.stringify(appended.left));
};

const withSecret = (index: number): NewEvent => memberEvent(joined(`m-${index % subjects}`, 'Somebody Or Other'));

/** As many bytes, none of them secret. */
const withoutSecret = (index: number): NewEvent => {
  const { secrets: _, ...event } = withSecret(index);
  return event;
};

const fill = async (store: EventStore, kind: string, make: (index: number) => NewEvent): Promise<void> => {
  const each = events / subjects;
  await fromCallers(8, subjects, async (index) => {
    const made = Array.from({ length: each }, () => make(index));
    await append(store, memberStream(`${kind}-${index}`, kind), made);
  });
};

const readAll = async (store: EventStore, kind: string): Promise<void> => {
  let count = 0;
  for await (const event of store.readAll({ after: null, filter: { streams: [`sample.member-${kind}.`] } }))
    if (event.data !== undefined) count += 1;
  if (count !== events) throw new Error(`${count} of ${events} events were read`);
};

const benchReads = async (log: EventStore, openFresh: () => Vault): Promise<void> => {
  const writer = openFresh();
  await fill(openEncryptingStore(log, writer), 'sealed', withSecret);
  await fill(log, 'plain', withoutSecret);
  await writer.close();
  const found = { sealed: [] as number[], plain: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    found.plain.push(await rate(events, () => readAll(log, 'plain')));
    const vault = openFresh();
    found.sealed.push(await rate(events, () => readAll(openEncryptingStore(log, vault), 'sealed')));
    await vault.close();
  }
  report({
    name: `vault.readAll.${subjects}subjects`,
    value: percentile(found.sealed, 0.5),
    unit: 'events/s',
    baseline: percentile(found.plain, 0.5),
  });
};

const appended = (
  store: EventStore,
  kind: string,
  make: (index: number) => NewEvent,
  callers: number,
): Promise<number> =>
  rate(appends, () =>
    fromCallers(callers, appends, (index) => append(store, memberStream(`${kind}-${index}`, 'append'), [make(index)])),
  );

const benchAppends = async (log: EventStore, openFresh: () => Vault): Promise<void> => {
  for (const callers of [1, 64]) {
    const vault = openFresh();
    const store = openEncryptingStore(log, vault);
    const known = (index: number): NewEvent => withSecret(index % 50);
    const unheard = (index: number): NewEvent => memberEvent(joined(`new-${callers}-${index}`, 'Somebody Or Other'));
    const baseline = await appended(log, `plain-${callers}`, withoutSecret, callers);
    const value = await appended(store, `known-${callers}`, known, callers);
    report({ name: `vault.append.knownSubjects.callers${callers}`, value, unit: 'appends/s', baseline });
    const first = await appended(store, `new-${callers}`, unheard, callers);
    report({ name: `vault.append.newSubjects.callers${callers}`, value: first, unit: 'appends/s', baseline });
    await vault.close();
  }
};

export const run = async (): Promise<void> => {
  benchFields();
  const [data, keys] = [temporaryDirectory('bench'), temporaryDirectory('bench-keys')];
  const node = await startEventStoreNode(data.path);
  const log = openEventStore({ url: node.url });
  const url = await freshDatabase();
  const wrapping = openLocalWrapping({ directory: keys.path, masterKey: randomBytes(32) });
  const openFresh = (): Vault => openVault({ table: openPostgresKeyTable(url), wrapping });
  await benchReads(log, openFresh);
  await benchAppends(log, openFresh);
  const database = await freshDatabase();
  expectRight(await migrate({ url: database, readerPassword: 'only for reading' }));
  const openFreshOf = (): Vault => openVault({ table: openPostgresKeyTable(database), wrapping });
  await benchErasures({ log, database, openFresh: openFreshOf });
  await log.close();
  await node.stop();
  await stopServers();
  for (const directory of [data, keys]) directory.remove();
};
