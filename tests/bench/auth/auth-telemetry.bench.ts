/**
 * Authorization decisions: what recording one costs a gateway, how many a second reach Elasticsearch, and how many are lost when twice as many are
 * decided.
 */
import { randomUUID } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft, right } from 'fp-ts/Either';
import { openAuthEventIndex } from '../../../infra/adapters/elastic/auth-events/auth-event-index';
import { createAuthEventSink } from '../../../infra/adapters/redis/auth-events/auth-event-sink';
import { createAuthEventStream } from '../../../infra/adapters/redis/auth-events/auth-event-stream';
import { createDetectionForwarder } from '../../../infra/adapters/redis/auth-events/detection-stream';
import { readDropped } from '../../../infra/adapters/redis/auth-events/dropped-auth-events';
import { openRedis } from '../../../infra/adapters/redis/connection';
import { subjectHash as subjectOf } from '../../../infra/adapters/vault/subject-keys';
import { createAuthEventRecorder } from '../../../infra/gateway/auth-events/auth-event-recorder';
import { noteAccess } from '../../../infra/gateway/auth-events/decision-notes';
import { problem } from '../../../infra/server/http/problem';
import { indexBatch } from '../../../projections/identity/auth-events/index-auth-events';
import { claimsAt } from '../../support/gateway/tokens';
import { elasticsearchForTests, indexPrefix, stopServers, valkeyForTests } from '../../support/servers/shared-servers';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';
import { percentile, rate, report } from '../measure';

const perRound = 20_000;
const rounds = 5;
/** Decided before the consumer begins, so that it is never without work. */
const backlog = 20_000;
const floodSeconds = 10;
const denial = problem('forbidden', 'The token lacks the scope things:read.');

const newRequest = (): IncomingMessage => new IncomingMessage(new Socket());

const decideWith = (record: Parameters<typeof createAuthEventRecorder>[0]['record'], tenantId: string) => {
  const recorder = createAuthEventRecorder({ record, audience: 'septet', now: Date.now });
  const access = right({ claims: { ...claimsAt(Date.now()), tenant_id: tenantId }, kid: 'key-1' });
  return (request: IncomingMessage): void => {
    noteAccess(request, access);
    recorder.decided(request, denial);
  };
};

/** Without the requests, which a gateway has anyway. */
const perDecision = async (): Promise<void> => {
  const costs: number[] = [];
  const recorded: unknown[] = [];
  const decide = decideWith((event) => void recorded.push(event), 'acme');
  for (let round = 0; round <= rounds; round += 1) {
    const requests = Array.from({ length: perRound }, newRequest);
    recorded.length = 0;
    const measured = await rate(perRound, async () => requests.forEach(decide));
    if (recorded.length !== perRound) throw new Error('decisions are missing');
    // The first round is for the compilers.
    if (round > 0) costs.push(1_000_000 / measured);
  }
  report({ name: 'auth-telemetry decision', value: percentile(costs, 0.5), unit: 'µs' });
};

export const parts = ['decision', 'index'];

const openPath = async () => {
  const [valkey, elastic] = [await valkeyForTests(), await elasticsearchForTests()];
  const connections = [openRedis(valkey.url), openRedis(valkey.url)] as const;
  const [writing, reading] = connections;
  await reading.flushdb();
  const log = recordingLog();
  const stream = createAuthEventStream(reading, { subjectOf, log });
  const index = openAuthEventIndex({ url: elastic.url, prefix: indexPrefix(), subjectOf });
  const detection = createDetectionForwarder(reading);
  const indexNext = () => indexBatch({ stream, index, detection, subjectOf });
  await indexNext();
  return {
    sink: createAuthEventSink(writing, { metrics: noopMetrics, log }),
    indexNext,
    dropped: readDropped(reading),
    close: async () => {
      await index.close();
      for (const redis of connections) redis.disconnect();
    },
  };
};

const throughIndex = async (): Promise<void> => {
  const { sink, indexNext, dropped, close } = await openPath();
  const tenantId = `bench-${randomUUID().slice(0, 8)}`;
  const decide = decideWith(sink.record, tenantId);
  let decided = 0;
  let indexed = 0;
  const decideMore = (count: number): void => {
    for (let index = 0; index < count; index += 1) decide(newRequest());
    decided += count;
  };
  const indexAll = async (): Promise<void> => {
    while (indexed < decided) indexed += await indexNext();
  };
  decideMore(backlog);
  const sustained = await rate(backlog, indexAll);
  report({ name: 'auth-telemetry indexed', value: sustained, unit: 'events/s' });
  const flood = new AbortController();
  const indexing = (async () => {
    while (!flood.signal.aborted) indexed += await indexNext();
  })();
  for (let tick = 0; tick < floodSeconds * 10; tick += 1) {
    decideMore(Math.ceil(sustained / 5));
    await sleep(100);
  }
  flood.abort();
  await indexing;
  const behind = decided - indexed;
  await indexAll();
  const drops = await dropped(tenantId);
  if (isLeft(drops)) throw new Error(drops.left.detail);
  report({ name: 'auth-telemetry behind after twice the rate', value: behind, unit: 'events' });
  report({
    name: 'auth-telemetry lost at twice the rate',
    value: decided - indexed + drops.right.DENY,
    unit: 'events',
  });
  await sink.close();
  await close();
};

export const run = async (chosen: readonly string[]): Promise<void> => {
  const isChosen = (part: string): boolean => chosen.length === 0 || chosen.includes(part);
  if (isChosen('decision')) await perDecision();
  if (isChosen('index')) await throughIndex();
  await stopServers();
};
