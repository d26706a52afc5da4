/** The search service on real stores, with projectors over a log in memory: for tests and benches. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isRight } from 'fp-ts/Either';
import type { EntityId } from '../../../domain/geo/ids';
import { type PlaceEvent, placeStream, places } from '../../../domain/geo/place/events';
import type { Place } from '../../../domain/geo/place/place';
import type { TenantId } from '../../../domain/kernel/ids';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import type { Identity } from '../../../infra/server/http/routing/route';
import { openWriters } from '../../../projections/composition/view-writers';
import { placeCardsProjection } from '../../../projections/geo/place-cards/project';
import { placeIndexProjection } from '../../../projections/geo/place-index/project';
import { runProjector } from '../../../projections/kernel/projector/projector';
import { service } from '../../../read-api/geo/search/main';
import { signedHeader } from '../http/http-service';
import { serviceVariables } from '../http/internal-keys';
import { elasticsearchForTests, freshDatabase, indexPrefix, valkeyForTests } from '../servers/shared-servers';
import { noopMetrics, recordingLog } from '../waiting/recording-log';

const must = <A>(result: Either<unknown, A>): A => {
  if (!isRight(result)) assert.fail(JSON.stringify(result));
  return result.right;
};

export const tenant = 'acme' as TenantId;

export const samplePlace = (entityId: string, fields: Partial<Place> = {}): Place => ({
  entityId: entityId as EntityId,
  name: `Place ${entityId}`,
  alternativeNames: [],
  category: 'cafe',
  lat: 0,
  lng: 0,
  address: null,
  hours: null,
  rating: null,
  popularity: 0,
  attributes: {},
  status: 'active',
  source: 'survey',
  sourceVersion: 1,
  occurredAt: null,
  synthetic: true,
  attribution: null,
  ...fields,
});

export const searcher = (tenantId: string): Identity => ({
  tenantId,
  principalId: 'p-9',
  principalType: 'HUMAN',
  scopes: ['places:read'],
  tokenId: 'jti-9',
});

export interface SearchResult {
  readonly entity_id: string;
  readonly name: string;
  readonly category: string;
  readonly lat: number;
  readonly lng: number;
  readonly distance_m: number;
  readonly rating: number | null;
  readonly snippet: string | null;
  readonly status: string;
  readonly synthetic: boolean;
  readonly attribution: string | null;
  readonly explanation?: { readonly [term: string]: number | string | null };
}

export interface SearchAnswer {
  readonly results: readonly SearchResult[];
  readonly next_cursor: string | null;
  readonly incomplete: boolean;
  readonly warnings: readonly string[];
  readonly searched: {
    readonly lat: number;
    readonly lng: number;
    readonly radius_m?: number;
    readonly bbox?: number[];
  };
}

export type Parameters = { readonly [name: string]: string | number };

export const pathOf = (parameters: Parameters): string =>
  `/v1/search?${new URLSearchParams(Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]))}`;

export const openSearchStage = async () => {
  const [database, elasticsearch, valkey] = await Promise.all([
    freshDatabase(),
    elasticsearchForTests(),
    valkeyForTests(),
  ]);
  const prefix = `${indexPrefix()}${randomUUID().slice(0, 8)}_`;
  const stores = { ELASTICSEARCH_URL: elasticsearch.url, ELASTICSEARCH_PREFIX: prefix, REDIS_URL: valkey.url };
  const env = {
    ...stores,
    ...serviceVariables,
    POSTGRES_READER_URL: must(await migrate({ url: database, readerPassword: 'r'.repeat(32) })),
    SEARCH_CURSOR_KEY: 'k'.repeat(43),
    LOG_LEVEL: 'error',
    PORT: '0',
  };
  const store = openMemoryEventStore();
  const log = recordingLog();
  const writers = openWriters({ ...serviceVariables, POSTGRES_URL: database, ...stores }, { env: {} });
  const run = () =>
    runProjector([placeIndexProjection, placeCardsProjection], {
      store,
      log,
      metrics: noopMetrics,
      writerOf: ({ view }) => writers.of(view),
      pulseMilliseconds: 20,
    });
  let projector: ReturnType<typeof run> | undefined = run();
  const stopProjector = async (): Promise<void> => {
    await projector?.close();
    projector = undefined;
  };
  const search = must(await service.start(env));
  const url = `http://127.0.0.1:${search.port}`;

  const append = async (stream: string, events: readonly PlaceEvent[], of: TenantId): Promise<bigint> => {
    const at = new Date(0).toISOString();
    const metadata = {
      $correlationId: 'r',
      $causationId: 'r',
      commandId: 'c',
      commandHash: 'ab',
      tenant: of,
      actor: 'p',
      at,
    };
    const stored = events.map((event) => ({ id: randomUUID(), ...places.encode(event), metadata }));
    return must(await store.append(stream, 'any', stored)).position;
  };
  /** The position after the last one. */
  const record = async (recorded: readonly Place[], of: TenantId = tenant): Promise<bigint> => {
    let position = 0n;
    for (const data of recorded)
      position = await append(placeStream(of, data.entityId), [{ type: 'PlaceRecorded', data }], of);
    return position;
  };
  const remove = (entityId: string, of: TenantId = tenant): Promise<bigint> => {
    const data = { entityId: entityId as EntityId, source: 'survey', sourceVersion: 2, occurredAt: null };
    return append(placeStream(of, data.entityId), [{ type: 'PlaceRemoved', data }], of);
  };

  let visible = 0n;
  const call = (path: string, of = tenant as string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${url}${path}`, { headers: { 'septet-identity': signedHeader('GET', path, searcher(of)), ...headers } });
  /** Waits until the index has the position; later searches do so, too. */
  const untilVisible = async (position: bigint): Promise<void> => {
    visible = position;
    for (const began = Date.now(); ; ) {
      assert.ok(Date.now() - began < 60_000, JSON.stringify(log.lines.slice(-3)));
      const answer = await call(pathOf({ lat: 0, lng: 0, limit: 1 }), tenant, { 'min-position': String(position) });
      if (answer.status !== 503) return;
      await answer.arrayBuffer();
      await sleep(20);
    }
  };
  const find = async (parameters: Parameters, of = tenant as string): Promise<SearchAnswer> => {
    const answer = await call(pathOf(parameters), of, visible === 0n ? {} : { 'min-position': String(visible) });
    const body = (await answer.json()) as SearchAnswer;
    assert.equal(answer.status, 200, JSON.stringify(body));
    return body;
  };
  const pages = async (parameters: Parameters, of = tenant as string): Promise<readonly SearchAnswer[]> => {
    const all = [await find(parameters, of)];
    for (let next = all[0]?.next_cursor ?? null; next !== null; next = all.at(-1)?.next_cursor ?? null)
      all.push(await find({ ...parameters, cursor: next }, of));
    return all;
  };
  /** Ids on all pages. */
  const idsOf = async (parameters: Parameters, of = tenant as string): Promise<readonly string[]> =>
    (await pages({ limit: 50, ...parameters }, of)).flatMap(({ results }) => results.map(({ entity_id: id }) => id));
  const close = async (): Promise<void> => {
    await stopProjector();
    await search.close();
    await Promise.all([writers.close(), store.close()]);
  };
  return {
    url,
    /** Of another process of the same service. */
    env,
    prefix,
    elasticsearchUrl: elasticsearch.url,
    store,
    log,
    writers,
    record,
    remove,
    untilVisible,
    stopProjector,
    call,
    find,
    pages,
    idsOf,
    close,
  };
};

export type SearchStage = Awaited<ReturnType<typeof openSearchStage>>;
