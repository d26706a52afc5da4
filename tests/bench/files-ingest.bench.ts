/**
 * What the processing of files costs, stage by stage: pages a second and processor time, as workers perform the stages, in sandboxes. Beside
 * the extraction of text, `pdftotext` on the same files; beside OCR, `pdftoppm` into `tesseract` on the same pages. Then the share of the log and of
 * the views in the whole. `short`: files of public projects that the readers are tested with, of two pages on average, so that it shows what a file
 * costs. `long`: the pages of them all as one document, several times, so that it shows what a page costs. `EMBEDDINGS=hashed` is without the model.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { performInProcess, performInSandbox, performStage } from '../../commands/files/ingestion/perform-stage';
import { openReaderSandboxes } from '../../commands/files/ingestion/reader-sandboxes';
import { noCommandMetrics } from '../../commands/kernel/command-metrics';
import type { FileId } from '../../domain/files/ids';
import { ingestionIdOf, ingestionStream, ingestions } from '../../domain/files/ingestion/events';
import { evolve, noIngestion } from '../../domain/files/ingestion/state';
import { type JobStage, jobStages, pipelineVersion } from '../../domain/files/pipeline';
import type { TenantId } from '../../domain/kernel/ids';
import { openHashedEmbedder } from '../../infra/adapters/embeddings/hashed-embedder';
import { openMiniLm } from '../../infra/adapters/embeddings/minilm/minilm-embedder';
import { openEventStore } from '../../infra/adapters/eventstore/event-store';
import { openReaderProgram } from '../../infra/adapters/file-reader/reader-program';
import { loadAggregate } from '../../infra/server/aggregates/load-aggregate';
import { openSandboxes } from '../../packages/sandbox/src/open-sandboxes';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { jobRun } from '../support/processes/job-run';
import { versionOf } from '../support/retrieval/file-history';
import { openRetrievalStage } from '../support/retrieval/retrieval-stage';
import { startEventStoreNode } from '../support/servers/event-store-node';
import { stopServers, toolsDirectory } from '../support/servers/shared-servers';
import { noopMetrics, recordingLog } from '../support/waiting/recording-log';
import { processorTime, processorTimeOf } from './files/processor-time';
import { report } from './measure';
import { must } from './rebuild/workplace';

const tenant = 'acme' as TenantId;
const corpus = join(__dirname, '..', 'packages', 'file-readers', 'files');
/** What poppler opens without a password. */
const unreadable = new Set([
  'cyclic-toc.pdf',
  'newline-buffer-test.pdf',
  'r6-both-passwords.pdf',
  'encrypted_doc_no_id.pdf',
]);

const pathsIn = (folder: string): readonly string[] =>
  readdirSync(join(corpus, folder))
    .filter((name) => name.endsWith('.pdf') && !unreadable.has(name))
    .map((name) => join(corpus, folder, name));

interface Spent {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

const spent = async (task: () => Promise<unknown>): Promise<Spent> => {
  const [began, before] = [performance.now(), processorTime()];
  await task();
  return { seconds: (performance.now() - began) / 1_000, cpuSeconds: (processorTime() - before) / 1_000 };
};

const runShell = async (command: string, args: readonly string[]): Promise<string> => {
  const child = spawn('sh', ['-c', command, 'sh', ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  await once(child, 'close');
  return output;
};

const bareExtraction = async (paths: readonly string[]): Promise<void> => {
  for (const path of paths) await runShell('pdftotext -bbox-layout -cropbox "$1" -', [path]);
};

/** At the resolution, and with one thread, as the reader has it. */
const bareOcr = async (pages: readonly OcrPage[]): Promise<void> => {
  const command =
    'pdftoppm -r 200 -gray -f "$2" -l "$2" "$1" | OMP_THREAD_LIMIT=1 tesseract stdin stdout -l eng --dpi 200 tsv';
  for (const { path, pageNumber } of pages) await runShell(command, [path, String(pageNumber)]);
};

interface OcrPage {
  readonly path: string;
  readonly pageNumber: number;
}

const pageCount = async (path: string): Promise<number> =>
  Number(/Pages:\s+(\d+)/.exec(await runShell('pdfinfo "$1"', [path]))?.[1] ?? 0);

/** `pdfunite` takes none that has a password, be it an empty one. */
const filterUnlocked = async (paths: readonly string[]): Promise<readonly string[]> => {
  const unlocked: string[] = [];
  for (const path of paths) if (/Encrypted:\s+no/.test(await runShell('pdfinfo "$1"', [path]))) unlocked.push(path);
  return unlocked;
};

/** So many times the pages of all files. */
const repeats = 5;

const corpora = {
  short: async () => [...pathsIn('pdf'), ...pathsIn('scans')],
  long: async (directory: string) => {
    const path = join(directory, 'long.pdf');
    const paths = await filterUnlocked(pathsIn('pdf'));
    await runShell('pdfunite "$@"', [...Array.from({ length: repeats }, () => paths).flat(), path]);
    return [path];
  },
} as const;
type Corpus = keyof typeof corpora;

export const parts = Object.keys(corpora);

export const run = async (chosen: readonly string[]): Promise<void> => {
  for (const corpus of chosen.length > 0 ? chosen : parts) await measure(corpus as Corpus);
  await stopServers();
};

const measure = async (corpus: Corpus): Promise<void> => {
  const home = temporaryDirectory('files-ingest');
  chmodSync(home.path, 0o711);
  const node = await startEventStoreNode(join(home.path, 'log'));
  const opened = must(await openSandboxes({ directory: join(home.path, 'sandboxes') }));
  const options = { tools: toolsDirectory, progress: () => undefined };
  const embedder = process.env.EMBEDDINGS === 'hashed' ? openHashedEmbedder() : must(await openMiniLm(options));
  const stage = await openRetrievalStage(embedder, { plain: openEventStore({ url: node.url }), projects: 'later' });
  // Creating the tables and indexes of views costs the same however many files there are.
  stage.startProjector();
  await stage.untilVisible();
  await stage.stopProjector();
  const paths = await corpora[corpus](home.path);
  const files = paths.map((path, at) => ({ path, fileId: `file-${at}` as FileId, content: readFileSync(path) }));
  const readers = openReaderSandboxes({ sandboxes: opened.sandboxes, reader: openReaderProgram() });
  const inSandbox = performInSandbox(readers);
  const adapters = {
    store: stage.store,
    blobs: stage.blobs,
    sandboxes: opened.sandboxes,
    embedder: () => embedder,
    clock: { now: () => new Date() },
    commandMetrics: noCommandMetrics,
    log: recordingLog(),
    metrics: noopMetrics,
  } as never;
  const perform = performStage(adapters, (run, ending) => performInProcess(run, ending) ?? inSandbox(run, ending));
  const failures: string[] = [];

  const request = async ({ path, fileId, content }: (typeof files)[number]): Promise<void> => {
    const key = `files/${tenant}/${fileId}/raw`;
    const stored = must(
      await stage.blobs.put({ key, body: content, size: content.length, contentType: 'application/pdf' }),
    );
    await stage.createFile(fileId, { name: path.slice(path.lastIndexOf('/') + 1) });
    await stage.completeUpload(fileId);
    const checksumSha256 = createHash('sha256').update(content).digest('hex');
    const source = { key, etag: stored.etag, sizeBytes: content.length, checksumSha256, mimeType: 'application/pdf' };
    await stage.process(fileId, [{ type: 'IngestionRequested', data: { source, requestedBy: 'ada' } }]);
  };

  const performAll = async (jobStage: JobStage): Promise<void> => {
    for (const { fileId, path } of files) {
      const payload = { fileId, versionId: versionOf(fileId), pipelineVersion, stage: jobStage };
      const cause = { correlationId: 'c', causationId: 'c', depth: 1 };
      const job = { tenant, payload, cause, token: 1, queue: 'files-ingestion', key: fileId };
      const ended = await perform(job as never, jobRun());
      if (isLeft(ended)) failures.push(`${jobStage} of ${path}: ${ended.left.reason}`);
    }
    if (jobStage === 'embedding') await embedder.close();
  };

  /** Of the files that were read, how many pages were left to OCR. */
  const pagesWithoutText = async (): Promise<readonly OcrPage[]> => {
    const pages: OcrPage[] = [];
    for (const { fileId, path } of files) {
      const stream = ingestionStream(tenant, ingestionIdOf(versionOf(fileId), pipelineVersion));
      const rules = { family: ingestions, initial: noIngestion, evolve };
      const { state } = must(await loadAggregate(stage.reading.source, rules, stream));
      const [, reference] = state.kind === 'none' ? [] : (state.done.text_extraction?.outputs ?? []);
      if (reference === undefined) continue;
      const parts: Buffer[] = [];
      for await (const part of must(await stage.blobs.get({ key: reference.key })).body) parts.push(part as Buffer);
      const facts = JSON.parse(Buffer.concat(parts).toString('utf8')) as {
        readonly pages: readonly { readonly pageNumber: number; readonly hasText: boolean }[];
      };
      for (const { pageNumber, hasText } of facts.pages) if (!hasText) pages.push({ path, pageNumber });
    }
    return pages;
  };

  try {
    let pages = 0;
    for (const path of paths) pages += await pageCount(path);
    const requesting = await spent(async () => {
      for (const file of files) await request(file);
    });
    const byStage = new Map<JobStage, Spent>();
    const logBefore = processorTimeOf(node.pid);
    let ocrPages: readonly OcrPage[] = [];
    for (const jobStage of jobStages) {
      byStage.set(jobStage, await spent(() => performAll(jobStage)));
      if (jobStage === 'text_extraction') ocrPages = await pagesWithoutText();
    }
    const log = (processorTimeOf(node.pid) - logBefore) / 1_000;
    const extraction = await spent(() => bareExtraction(paths));
    const ocr = await spent(() => bareOcr(ocrPages));
    const views = await spent(async () => {
      stage.startProjector();
      await stage.untilVisible(600_000);
    });
    const of = (name: JobStage): Spent => byStage.get(name) ?? { seconds: Number.NaN, cpuSeconds: Number.NaN };
    const compare = (name: string, count: number, ours: Spent, bare: Spent): void => {
      const [value, baseline] = [count / ours.seconds, count / bare.seconds];
      report({ name: `files-ingest.${corpus}.${name}.pages`, value, unit: '1/s', baseline });
      const cpu = { value: count / ours.cpuSeconds, baseline: count / bare.cpuSeconds };
      report({ name: `files-ingest.${corpus}.${name}.pages of processor`, ...cpu, unit: '1/CPU-s' });
    };
    compare('extraction', pages, of('text_extraction'), extraction);
    compare('ocr', ocrPages.length, of('ocr'), ocr);
    for (const [name, { cpuSeconds }] of byStage)
      report({ name: `files-ingest.${corpus}.${name}`, value: cpuSeconds, unit: `CPU-s for ${files.length} files` });
    report({ name: `files-ingest.${corpus}.requested`, value: requesting.cpuSeconds, unit: 'CPU-s' });
    report({ name: `files-ingest.${corpus}.log`, value: log, unit: 'CPU-s' });
    report({ name: `files-ingest.${corpus}.views`, value: views.cpuSeconds, unit: 'CPU-s' });
    const stagesTogether = [...byStage.values()].reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
    const share = (log + views.cpuSeconds) / (stagesTogether + views.cpuSeconds);
    report({ name: `files-ingest.${corpus}.log and views`, value: 100 * share, unit: '% of processor' });
    report({ name: `files-ingest.${corpus}.load`, value: loadavg()[0] ?? Number.NaN, unit: 'processes' });
    for (const failure of failures) console.log(JSON.stringify({ failure }));
  } finally {
    await stage.close();
    await readers.close();
    await opened.sandboxes.close();
    await node.stop();
    home.remove();
  }
};
