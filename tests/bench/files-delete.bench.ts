/**
 * What the deletion of a file takes: until it is found no more (with the answer: searches that begin after it and still find the file are counted),
 * and until nothing is stored of it, by its passages and by its bytes. The baseline removes the same objects and documents of an equal file by bare
 * calls, without proof. Log, Postgres and Elasticsearch are real, object storage is a directory; the worker is in this process, without its queue.
 * `CHUNKS` (`1,1000,10000`), `MEGABYTES` (`1,100`) and `FILES` change the sizes.
 */
import { hash } from 'node:crypto';
import { loadavg } from 'node:os';
import { Client } from '@elastic/elasticsearch';
import { isLeft } from 'fp-ts/Either';
import { openDeletionMetrics } from '../../commands/files/deletion/metrics';
import { performDeletion } from '../../commands/files/deletion/perform-deletion';
import { fileRoutes } from '../../commands/files/routes';
import { noCommandMetrics } from '../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../commands/kernel/exclusive-aggregates';
import type { WorkerAdapters } from '../../commands/kernel/work-queue/job-handler';
import { filePrefix, versionKey } from '../../domain/files/content/keys';
import type { FileId } from '../../domain/files/ids';
import type { Instant } from '../../domain/kernel/codec';
import type { TenantId } from '../../domain/kernel/ids';
import { openIndexedRows } from '../../infra/adapters/elastic/indexed-rows';
import { openEventStore } from '../../infra/adapters/eventstore/event-store';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { startHttpService } from '../support/http/http-service';
import { jobRun } from '../support/processes/job-run';
import { versionOf } from '../support/retrieval/file-history';
import { reader } from '../support/retrieval/memory-stage';
import { openRetrievalStage, type RetrievalStage } from '../support/retrieval/retrieval-stage';
import { startEventStoreNode } from '../support/servers/event-store-node';
import { stopServers } from '../support/servers/shared-servers';
import { noopMetrics, recordingLog } from '../support/waiting/recording-log';
import { openVectors, passageBy, randomNumbers } from './files/made-passages';
import { percentile, report } from './measure';
import { must } from './rebuild/workplace';

const numbersOf = (text: string | undefined, otherwise: readonly number[]): readonly number[] =>
  text === undefined ? otherwise : text.split(',').map(Number);
const chunkCounts = numbersOf(process.env.CHUNKS, [1, 1_000, 10_000]);
const megabytes = numbersOf(process.env.MEGABYTES, [1, 100]);
const searched = Number(process.env.FILES ?? 100);
const searchesAfterwards = 5;
const chunksOfVersion = 2_000;
const purgeRounds = 3;
const fillMilliseconds = 600_000;

const tenant = 'acme' as TenantId;
const owner = 'owner';
const model = 'made-384';
const clock = { now: () => new Date().toISOString() as Instant };

/** A word that no other file has. */
const wordOf = (number: number): string =>
  `zq${hash('sha256', `${number}`, 'hex')
    .replace(/[^a-f]/g, '')
    .slice(0, 20)}`;

interface MadeFile {
  readonly chunks: number;
  readonly bytes: number;
}

const openFiles = (stage: RetrievalStage) => {
  const random = randomNumbers(11);
  const vector = openVectors(random);
  /** More passages than one event may name are in further versions, which do not answer. */
  return async (fileId: string, { chunks, bytes }: MadeFile, word = ''): Promise<void> => {
    const samples = Array.from({ length: chunks }, () => ({
      content: `${word} ${passageBy(random)}`,
      vector: vector(),
    }));
    const versions = Math.ceil(chunks / chunksOfVersion);
    await stage.addFile(fileId, samples.slice(0, chunksOfVersion), { ownerId: owner, model });
    for (let version = 2; version <= versions; version += 1) {
      const part = samples.slice((version - 1) * chunksOfVersion, version * chunksOfVersion);
      const place = { name: 'Report.pdf', ownerId: owner as never, folderId: null };
      await stage.openVersion(fileId, version);
      await stage.completeUpload(fileId, version);
      await stage.ingest(fileId, { version, chunks: part, isActivated: false, model, place });
    }
    const body = Buffer.alloc(bytes, 'a');
    const key = versionKey(tenant, fileId as FileId, versionOf(fileId));
    must(await stage.blobs.put({ key, body, size: bytes, contentType: 'application/pdf' }));
  };
};

const openDeletions = async (stage: RetrievalStage) => {
  const indexedRows = openIndexedRows({ ...stage.index, off: 'Elasticsearch is off.' });
  const log = recordingLog();
  const shared = { store: stage.store, blobs: stage.blobs, clock, log, commandMetrics: noCommandMetrics };
  const commands = { ...shared, warm: createExclusiveAggregates(), random: { uuid: () => crypto.randomUUID() } };
  const service = await startHttpService(fileRoutes(commands as never));
  const identity = { ...reader(owner), scopes: ['files:write'] };
  const worker = { ...shared, indexedRows, vault: stage.vault, metrics: noopMetrics } as unknown as WorkerAdapters;
  const perform = performDeletion(worker, openDeletionMetrics(worker));

  const request = async (fileId: string): Promise<void> => {
    const answer = await service.call(`/v1/files/${fileId}`, { identity, method: 'DELETE', body: '{}' });
    if (answer.status !== 200) throw new Error(await answer.text());
    await answer.text();
  };
  const purge = async (fileId: string): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      const job = {
        ...{
          id: fileId,
          queue: 'files-deletion',
          kind: 'files-deletion',
          key: fileId,
          tenant,
          attempt,
          token: attempt,
        },
        ...{ payload: { fileId: fileId as FileId, cause: 'person' as const }, priority: 0, mostAttempts: 99 },
        ...{ deadline: null, deadlineMilliseconds: null, cause: { correlationId: 'c', causationId: 'e', depth: 1 } },
      };
      const ended = await perform(job, jobRun());
      if (!isLeft(ended)) return;
      if (ended.left.kind === 'permanent' || attempt === 20) throw new Error(ended.left.reason);
    }
  };
  const close = async (): Promise<void> => {
    await service.close();
    await indexedRows.close();
  };
  return { request, purge, close };
};

type Deletions = Awaited<ReturnType<typeof openDeletions>>;

const findsFile = async (stage: RetrievalStage, query: string, fileId: string): Promise<boolean> => {
  const { status, body } = await stage.call(reader(owner), '/v1/retrieval/search', {
    query,
    mode: 'keyword',
    topK: 10,
  });
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  const { results } = body as { readonly results: readonly { readonly fileId: string }[] };
  return results.some((one) => one.fileId === fileId);
};

const benchVisibility = async (
  stage: RetrievalStage,
  addFile: ReturnType<typeof openFiles>,
  deletions: Deletions,
): Promise<void> => {
  for (let number = 0; number < searched; number += 1)
    await addFile(`seen-${number}`, { chunks: 2, bytes: 1_000 }, wordOf(number));
  await stage.untilVisible(fillMilliseconds);
  const latencies: number[] = [];
  let [before, after] = [0, 0];
  for (let number = 0; number < searched; number += 1) {
    const fileId = `seen-${number}`;
    if (await findsFile(stage, wordOf(number), fileId)) before += 1;
    const began = performance.now();
    await deletions.request(fileId);
    latencies.push(performance.now() - began);
    for (let search = 0; search < searchesAfterwards; search += 1)
      if (await findsFile(stage, wordOf(number), fileId)) after += 1;
  }
  if (before !== searched) throw new Error(`Only ${before} of ${searched} files were found before they were deleted.`);
  report({ name: 'files-delete.found-afterwards', value: after, unit: `of ${searched * searchesAfterwards} searches` });
  report({ name: 'files-delete.answer.p50', value: percentile(latencies, 0.5), unit: 'ms' });
  report({ name: 'files-delete.answer.p95', value: percentile(latencies, 0.95), unit: 'ms' });
};

/** The same objects, one call each, and the same documents in one bulk request. */
const removeBare = async (stage: RetrievalStage, elastic: Client, fileId: string): Promise<void> => {
  const { blobs } = must(await stage.blobs.list({ prefix: filePrefix(tenant, fileId as FileId), limit: 1_000 }));
  for (const { key } of blobs) must(await stage.blobs.remove(key));
  const index = `${stage.prefix}files_chunks`;
  const found = await elastic.search({ index, query: { term: { fileId } }, size: 10_000, _source: false });
  const operations = found.hits.hits.map(({ _index, _id = '' }) => ({ delete: { _index, _id } }));
  const removed = await elastic.bulk({ operations, refresh: true });
  if (removed.errors) throw new Error('The baseline removed only a part.');
};

const benchPurge = async (
  stage: RetrievalStage,
  { addFile, deletions, elastic }: { addFile: ReturnType<typeof openFiles>; deletions: Deletions; elastic: Client },
  made: MadeFile & { readonly label: string },
): Promise<void> => {
  const times = { purge: [] as number[], bare: [] as number[] };
  for (let round = 0; round < purgeRounds; round += 1) {
    const [purged, bare] = [`purged-${made.label}-${round}`, `bare-${made.label}-${round}`];
    await addFile(purged, made);
    await addFile(bare, made);
    await stage.untilVisible(fillMilliseconds);
    await deletions.request(purged);
    const tasks = [
      ['purge', () => deletions.purge(purged)],
      ['bare', () => removeBare(stage, elastic, bare)],
    ] as const;
    for (const [name, task] of round % 2 === 0 ? tasks : tasks.toReversed()) {
      const began = performance.now();
      await task();
      times[name].push(performance.now() - began);
    }
  }
  report({
    name: `files-delete.purge.${made.label}`,
    value: percentile(times.purge, 0.5),
    unit: 'ms',
    baseline: percentile(times.bare, 0.5),
  });
};

export const run = async (): Promise<void> => {
  const directory = temporaryDirectory('files-delete');
  const node = await startEventStoreNode(directory.path);
  const stage = await openRetrievalStage(undefined, { plain: openEventStore({ url: node.url }) });
  const elastic = new Client({ node: stage.index.url, requestTimeout: 120_000 });
  const [addFile, deletions] = [openFiles(stage), await openDeletions(stage)];
  try {
    report({ name: 'files-delete.load', value: loadavg()[0] ?? Number.NaN, unit: 'processes' });
    await benchVisibility(stage, addFile, deletions);
    for (const chunks of chunkCounts)
      await benchPurge(stage, { addFile, deletions, elastic }, { label: `${chunks}-chunks`, chunks, bytes: 1_000 });
    for (const size of megabytes)
      await benchPurge(
        stage,
        { addFile, deletions, elastic },
        { label: `${size}-MB`, chunks: 1, bytes: size * 1_000_000 },
      );
  } finally {
    await deletions.close();
    await elastic.close();
    await stage.close();
    await node.stop();
    directory.remove();
    await stopServers();
  }
};
