/**
 * What a search of files costs among 50,000 chunks, for callers that may read 100, 10, 1 and 0.1 % of them: at the service itself beside the same
 * two bodies sent to Elasticsearch directly, and through the gateway; again while files come in. Vectors of questions are made: what the model
 * takes is the bench `embeddings`. `CHUNKS` and `INCOMING` (files) change the sizes. Log, Postgres and Elasticsearch are real.
 */
import { loadavg } from 'node:os';
import { right } from 'fp-ts/Either';
import { Pool } from 'undici';
import type { FileGrantId, FolderId } from '../../domain/files/ids';
import type { PrincipalId, TenantId } from '../../domain/kernel/ids';
import { prefixedIndex } from '../../infra/adapters/elastic/index-names';
import { searchBody } from '../../infra/adapters/elastic/queries/search-body';
import { openEventStore } from '../../infra/adapters/eventstore/event-store';
import type { Embedder } from '../../infra/ports/files/embedder';
import type { IndexQuery } from '../../infra/ports/views/index-query';
import type { IndexView } from '../../infra/ports/views/view-store';
import { readFileAccess } from '../../infra/server/files/file-access';
import type { Identity } from '../../infra/server/http/routing/route';
import { chunksView } from '../../projections/files/chunks/view';
import { accessFilter } from '../../read-api/files/search/access-filter';
import { keywordQuery, semanticQuery } from '../../read-api/files/search/chunk-queries';
import { firstDepth } from '../../read-api/files/search/find-chunks';
import { searchWordsOf } from '../../read-api/files/search/words';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { jwksRoute, startGateway } from '../support/gateway/gateway';
import { startHttpService } from '../support/http/http-service';
import { reader } from '../support/retrieval/memory-stage';
import { openRetrievalStage, type RetrievalStage } from '../support/retrieval/retrieval-stage';
import { startEventStoreNode } from '../support/servers/event-store-node';
import { elasticsearchForTests, stopServers } from '../support/servers/shared-servers';
import { openVectors, passageBy, questionBy, randomNumbers } from './files/made-passages';
import { fromCallers, percentile, report } from './measure';
import { must } from './rebuild/workplace';

const chunks = Number(process.env.CHUNKS ?? 50_000);
const incoming = Number(process.env.INCOMING ?? 1_000);
const chunksOfFile = 20;
const [warmUp, rounds, writers] = [20, 150, 16];
const topK = 10;
/** As deep as the service searches for so many results. */
const depth = firstDepth(topK);
const tenant = 'acme' as TenantId;
const model = 'made-384';
const fillMilliseconds = 1_800_000;

/** Each level has ten folders; files are in those of the lowest. */
const levels = ['all', 'tenth', 'hundredth', 'thousandth'] as const;
type Level = (typeof levels)[number];
const shares: { readonly [of in Level]: string } = { all: '100%', tenth: '10%', hundredth: '1%', thousandth: '0.1%' };
const folderOf = (path: readonly number[]): FolderId => ['top', ...path].join('-') as FolderId;
const leafOf = (file: number): FolderId =>
  folderOf([file % 10, Math.floor(file / 10) % 10, Math.floor(file / 100) % 10]);

const addFolders = async (stage: RetrievalStage): Promise<void> => {
  const create = async (path: readonly number[]): Promise<void> => {
    const [folderId, parent] = [folderOf(path), path.length === 0 ? null : folderOf(path.slice(0, -1))];
    const ownerId = 'owner' as PrincipalId;
    await stage.access({
      type: 'FolderCreated',
      data: { folderId, name: folderId, parentFolderId: parent, ownerId },
    });
    if (path.length < levels.length - 1) for (let at = 0; at < 10; at += 1) await create([...path, at]);
  };
  await create([]);
  for (const [depthOfLevel, level] of levels.entries())
    await stage.access({
      type: 'GrantAdded',
      data: {
        grantId: `grant-${level}` as FileGrantId,
        resourceType: 'folder',
        resourceId: folderOf(Array.from({ length: depthOfLevel }, () => 0)),
        principalType: 'user',
        principalId: level,
        role: 'viewer',
        grantedBy: 'owner' as PrincipalId,
      },
    });
};

interface Made {
  readonly random: () => number;
  readonly vector: () => Float32Array;
}

const addFiles = (
  stage: RetrievalStage,
  { random, vector }: Made,
  { first, count }: { first: number; count: number },
) =>
  fromCallers(writers, count, async (at) => {
    const samples = Array.from({ length: chunksOfFile }, () => ({ content: passageBy(random), vector: vector() }));
    const place = { name: `Report ${first + at}.pdf`, ownerId: 'owner', folderId: leafOf(first + at) };
    await stage.addFile(`file-${first + at}`, samples, { ...place, model });
  });

interface Question {
  readonly text: string;
  readonly vector: readonly number[];
}

type Way = (level: Level, question: Question) => Promise<unknown>;

/** The bodies that the service sends, without what it does before and after. */
const openDirect = async (
  stage: RetrievalStage,
): Promise<{ readonly way: Way; readonly close: () => Promise<void> }> => {
  const { url } = await elasticsearchForTests();
  const pool = new Pool(url, { connections: 4, pipelining: 1 });
  const access = must(await readFileAccess(stage.reading.source, tenant));
  const view = prefixedIndex(chunksView as unknown as IndexView, stage.prefix);
  const send = async (query: IndexQuery): Promise<unknown> => {
    const body = must(searchBody(view, tenant, query)) as Record<string, unknown>;
    const { allow_partial_search_results: partial, ...rest } = body;
    const answer = await pool.request({
      method: 'POST',
      path: `/${view.name}/_search?allow_partial_search_results=${partial}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(rest),
    });
    const parsed = (await answer.body.json()) as { readonly hits?: { readonly hits: readonly unknown[] } };
    if (parsed.hits === undefined) throw new Error(JSON.stringify(parsed).slice(0, 500));
    return parsed;
  };
  const filterOf = (level: Level) =>
    accessFilter(access, { principalId: level, scope: {}, labelsOf: stage.reading.labelsOf });
  const filters = new Map(levels.map((level) => [level, filterOf(level)]));
  const way: Way = (level, { text, vector }) => {
    const filter = filters.get(level) ?? filterOf(level);
    const queries = [
      keywordQuery(filter, searchWordsOf(text), depth),
      semanticQuery(filter, { model, vector }, depth),
    ] as unknown as readonly IndexQuery[];
    return Promise.all(queries.map(send));
  };
  return { way, close: () => pool.close() };
};

const openGateway = async (stage: RetrievalStage) => {
  const commands = await startHttpService([jwksRoute]);
  const gateway = await startGateway({ commandsPort: commands.port, readApiPort: stage.service.port });
  const tokens = new Map(levels.map((level) => [level, gateway.token({ sub: level, scopes: ['files:read'] })]));
  const way: Way = async (level, { text }) => {
    const answer = await gateway.call('/v1/retrieval/search', {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.get(level)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: text, topK }),
    });
    if (answer.status !== 200) throw new Error(await answer.text());
    await answer.json();
  };
  // No service sends it revocations: without these it would refuse every request once its state is old.
  const heartbeats = setInterval(() => gateway.revocations.apply({ kind: 'heartbeat', sequence: null }), 1_000);
  const close = async (): Promise<void> => {
    clearInterval(heartbeats);
    await gateway.close();
    await commands.close();
  };
  return { way, close };
};

type Ways = { readonly direct: Way; readonly service: Way; readonly gateway: Way };

const measure = async (
  ways: Ways,
  level: Level,
  { next, most, until }: { next: () => Question; most: number; until: () => boolean },
): Promise<{ readonly [way in keyof Ways]: readonly number[] }> => {
  const times = { direct: [] as number[], service: [] as number[], gateway: [] as number[] };
  const order = ['direct', 'service', 'gateway'] as const;
  for (let round = -warmUp; round < most && !until(); round += 1) {
    const question = next();
    // In turns, because the second of two equal searches finds warmer caches.
    for (const step of order.keys()) {
      const way = order[(step + round + warmUp) % order.length] as keyof Ways;
      const began = performance.now();
      await ways[way](level, question);
      if (round >= 0) times[way].push(performance.now() - began);
    }
  }
  return times;
};

const reportTimes = (name: string, times: Awaited<ReturnType<typeof measure>>): void => {
  for (const [label, share] of [
    ['p50', 0.5],
    ['p95', 0.95],
  ] as const) {
    const baseline = percentile(times.direct, share);
    report({
      name: `files-search.${name}.service.${label}`,
      value: percentile(times.service, share),
      unit: 'ms',
      baseline,
    });
    report({
      name: `files-search.${name}.gateway.${label}`,
      value: percentile(times.gateway, share),
      unit: 'ms',
      baseline,
    });
  }
};

export const run = async (): Promise<void> => {
  const directory = temporaryDirectory('files-search');
  const node = await startEventStoreNode(directory.path);
  const random = randomNumbers(7);
  const made = { random, vector: openVectors(random) };
  const questions = Array.from({ length: 400 }, () => ({ text: questionBy(random), vector: [...made.vector()] }));
  const vectors = new Map(questions.map(({ text, vector }) => [text, Float32Array.from(vector)]));
  const embedder: Embedder = {
    model,
    dimensions: 384,
    description: 'Knows the questions of the bench.',
    embed: async (texts) => right(texts.map((text) => vectors.get(text) ?? made.vector())),
    check: async () => right(undefined),
    close: async () => undefined,
  };
  const stage = await openRetrievalStage(embedder, { plain: openEventStore({ url: node.url }) });
  let at = 0;
  const next = (): Question => questions[at++ % questions.length] as Question;
  try {
    await addFolders(stage);
    const began = performance.now();
    const files = Math.ceil(chunks / chunksOfFile);
    await addFiles(stage, made, { first: 0, count: files });
    await stage.untilVisible(fillMilliseconds);
    report({ name: 'files-search.filled', value: (performance.now() - began) / 1_000, unit: `s for ${chunks} chunks` });
    const [direct, gateway] = [await openDirect(stage), await openGateway(stage)];
    const identities = new Map<Level, Identity>(levels.map((level) => [level, reader(level)]));
    const service: Way = async (level, { text }) => {
      const { status, body } = await stage.call(identities.get(level) as Identity, '/v1/retrieval/search', {
        query: text,
        topK,
      });
      const { results } = body as { readonly results: readonly unknown[] };
      if (status !== 200 || results.length < topK) throw new Error(`${status}: ${results.length} results`);
    };
    const ways = { direct: direct.way, service, gateway: gateway.way };
    const never = () => false;
    for (const level of levels)
      reportTimes(shares[level], await measure(ways, level, { next, most: rounds, until: never }));
    report({ name: 'files-search.load', value: loadavg()[0] ?? Number.NaN, unit: 'processes' });

    let isIn = false;
    const coming = addFiles(stage, made, { first: files, count: incoming })
      .then(() => stage.untilVisible(fillMilliseconds))
      .finally(() => {
        isIn = true;
      });
    const meanwhile = await measure(ways, 'tenth', { next, most: 10_000, until: () => isIn });
    await coming;
    reportTimes(`10% while ${incoming} files come in`, meanwhile);
    await Promise.all([direct.close(), gateway.close()]);
  } finally {
    await stage.close();
    await node.stop();
    directory.remove();
    await stopServers();
  }
};
