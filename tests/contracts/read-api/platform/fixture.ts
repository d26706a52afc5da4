/** The platform's queries on a real log and a real Postgres, with events of two tenants, of none, and of a process. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Either, isRight } from 'fp-ts/Either';
import type { PrincipalEvent } from '../../../../domain/identity/principal/events';
import { principals } from '../../../../domain/identity/principal/events';
import { openEventStore } from '../../../../infra/adapters/eventstore/event-store';
import { migrate } from '../../../../infra/adapters/postgres/migrate';
import type { EventStore } from '../../../../infra/ports/event-store';
import type { Identity } from '../../../../infra/server/http/routing/route';
import type { Running } from '../../../../infra/server/runtime/service';
import { service as projectors } from '../../../../projections/projector.main';
import { service as readApi } from '../../../../read-api/query-api.main';
import { noon } from '../../../identity/examples';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { signedHeader } from '../../../support/http/http-service';
import { serviceVariables } from '../../../support/http/internal-keys';
import { type EventStoreNode, startNodeHere } from '../../../support/servers/event-store-node';
import { freshDatabase } from '../../../support/servers/shared-servers';

const got = <A>(result: Either<unknown, A>): A => {
  if (!isRight(result)) assert.fail(JSON.stringify(result));
  return result.right;
};

const person = (tenantId: string): Identity => ({
  tenantId,
  principalId: 'p-9',
  principalType: 'HUMAN',
  scopes: ['platform:read'],
  tokenId: 'jti-9',
});
export const operator = person('main');
export const admin = person('acme');
export const stranger = person('other');

interface Raw {
  readonly stream: string;
  readonly type: string;
  readonly data: unknown;
  readonly id?: string;
  readonly metadata?: object;
}

export const metadataOf = (tenant: string, changes: object = {}) => ({
  $correlationId: 'r-1',
  $causationId: 'k-1',
  commandId: 'k-1',
  commandHash: 'ab',
  tenant,
  actor: 'p-9',
  at: noon,
  ...changes,
});

export type Json = { readonly [field: string]: unknown };

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json & { readonly items: readonly Json[]; readonly next?: string | number };
}

export interface Platform {
  readonly store: EventStore;
  readonly node: EventStoreNode;
  readonly postgres: string;
  readonly reader: string;
  /** Of the query API. */
  readonly url: string;
  readonly record: (event: Raw) => Promise<bigint>;
  readonly principal: (event: PrincipalEvent, tenant: string, metadata?: object) => Promise<bigint>;
  readonly call: (path: string, identity?: Identity, headers?: Record<string, string>) => Promise<Response>;
  /** Retries while the read model is behind, as 503 with Retry-After requires of clients. */
  readonly get: (path: string, identity?: Identity, position?: bigint) => Promise<TestResponse>;
  readonly close: () => Promise<void>;
}

const answered = async (response: Response): Promise<TestResponse> => ({
  status: response.status,
  headers: response.headers,
  body: (await response.json()) as TestResponse['body'],
});

const recording = (store: EventStore): Pick<Platform, 'record' | 'principal'> => {
  const record: Platform['record'] = async ({ stream, type, data, id = randomUUID(), metadata = {} }) =>
    got(await store.append(stream, 'any', [{ id, type, data, metadata }])).position;
  return {
    record,
    principal: (event, tenant, metadata = {}) => {
      const stream = `identity.principal-${tenant}.${event.data.principalId}`;
      return record({ stream, ...principals.encode(event), metadata: metadataOf(tenant, metadata) });
    },
  };
};

/** Of a view that is not made yet, or has not come so far. */
const early = new Set(['not-yet-visible', 'view-store-unavailable']);

const asking = (url: string): Pick<Platform, 'call' | 'get'> => {
  const call: Platform['call'] = (path, identity = operator, headers = {}) =>
    fetch(`${url}${path}`, {
      headers: { 'septet-identity': signedHeader('GET', path, identity), ...headers },
    });
  return {
    call,
    get: async (path, identity, position) => {
      const headers: Record<string, string> = position === undefined ? {} : { 'min-position': String(position) };
      for (;;) {
        const found = await answered(await call(path, identity, headers));
        if (!early.has(String(found.body.code))) return found;
      }
    },
  };
};

export const startPlatform = async (): Promise<Platform> => {
  const { path, remove } = temporaryDirectory('platform');
  const [node, postgres] = await Promise.all([startNodeHere(path), freshDatabase()]);
  const reader = got(await migrate({ url: postgres, readerPassword: 'r'.repeat(32) }));
  const env = {
    EVENTSTORE_URL: node.url,
    POSTGRES_URL: postgres,
    POSTGRES_READER_URL: reader,
    ...serviceVariables,
    CURSOR_KEY: 'c'.repeat(43),
    MASTER_KEY: Buffer.alloc(32, 'm').toString('base64url'),
    KEYS_DIR: join(path, 'keys'),
    LOG_LEVEL: 'error',
  };
  const store = openEventStore({ url: node.url });
  // Chunks are made of content; queries read no blobs here.
  const blobs = { BLOBS_DIR: join(path, 'blobs'), BLOBS_KEY: 'b'.repeat(43) };
  const projecting: Running = got(await projectors.start({ ...env, ...blobs }));
  const reading: Running = got(await readApi.start(env));
  const close = async (): Promise<void> => {
    await store.close();
    await reading.close();
    await projecting.close();
    await node.stop();
    remove();
  };
  const url = `http://127.0.0.1:${reading.port}`;
  return { store, node, postgres, reader, url, ...recording(store), ...asking(url), close };
};
