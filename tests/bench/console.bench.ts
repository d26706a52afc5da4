/** Latency of the console's queries at the query API, by one operator after the other: `small` for a tenth of the size. */
import { createSecretKey, randomUUID } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import { principals } from '../../domain/identity/principal/events';
import type { Instant } from '../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../domain/kernel/ids';
import { openEventStore } from '../../infra/adapters/eventstore/event-store';
import { migrate } from '../../infra/adapters/postgres/migrate';
import { openViewStatusStore } from '../../infra/adapters/postgres/views/view-status-store';
import { openPostgresWriter } from '../../infra/adapters/postgres/views/view-writer';
import { openRedisMetricHistory } from '../../infra/adapters/redis/metric-history';
import { sealingWriter } from '../../infra/adapters/views/sealed-views';
import type { EventStore } from '../../infra/ports/event-store';
import type { View, ViewRow } from '../../infra/ports/views/view-store';
import { type ClientRow, clientsView } from '../../projections/identity/clients/view';
import { searchTerms } from '../../projections/identity/principals/search-terms';
import { type PrincipalRow, principalsView } from '../../projections/identity/principals/view';
import { type PlatformStreamRow, platformStreamsView } from '../../projections/platform/streams/view';
import { service as readApi } from '../../read-api/query-api.main';
import { metadataOf, operator } from '../contracts/read-api/platform/fixture';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { signedHeader } from '../support/http/http-service';
import { serviceVariables } from '../support/http/internal-keys';
import { startEventStoreNode } from '../support/servers/event-store-node';
import { freshDatabase, stopServers, valkeyForTests } from '../support/servers/shared-servers';
import { fromCallers, percentile, report } from './measure';

export const parts = ['small'];

const full = { principals: 100_000, clients: 1_000, events: 1_000_000 };
type Size = typeof full;

const [views, steps, requests, warmUp] = [40, 240, 300, 20];
const batchRows = 2_000;
const stepMilliseconds = 15_000;
const tenant = 'main' as TenantId;

const must = <A>(either: { readonly _tag: 'Right'; readonly right: A } | { readonly _tag: 'Left' }): A => {
  if (either._tag === 'Left') throw new Error(JSON.stringify(either));
  return either.right;
};

const idOf = (index: number): PrincipalId => `p-${String(index).padStart(7, '0')}` as PrincipalId;
const timeOf = (index: number): Instant => new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString() as Instant;
const streamOf = (index: number): string => `identity.principal-${tenant}.${idOf(index)}`;

const givenNames = ['Ada', 'Grace', 'Edsger', 'Barbara', 'Ken', 'Frances', 'Niklaus', 'Radia', 'Donald', 'Margaret'];
const familyNames = ['Lovelace', 'Hopper', 'Dijkstra', 'Liskov', 'Thompson', 'Allen', 'Wirth', 'Perlman', 'Knuth'];

const namesOf = (index: number): Pick<PrincipalRow, 'login' | 'name' | 'terms'> => {
  const name = `${givenNames[index % givenNames.length]} ${familyNames[index % familyNames.length]} ${index}`;
  const login = `person${index}@example.org`;
  return { login, name, terms: searchTerms({ principalId: idOf(index), login, name }) };
};

const principalRow = (index: number): PrincipalRow => ({
  tenantId: tenant,
  principalId: idOf(index),
  principalType: 'HUMAN',
  status: 'ACTIVE',
  securityEpoch: 1 as never,
  createdAt: timeOf(index),
  isAdmin: index % 1_000 === 0,
  isAuditor: false,
  revision: 9,
  ...namesOf(index),
});

const clientRow = (index: number): ClientRow => ({
  tenantId: tenant,
  applicationId: `app-${index}` as never,
  status: 'ACTIVE',
  createdAt: timeOf(index),
  name: `Client ${index}`,
  plainName: `client ${index}`,
  redirectUris: ['https://app.example/callback'],
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  backchannelLogoutSessionRequired: false,
  grantTypes: ['authorization_code'],
  authentication: 'client_secret_basic',
  jwks: null,
  jwksUri: null,
  tlsSubject: null,
  scopes: ['openid', 'profile'] as never,
  audiences: ['septet'],
  dpopBound: false,
  certificateBound: false,
  requirePushed: false,
  pkce: 'required' as const,
  exactAuthentication: false,
  idTokenAlgorithm: 'RS256',
  personClaimsInIdToken: false,
  fapi: false,
  firstParty: false,
  servicePrincipalId: null,
  refreshIdleSeconds: 604_800,
  refreshAbsoluteSeconds: 2_592_000,
  revision: 0,
});

const streamRow = (index: number): PlatformStreamRow => ({
  tenantId: tenant,
  stream: streamOf(index),
  context: 'identity',
  aggregate: 'principal',
  id: idOf(index),
  firstRevision: 0,
  firstAt: timeOf(index),
  revision: 9,
  lastAt: timeOf(index),
  lastType: 'RolesGranted',
  firstPosition: String(index * 10),
  lastPosition: String(index * 10 + 9),
  principalId: idOf(index),
  clientId: null,
});

/** Every principal has a stream with its share of the events, written by one append. */
const fillLog = async (store: EventStore, { principals: streams, events }: Size): Promise<void> => {
  const others = Math.round(events / streams) - 1;
  await fromCallers(64, streams, async (index) => {
    const principalId = idOf(index);
    const registered = { principalId, tenantId: tenant, principalType: 'HUMAN', createdAt: timeOf(index) } as const;
    const metadata = metadataOf(tenant);
    const stored = [
      principals.encode({ type: 'PrincipalRegistered', data: registered }),
      ...Array.from({ length: others }, () =>
        principals.encode({ type: 'RolesGranted', data: { principalId, roles: ['auditor'] } }),
      ),
    ].map((event) => ({ id: randomUUID(), ...event, metadata }));
    must(await store.append(streamOf(index), 'any', stored as never));
  });
};

const fillView = async <Row extends ViewRow>(
  url: string,
  view: View<Row>,
  {
    count,
    rowOf,
    position,
  }: { readonly count: number; readonly rowOf: (index: number) => Row; readonly position: bigint },
): Promise<void> => {
  const writer = sealingWriter(openPostgresWriter({ url }), createSecretKey(Buffer.from(serviceVariables.VIEW_KEY)));
  const opened = view as unknown as View;
  const { number: generation } = must(await writer.open(opened));
  let after: bigint | null = null;
  for (let from = 0; from < count; from += batchRows) {
    const isLast = from + batchRows >= count;
    const reached = isLast ? position : BigInt(from + 1);
    const changes = Array.from({ length: Math.min(batchRows, count - from) }, (_, index) => ({
      position: reached,
      change: { kind: 'put' as const, row: rowOf(from + index) },
    }));
    must(await writer.apply(opened, { generation, after, position: reached, live: false, changes: changes as never }));
    after = reached;
  }
  await writer.close();
};

const fillMetrics = async (postgres: string, redis: string): Promise<void> => {
  const [ledger, history] = [openViewStatusStore({ url: postgres }), openRedisMetricHistory(redis)];
  const names = Array.from({ length: views }, (_, index) => `bench_view_${index}`);
  const lag = { phase: 'live', position: '7', lagSeconds: 0, lagEvents: 0, skippedEvents: 0 };
  must(await ledger.saveViews(names.map((view) => ({ view, version: 1, store: 'postgres' as const, ...lag }))));
  const now = Math.floor(Date.now() / stepMilliseconds) * stepMilliseconds;
  for (let step = 1; step <= steps; step += 1) {
    const shares = ['commands', 'decisions', 'refusals', 'stream-clients', 'sessions-opened', 'sign-ins-failed'];
    must(
      await history.record(now - step * stepMilliseconds, [
        ...shares.map((series) => ({ series, value: Math.random() * 100, merge: 'sum' as const })),
        ...names.map((view) => ({ series: `lag/${view}`, value: Math.random(), merge: 'max' as const })),
      ]),
    );
  }
  await Promise.all([ledger.close(), history.close()]);
};

const queriesOf = ({ principals: count }: Size): { readonly [name: string]: string } => {
  const middle = Math.floor(count / 2);
  return {
    overview: '/v1/platform/overview',
    'overview-day': '/v1/platform/overview?window=day',
    principals: '/v1/principals?limit=50',
    'principals-by-name': '/v1/principals?q=ada%20lov&limit=50',
    'principals-by-part-of-login': `/v1/principals?q=person${middle}&limit=50`,
    'principals-by-role': '/v1/principals?role=admin&limit=50',
    clients: '/v1/clients?limit=50',
    streams: '/v1/platform/streams?limit=50',
    'streams-by-part': `/v1/platform/streams?search=${idOf(middle)}&limit=50`,
    event: `/v1/platform/streams/${encodeURIComponent(streamOf(middle))}/events/5`,
  };
};

/** Milliseconds of each request, after some that warm up what is cached. */
const timesOf = async (url: string, path: string): Promise<readonly number[]> => {
  const identity = { ...operator, scopes: ['platform:read', 'principals:read', 'clients:read'] };
  const times: number[] = [];
  for (let index = -warmUp; index < requests; index += 1) {
    const headers = { 'septet-identity': signedHeader('GET', path, identity) };
    const began = performance.now();
    const response = await fetch(`${url}${path}`, { headers });
    const text = await response.text();
    // An empty answer would be a fast one.
    const isEmpty = /"(items|series|views)":\[\]/.test(text);
    if (response.status !== 200 || isEmpty) throw new Error(`${path} ${response.status} ${text.slice(0, 300)}`);
    if (index >= 0) times.push(performance.now() - began);
  }
  return times;
};

const measure = async (url: string, size: Size): Promise<void> => {
  const floor = percentile(await timesOf(url, '/livez'), 0.95);
  for (const [name, path] of Object.entries(queriesOf(size))) {
    const times = await timesOf(url, path);
    report({ name: `console.${name}.p50`, value: percentile(times, 0.5), unit: 'ms' });
    report({ name: `console.${name}.p95`, value: percentile(times, 0.95), unit: 'ms', baseline: floor });
  }
};

export const run = async (chosen: readonly string[]): Promise<void> => {
  const scale = chosen.includes('small') ? 0.1 : 1;
  const size = { principals: full.principals * scale, clients: full.clients * scale, events: full.events * scale };
  const data = temporaryDirectory('bench-console');
  const [node, postgres, { url: redis }] = await Promise.all([
    startEventStoreNode(data.path),
    freshDatabase(),
    valkeyForTests(),
  ]);
  const store = openEventStore({ url: node.url });
  const readerUrl = must(await migrate({ url: postgres, readerPassword: 'r'.repeat(32) }));
  const env = { EVENTSTORE_URL: node.url, POSTGRES_READER_URL: readerUrl, REDIS_URL: redis, LOG_LEVEL: 'error' };
  try {
    await fillLog(store, size);
    const position = must(await store.head()) ?? 0n;
    const { principals: count } = size;
    await fillView(postgres, principalsView, { count, rowOf: principalRow, position });
    await fillView(postgres, clientsView, { count: size.clients, rowOf: clientRow, position });
    await fillView(postgres, platformStreamsView, { count, rowOf: streamRow, position });
    await fillMetrics(postgres, redis);
    const started = await readApi.start({ ...env, ...serviceVariables, CURSOR_KEY: 'c'.repeat(43) });
    if (isLeft(started)) throw new Error(JSON.stringify(started.left));
    await measure(`http://127.0.0.1:${started.right.port}`, size);
    await started.right.close();
  } finally {
    await store.close();
    await node.stop();
    data.remove();
    await stopServers();
  }
};
