/** Files while the embedding service or object storage is away, breaks off or hangs: they wait with a reason, and end by themselves. */
import assert from 'node:assert/strict';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request as requestOf,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { openS3Blobs } from '../../../infra/adapters/blobs/s3/s3-blob-store';
import { openOpenAiEmbedder } from '../../../infra/adapters/embeddings/openai/openai-embedder';
import { type FileState, openProcessingStage, type ProcessingStage } from '../../support/files/processing-stage';
import { needs } from '../../support/runner/prerequisites';
import { type S3ForTests, s3ForTests } from '../../support/servers/s3-server';
import { eventually } from '../../support/waiting/eventually';

const queues = ['files-ingestion', 'files-reading'];
const text = Buffer.from('# Lease\n\nThe notice period is three months.\n');
const isReady = ({ status }: FileState): boolean => status === 'READY';

const listen = async (handler: RequestListener) => {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
};

/** How each stage ended in the end, without what it was put off for. */
const completedIn = async (stage: ProcessingStage, fileId: string): Promise<readonly string[]> =>
  (await stage.eventsOf(fileId)).flatMap(({ type, data }) => (type === 'StageCompleted' ? [data.stage] : []));

const allStages = [
  ...['validation', 'type_detection', 'text_extraction', 'chunking', 'ocr', 'transcription', 'embedding'],
];

describe('files while the embedding service is away', function () {
  this.timeout(240_000);
  needs('isolation');

  type Trouble = 'refuses' | 'hangs' | 500 | 429;
  const openService = async () => {
    const given: { trouble: Trouble | undefined } = { trouble: undefined };
    const service = await listen((request, response) => {
      const { trouble } = given;
      if (trouble === 'refuses') return void request.socket.destroy();
      if (trouble === 'hangs') return void request.resume();
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (trouble !== undefined) return void response.writeHead(trouble).end('{}');
        const { input } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { readonly input: readonly string[] };
        const data = input.map((_, index) => ({ index, embedding: [1, 0, 0, 0] }));
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
      });
    });
    return { ...service, given };
  };

  for (const [trouble, reason] of [
    ['refuses', /cannot be reached/],
    ['hangs', /cannot be reached/],
    [500, /HTTP 500/],
    [429, /limits requests \(HTTP 429\)/],
  ] as const)
    it(`are found by their words, say why, and are ready by themselves when it is back: ${trouble}`, async () => {
      const service = await openService();
      service.given.trouble = trouble;
      const embedder = openOpenAiEmbedder({
        ...{ url: `${service.url}/v1`, model: 'sample', key: undefined, dimensions: 4 },
        ...{ requestMilliseconds: 300, pauseMilliseconds: 10 },
      });
      const stage = await openProcessingStage({ embedder });
      try {
        stage.startWorkers(...queues);
        await stage.upload('lease', text, { name: 'lease.md' });
        const isPutOff = ({ stages }: FileState) => stages[6]?.waitsFor === 'next_try';
        const file = await stage.until('lease', isPutOff);
        assert.equal(file.status, 'PARTIALLY_READY');
        assert.match(file.reason ?? '', reason);
        assert.ok(Date.parse(file.stages[6]?.nextTryAt ?? '') > Date.now() - 60_000);
        const [chunk] = await stage.chunksOf('lease');
        assert.match(chunk?.content ?? '', /three months/);
        service.given.trouble = undefined;
        await stage.passTime();
        await stage.until('lease', isReady);
        assert.deepEqual(await completedIn(stage, 'lease'), allStages);
      } finally {
        await stage.close();
        await embedder.close();
        await service.close();
      }
    });
});

describe('files while object storage fails', function () {
  this.timeout(240_000);
  needs('isolation', 'bucket');
  let server: S3ForTests;
  before(async () => {
    server = await s3ForTests();
  });
  after(() => server.stop());

  type Trouble = 'reset' | 'error' | 'truncated' | 'slow';
  /** Forwards requests; a troubled one does not reach the server, or its answer breaks off. */
  const openFailingProxy = async () => {
    const given = { trouble: undefined as Trouble | undefined, every: 1, requests: 0, troubled: 0 };
    const { hostname, port } = new URL(server.options.endpoint as string);
    const relay = (response: ServerResponse, answer: IncomingMessage, trouble?: Trouble): void => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      if (trouble !== 'truncated') return void answer.pipe(response);
      answer.once('data', (chunk: Buffer) => {
        response.write(chunk.subarray(0, chunk.length / 2));
        answer.destroy();
        setImmediate(() => response.destroy());
      });
      answer.once('end', () => response.destroy());
    };
    const proxy = await listen((request, response) => {
      given.requests += 1;
      const trouble = given.requests % given.every === 0 ? given.trouble : undefined;
      if (trouble !== undefined) given.troubled += 1;
      if (trouble === 'reset') return void request.socket.destroy();
      if (trouble === 'error') return void request.resume().once('end', () => response.writeHead(500).end());
      const forward = () => {
        const { method = 'GET', url: path = '/', headers } = request;
        const onward = requestOf({ hostname, port, method, path, headers }, (answer) =>
          relay(response, answer, trouble),
        );
        onward.on('error', () => response.destroy());
        request.pipe(onward);
      };
      if (trouble === 'slow') setTimeout(forward, 700);
      else forward();
    });
    return { ...proxy, given };
  };

  for (const trouble of ['reset', 'error', 'truncated', 'slow'] as const)
    it(`wait with the reason, and end as if nothing had been: ${trouble}`, async () => {
      const proxy = await openFailingProxy();
      const blobs = openS3Blobs({ ...server.options, endpoint: proxy.url, idleMilliseconds: 2_000 });
      const stage = await openProcessingStage({ blobs });
      try {
        stage.startWorkers(...queues);
        await stage.upload('undisturbed', text, { name: 'lease.md' });
        await stage.until('undisturbed', isReady);
        await stage.upload('disturbed', text, { name: 'lease.md' });
        proxy.given.trouble = trouble;
        if (trouble !== 'slow') {
          const isPutOff = ({ stages }: FileState) => stages.some(({ waitsFor }) => waitsFor === 'next_try');
          const failed = await stage.until('disturbed', (file) => isPutOff(file) && file.reason !== null);
          assert.match(failed.reason ?? '', /object stor/i);
          // Until its tries are used up, and it is put off.
          await eventually(async () => {
            await stage.passTime();
            const events = await stage.eventsOf('disturbed');
            assert.ok(events.some(({ type }) => type === 'StageDeferred'));
          });
        }
        // Then each stage meets it, at reads and at writes.
        proxy.given.every = trouble === 'slow' ? 1 : 3;
        await stage.passTime();
        await eventually(async () => {
          await stage.passTime();
          assert.ok(isReady(await stage.statusOf('disturbed')));
        });
        assert.ok(proxy.given.troubled > 5, `only ${proxy.given.troubled} requests`);
        proxy.given.trouble = undefined;
        assert.deepEqual(await completedIn(stage, 'disturbed'), allStages);
        const contents = async (id: string) => (await stage.chunksOf(id)).map(({ content }) => content);
        assert.deepEqual(await contents('disturbed'), await contents('undisturbed'));
      } finally {
        await stage.close();
        await blobs.close();
        await proxy.close();
      }
    });
});
