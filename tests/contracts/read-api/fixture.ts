/** The query API and the projectors on real stores of their own. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Either, isRight } from 'fp-ts/Either';
import { type PrincipalEvent, principalStream, principals } from '../../../domain/identity/principal/events';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import type { EventStore } from '../../../infra/ports/event-store';

import { principalHistoryView } from '../../../projections/identity/principal-history/view';
import { principalsView } from '../../../projections/identity/principals/view';
import { securityEventsView } from '../../../projections/identity/security-events/view';
import { service as projectors } from '../../../projections/projector.main';
import { service as readApi } from '../../../read-api/query-api.main';
import { registered, tenantId } from '../../identity/examples';
import { metadata } from '../../identity/read-api/fixture';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { serviceVariables } from '../../support/http/internal-keys';
import { type NodeProcess, startEventStoreNode } from '../../support/servers/event-store-node';
import { elasticsearchForTests, freshDatabase, indexPrefix } from '../../support/servers/shared-servers';
import { eventually } from '../../support/waiting/eventually';

const got = <A>(result: Either<unknown, A>): A => {
  if (!isRight(result)) assert.fail(JSON.stringify(result));
  return result.right;
};

export const recordIn = async (
  store: EventStore,
  event: PrincipalEvent,
  tenant: TenantId = tenantId,
): Promise<bigint> => {
  const stream = principalStream(tenant, event.data.principalId as PrincipalId);
  const stored = { id: randomUUID(), ...principals.encode(event), metadata: metadata(tenant) };
  return got(await store.append(stream, 'any', [stored])).position;
};

export interface ReadApiFixture {
  readonly node: NodeProcess;
  readonly store: EventStore;
  readonly port: number;
  readonly postgres: string;
  readonly masterKey: Buffer;
  readonly keys: string;
  /** The node: a test may have replaced the one that began. */
  readonly close: (node: NodeProcess) => Promise<void>;
}

export const startReadApiFixture = async (): Promise<ReadApiFixture> => {
  // First: where there is none, nothing else is started.
  const elastic = await elasticsearchForTests();
  const { path, remove } = temporaryDirectory('read-api');
  const [node, database] = await Promise.all([startEventStoreNode(path), freshDatabase()]);
  const env = {
    EVENTSTORE_URL: node.url,
    POSTGRES_URL: database,
    POSTGRES_READER_URL: got(await migrate({ url: database, readerPassword: 'r'.repeat(32) })),
    ELASTICSEARCH_URL: elastic.url,
    ELASTICSEARCH_PREFIX: indexPrefix(),
    ...serviceVariables,
    CURSOR_KEY: 'c'.repeat(43),
    MASTER_KEY: Buffer.alloc(32, 'm').toString('base64url'),
    KEYS_DIR: join(path, 'keys'),
    BLOBS_DIR: join(path, 'blobs'),
    BLOBS_KEY: 'b'.repeat(43),
    LOG_LEVEL: 'error',
    OFF_REDIS: 'Not part of this test.',
  };
  const store = openEventStore({ url: node.url });
  await recordIn(store, registered);
  const projecting = got(await projectors.start(env));
  const reading = got(await readApi.start(env));
  await eventually(async () => {
    const { parts } = await projecting.ready();
    for (const { name } of [principalsView, principalHistoryView, securityEventsView]) assert.ok(parts[name]?.ok, name);
  });
  const close = async (current: NodeProcess): Promise<void> => {
    await store.close();
    await reading.close();
    await projecting.close();
    await current.stop();
    remove();
  };
  const masterKey = Buffer.from(env.MASTER_KEY, 'base64url');
  return { node, store, port: reading.port ?? 0, postgres: database, masterKey, keys: env.KEYS_DIR, close };
};
