/**
 * The stages of a file while workers are killed, fail or stand still at every call of a store, model or program: the end equals that of workers
 * that nothing disturbs, and results of claims that are over do not count.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { isLeft, isRight, left, right } from 'fp-ts/Either';
import { performInProcess, performInSandbox, performStage } from '../../commands/files/ingestion/perform-stage';
import { openReaderSandboxes } from '../../commands/files/ingestion/reader-sandboxes';
import { noCommandMetrics } from '../../commands/kernel/command-metrics';
import type { JobRun, WorkerAdapters } from '../../commands/kernel/work-queue/job-handler';
import { fileAccessStream } from '../../domain/files/access/events';
import { filePrefix, versionKey } from '../../domain/files/content/keys';
import type { FileId } from '../../domain/files/ids';
import { type IngestionEvent, ingestionIdOf, ingestionStream, ingestions } from '../../domain/files/ingestion/events';
import { jobStages, pipelineVersion, readingStages } from '../../domain/files/pipeline';
import { dueStage, queueOf, type StageJob } from '../../domain/files/run-stages-on-ingestion/process';
import type { Instant } from '../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../domain/kernel/ids';
import { fault } from '../../domain/kernel/rejection';
import { openHashedEmbedder } from '../../infra/adapters/embeddings/hashed-embedder';
import { openMemoryEventStore } from '../../infra/adapters/eventstore/memory-event-store';
import { openReaderProgram } from '../../infra/adapters/file-reader/reader-program';
import { openEncryptingStore } from '../../infra/adapters/vault/encrypting-store';
import { memoryVault } from '../../infra/adapters/vault/memory-vault';
import type { BlobContent, BlobInfo, BlobStore } from '../../infra/ports/blob-store';
import type { ReaderProgram } from '../../infra/ports/files/reader-program';
import { createAggregateCache } from '../../infra/server/aggregates/aggregate-cache';
import type { ProgramEnd, Sandbox, Sandboxes } from '../../packages/sandbox/src/ports';
import { ffmpeg, tone } from '../packages/file-readers/media/made-media';
import { fixture } from '../packages/file-readers/read';
import { expectRight } from '../support/domain/expect-right';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { jobRun } from '../support/processes/job-run';
import { openFileHistory, versionOf } from '../support/retrieval/file-history';
import { requirePrerequisites } from '../support/runner/prerequisites';
import { deferred } from '../support/waiting/deferred';
import { noopMetrics, recordingLog } from '../support/waiting/recording-log';

class Killed extends Error {}

/** What happens at one call. After it: the effect is there, and its caller does not learn of it. */
const disturbances = ['killed-before', 'killed-after', 'failed-before', 'failed-after', 'cut', 'frozen'] as const;
type Disturbance = (typeof disturbances)[number];

interface Trouble {
  readonly kind: Disturbance;
  readonly at: number;
  readonly frozen: ReturnType<typeof deferred>;
  readonly thawed: ReturnType<typeof deferred>;
}

/** The body breaks off in its midst. */
const cutBody = (content: BlobContent): BlobContent => {
  async function* half(): AsyncGenerator<Buffer> {
    for await (const chunk of content.body) {
      yield (chunk as Buffer).subarray(0, (chunk as Buffer).length / 2);
      throw Object.assign(new Error('The connection was reset.'), { code: 'ECONNRESET' });
    }
  }
  return { ...content, body: Readable.from(half()) };
};

const faults = {
  store: () => left(fault('event-store-unavailable', 'The log is away.')),
  blobs: () => left(fault('blob-store-unavailable', 'Object storage is away.')),
  embedder: () => left(fault('embedder-unavailable', 'The model is away.')),
  sandboxes: () => left(fault('sandbox-unavailable', 'Programs cannot be isolated.')),
};

interface CountedCalls {
  made: number;
  trouble: Trouble | undefined;
  /** Each of their calls fails. */
  readonly away: Set<keyof typeof faults>;
}

/** Counts calls, and disturbs the one that is chosen, once. */
const disturbed = <Port extends object>(port: Port, calls: CountedCalls, which: keyof typeof faults): Port =>
  Object.fromEntries(
    Object.entries(port).map(([name, call]) => [
      name,
      typeof call !== 'function'
        ? call
        : async (...given: readonly unknown[]): Promise<unknown> => {
            const answer = () => (call as (...all: readonly unknown[]) => unknown)(...given);
            const { trouble } = calls;
            const isDue = trouble?.at === calls.made;
            calls.made += 1;
            if (calls.away.has(which)) return faults[which]();
            if (trouble === undefined || !isDue) return answer();
            switch (trouble.kind) {
              case 'killed-before':
                throw new Killed();
              case 'failed-before':
                return faults[which]();
              case 'killed-after':
                await answer();
                throw new Killed();
              case 'failed-after': {
                await answer();
                return name === 'append'
                  ? left(fault('event-store-ambiguous', 'It may be recorded.'))
                  : faults[which]();
              }
              case 'cut': {
                const answered = await answer();
                return which === 'blobs' && name === 'get' && isRight(answered as never)
                  ? right(cutBody((answered as { readonly right: BlobContent }).right))
                  : answered;
              }
              case 'frozen':
                trouble.frozen.resolve();
                await trouble.thawed.promise;
                return answer();
            }
          },
    ]),
  ) as Port;

/** What stages use of object storage. */
const memoryBlobs = () => {
  const stored = new Map<string, BlobInfo & { readonly bytes: Buffer }>();
  const unknown = () => left({ kind: 'rejection', code: 'blob-unknown', detail: 'There is no such blob.' } as const);
  const put: BlobStore['put'] = async ({ key, body, size, contentType }) => {
    const bytes = Buffer.from(body as Uint8Array);
    assert.equal(bytes.length, size);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const storedAt = '2026-11-30T12:00:00.000Z' as Instant;
    const info = { key, size, contentType, sha256, etag: `"${sha256.slice(0, 16)}"`, storedAt };
    stored.set(key, { ...info, bytes });
    return right(info);
  };
  const get: BlobStore['get'] = async ({ key, etag, range }) => {
    const found = stored.get(key);
    if (found === undefined || (etag !== undefined && etag !== found.etag)) return unknown();
    const { bytes, ...info } = found;
    const [first, last] = range === undefined || !('first' in range) ? [0] : [range.first, range.last];
    const part = bytes.subarray(first, last === undefined ? undefined : last + 1);
    return right({ info, first, length: part.length, body: Readable.from([part]) });
  };
  return { put, get, keys: (): readonly string[] => [...stored.keys()] };
};

const resultFiles = ['result.json', 'elements.jsonl', 'speech.pcm'];

/** Runs the reader as a plain process, once for each mode: what it left is given again afterwards. */
const rememberingSandboxes = (root: string): Sandboxes => {
  let made = 0;
  const prepare: Sandboxes['prepare'] = async () => {
    made += 1;
    const directory = mkdtempSync(join(root, 'sandbox-'));
    const run = async ([script = '', ...rest]: readonly string[], task: string): Promise<ProgramEnd> => {
      const digest = createHash('sha256')
        .update(readFileSync(join(directory, 'file')))
        .digest('hex');
      const known = join(root, createHash('sha256').update(`${digest} ${task}`).digest('hex'));
      const isKnown = existsSync(known);
      if (!isKnown) {
        execFileSync(process.execPath, [script, ...rest], { input: task, stdio: ['pipe', 'ignore', 'ignore'] });
        mkdirSync(known);
      }
      for (const name of resultFiles) {
        const [from, to] = isKnown ? [known, directory] : [directory, known];
        if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
      }
      return { kind: 'exited', code: 0 };
    };
    const exec: Sandbox['exec'] = async ({ argv: [, ...rest], stdin = [] }) => {
      const inside = rest.map((one) => one.replace(/^\/work/, directory));
      const ended = textOf(Readable.from(stdin)).then((task) => run(inside, task));
      const [stdout, stderr] = [Readable.from([]), Readable.from([])];
      return right({ stdout, stderr, signal: () => undefined, ended });
    };
    // A file that a cut call was about to write may appear meanwhile.
    const destroy = (): Promise<void> => rm(directory, { recursive: true, maxRetries: 5 });
    return right({ directory, exec, destroy });
  };
  return { prepare, close: async () => assert.ok(made > 0) };
};

const fileId = 'file-1' as FileId;
const versionId = versionOf(fileId);
const firstToken = 900_000;

interface Sample {
  readonly name: string;
  readonly content: () => Buffer;
  readonly needs: readonly string[];
  /** What other samples have no work for. */
  readonly from: StageJob['stage'];
}

const recording = (): Buffer => {
  const directory = temporaryDirectory('tone');
  ffmpeg(...tone(2), `${directory.path}/tone.wav`);
  const bytes = readFileSync(`${directory.path}/tone.wav`);
  directory.remove();
  return bytes;
};

const samples: readonly Sample[] = [
  {
    name: 'lease.md',
    content: () => Buffer.from('# Lease\n\nThe notice period is three months.\n'),
    needs: [],
    from: 'validation',
  },
  {
    name: 'sign.png',
    content: () => readFileSync(fixture('pictures', 'multiline_text.png')),
    needs: ['tesseract'],
    from: 'ocr',
  },
  { name: 'call.wav', content: recording, needs: ['ffmpeg'], from: 'transcription' },
];

describe('the stages of a file', function () {
  this.timeout(240_000);
  const home = temporaryDirectory('stage-kills');
  const embedder = openHashedEmbedder();
  const sandboxes = rememberingSandboxes(home.path);
  let reader: ReaderProgram;
  let tenants = 0;

  before(() => {
    reader = openReaderProgram();
  });
  after(async () => {
    await Promise.all([reader.close(), sandboxes.close()]);
    home.remove();
  });

  /** A file that was uploaded, in a tenant of its own, and workers whose calls are counted. */
  const openStage = async ({ name, content }: { readonly name: string; readonly content: Buffer }) => {
    tenants += 1;
    const tenant = `tenant-${tenants}` as TenantId;
    const blobs = memoryBlobs();
    const store = openEncryptingStore(openMemoryEventStore(), memoryVault());
    const key = versionKey(tenant, fileId, versionId);
    const stored = await blobs.put({ key, body: content, size: content.length, contentType: 'text/plain' });
    const history = openFileHistory({ store, putContent: async () => undefined }, tenant);
    await history.createFile(fileId, { name });
    await history.process(fileId, [
      {
        type: 'IngestionRequested',
        data: {
          requestedBy: 'ada' as PrincipalId,
          source: {
            ...{ key, etag: expectRight(stored).etag, sizeBytes: content.length, mimeType: 'text/plain' },
            checksumSha256: createHash('sha256').update(content).digest('hex'),
          },
        },
      },
    ]);
    const calls: CountedCalls = { made: 0, trouble: undefined, away: new Set() };
    const passages = [{ startMs: 250, endMs: 1_500, text: 'The lease ends in June.', confidence: 0.75 }];
    const transcriber = { model: 'sample', transcribe: async () => right(passages), close: async () => undefined };
    const reads: (readonly [stream: string, from: number])[] = [];
    const read: typeof store.read = (stream, from = 0) => {
      reads.push([stream, from]);
      return store.read(stream, from);
    };
    const deps = {
      store: disturbed({ ...store, read }, calls, 'store'),
      blobs: disturbed(blobs, calls, 'blobs'),
      sandboxes: disturbed(sandboxes, calls, 'sandboxes'),
      embedder: () => disturbed(embedder, calls, 'embedder'),
      transcriber: () => transcriber,
      cache: createAggregateCache(),
      ...{ log: recordingLog(), metrics: noopMetrics, commandMetrics: noCommandMetrics },
      clock: { now: () => '2026-11-30T12:00:00.000Z' as Instant },
    } as unknown as WorkerAdapters;
    // Without a spare one, so that calls are those of the stage.
    const readers = openReaderSandboxes({ sandboxes: deps.sandboxes, reader, hasSpare: false });
    const performers = {
      reading: performStage(deps, performInSandbox(readers)),
      other: performStage(deps, performInProcess),
    };
    let token = firstToken;
    /** Under a claim of its own, which is newer than all before. */
    const perform = (
      stage: StageJob['stage'],
      { attempt = 1, ...run }: Partial<JobRun> & { attempt?: number } = {},
    ) => {
      token += 1;
      const payload: StageJob = { fileId, versionId, pipelineVersion, stage };
      const job = {
        ...{ id: stage, queue: queueOf(stage).name, kind: stage, key: stage, tenant, payload, attempt, token },
        ...{ priority: 0, mostAttempts: 100, deadline: null, deadlineMilliseconds: null },
        cause: { correlationId: 'c', causationId: 'e', depth: 1 },
      };
      return performers[readingStages.includes(stage) ? 'reading' : 'other'](job, jobRun(run));
    };
    const events = async (): Promise<readonly IngestionEvent[]> =>
      expectRight(await store.read(ingestionStream(tenant, ingestionIdOf(versionId, pipelineVersion)))).map(
        ({ type, data }) => expectRight(ingestions.decode(type, data)),
      );
    /** Every event as it would be without tokens and tenant, and what was put off, which is made up for. */
    const outcome = async (): Promise<readonly unknown[]> =>
      (await events())
        .filter(({ type }) => type !== 'StageDeferred')
        .map((event) =>
          JSON.parse(
            JSON.stringify(event, (field, value: unknown) => (field === 'token' ? 0 : value))
              .replaceAll(tenant, 'tenant')
              .replaceAll(/-90\d{4}\b/g, ''),
          ),
        );
    return { tenant, blobs, history, reads, calls, perform, events, outcome };
  };
  type Stage = Awaited<ReturnType<typeof openStage>>;

  /** The stage that is due by the newest event that makes one due; undefined: none. */
  const dueIn = async ({ events }: Stage): Promise<StageJob['stage'] | undefined> => {
    const recorded = await events();
    const last = recorded.at(-1);
    if (last?.type === 'IngestionReady' || last?.type === 'IngestionFailed') return undefined;
    return recorded.flatMap((event) => dueStage(event) ?? []).at(-1)?.stage;
  };

  const troubleOf = (kind: Disturbance, at: number): Trouble => ({
    ...{ kind, at, frozen: deferred(), thawed: deferred() },
  });

  /** Whatever becomes of an attempt: another follows until the stage is done. */
  const attempt = async (stage: Stage, due: StageJob['stage']): Promise<void> => {
    try {
      await stage.perform(due);
    } catch (error) {
      const isExpected = error instanceof Killed || (error as { code?: string }).code === 'ECONNRESET';
      if (!isExpected) throw error;
    }
  };

  const performAll = async (stage: Stage, releaseAt: 'stage' | 'end' = 'end'): Promise<void> => {
    const { trouble } = stage.calls;
    let late: Promise<void> | undefined;
    for (let tries = 0; ; tries += 1) {
      assert.ok(tries < 3 * jobStages.length, `it comes to no end: ${JSON.stringify(await stage.events())}`);
      const due = await dueIn(stage);
      if (due === undefined) break;
      const performing = attempt(stage, due);
      const stands = trouble?.frozen.promise.then(() => 'frozen' as const);
      if (late !== undefined || stands === undefined) await performing;
      else if ((await Promise.race([performing, stands])) === 'frozen') {
        late = performing;
        if (releaseAt === 'stage') {
          await attempt(stage, due);
          trouble?.thawed.resolve();
          await late;
        }
      }
    }
    trouble?.thawed.resolve();
    await late;
  };

  /** What counts is stored as it was recorded, and all that was stored goes with the file. */
  const isWhole = async (stage: Stage): Promise<void> => {
    for (const event of await stage.events()) {
      if (event.type !== 'StageCompleted') continue;
      for (const { key, sha256 } of event.data.result.outputs) {
        const hash = createHash('sha256');
        for await (const chunk of expectRight(await stage.blobs.get({ key })).body) hash.update(chunk as Buffer);
        assert.equal(hash.digest('hex'), sha256, key);
      }
    }
    const prefix = filePrefix(stage.tenant, fileId);
    assert.deepEqual(
      stage.blobs.keys().filter((key) => !key.startsWith(prefix)),
      [],
    );
  };

  for (const { name, content, needs, from } of samples)
    describe(`of ${name}`, () => {
      let bytes: Buffer;
      const open = () => openStage({ name, content: bytes });
      let expected: readonly unknown[];
      const calls = { first: 0, made: 0 };

      before(async () => {
        await requirePrerequisites(...(needs as never[]));
        bytes = content();
        const stage = await open();
        for (const due of jobStages) {
          if (due === from) calls.first = stage.calls.made;
          assert.ok(isRight(await stage.perform(due)));
        }
        expected = await stage.outcome();
        calls.made = stage.calls.made;
        assert.equal(expected.length > jobStages.length + 2, true, JSON.stringify(expected));
        assert.ok(calls.made > 50, `only ${calls.made} calls`);
      });

      const endsTheSame = async (stage: Stage, about: string): Promise<void> => {
        assert.deepEqual(await stage.outcome(), expected, about);
        await isWhole(stage);
      };

      for (const kind of disturbances)
        it(`end in the same way when a call is ${kind}`, async () => {
          for (let at = calls.first; at < calls.made; at += 1)
            for (const releaseAt of kind === 'frozen' ? (['stage', 'end'] as const) : (['end'] as const)) {
              const stage = await open();
              stage.calls.trouble = troubleOf(kind, at);
              await performAll(stage, releaseAt);
              await endsTheSame(stage, `${kind} at call ${at}, ${releaseAt}`);
            }
        });

      it('end in the same way when each job is performed by two workers at once', async () => {
        const stage = await open();
        for (;;) {
          const due = await dueIn(stage);
          if (due === undefined) break;
          await Promise.all([stage.perform(due), stage.perform(due)]);
        }
        await endsTheSame(stage, 'twice');
      });

      it('do nothing when jobs come again in another order, before their time and after it', async () => {
        const stage = await open();
        for (const early of jobStages.slice(1).toReversed()) assert.ok(isRight(await stage.perform(early)));
        assert.equal((await stage.events()).length, 1);
        await performAll(stage);
        for (const late of jobStages.toReversed()) assert.ok(isRight(await stage.perform(late)));
        await endsTheSame(stage, 'again');
      });
    });

  const lease = { name: 'lease.md', content: Buffer.from('# Lease\n\nThe notice period is three months.\n') };
  const lastOf = async ({ events }: Stage): Promise<IngestionEvent> => (await events()).at(-1) ?? assert.fail();
  /** Until they are back, every call of these fails. */
  const takeAway = (stage: Stage, which: keyof typeof faults): void => void stage.calls.away.add(which);
  const bringBack = (stage: Stage): void => stage.calls.away.clear();

  it('wait while object storage is away, with the reason, and end in the same way when it is back', async () => {
    const [stage, undisturbed] = [await openStage(lease), await openStage(lease)];
    await performAll(undisturbed);
    for (const due of jobStages) {
      takeAway(stage, 'blobs');
      const needsStorage = due !== 'ocr' && due !== 'transcription';
      for (const attempt of [1, 2, 3])
        if (needsStorage) assert.ok(isLeft(await stage.perform(due, { attempt })), `${due}, attempt ${attempt}`);
      assert.ok(isRight(await stage.perform(due, { attempt: 4 })));
      const { type, data } = await lastOf(stage);
      assert.deepEqual([type, 'reason' in data && data.reason], ['StageDeferred', 'Object storage is away.'], due);
      bringBack(stage);
      assert.ok(isRight(await stage.perform(due)));
    }
    assert.deepEqual(await stage.outcome(), await undisturbed.outcome());
  });

  it('lose no try to a log that is away: these are no lost workers', async () => {
    const stage = await openStage(lease);
    takeAway(stage, 'store');
    let checkpoints = 0;
    const checkpoint = async (): Promise<void> => {
      checkpoints += 1;
    };
    for (let attempt = 1; attempt <= 8; attempt += 1)
      assert.ok(isLeft(await stage.perform('validation', { attempt, checkpoint })));
    assert.equal(checkpoints, 1);
    bringBack(stage);
    await performAll(stage);
    assert.equal((await lastOf(stage)).type, 'IngestionReady');
  });

  it('fail a file whose workers are lost again and again, or whose stage is defective', async () => {
    const lost = await openStage(lease);
    assert.ok(isRight(await lost.perform('validation', { attempt: 9 })));
    assert.equal((await lastOf(lost)).type, 'IngestionFailed');
    const defective = await openStage(lease);
    const reportProgress = (): never => {
      throw new TypeError('This is a defect.');
    };
    await assert.rejects(defective.perform('validation', { attempt: 7, reportProgress }), TypeError);
    assert.ok(isRight(await defective.perform('validation', { attempt: 8, reportProgress })));
    assert.equal((await lastOf(defective)).type, 'IngestionFailed');
  });

  it('read the access of the tenant from where they know it, and what is new of it', async () => {
    const stage = await openStage(lease);
    await stage.history.access({ type: 'FileMoved', data: { fileId: 'other' as FileId, folderId: null } });
    await performAll(stage);
    const stream = fileAccessStream(stage.tenant);
    const from = stage.reads.flatMap(([read, revision]) => (read === stream ? [revision] : []));
    assert.ok(from.length >= jobStages.length);
    assert.deepEqual([from[0], new Set(from.slice(1))], [0, new Set([1])]);
    const deleted = await openStage(lease);
    await deleted.history.access({ type: 'FileMoved', data: { fileId: 'other' as FileId, folderId: null } });
    await deleted.perform('validation');
    await deleted.history.access({ type: 'FileHidden', data: { fileId, reason: 'deleted' } });
    await deleted.perform('type_detection');
    assert.equal((await lastOf(deleted)).type, 'IngestionCancelled');
  });

  it('take no failure of a claim that is over', async () => {
    const stage = await openStage({ ...lease, name: 'lease.pdf' });
    await stage.perform('validation');
    const over = AbortSignal.abort();
    assert.ok(isLeft(await stage.perform('type_detection', { signal: over })));
    stage.calls.trouble = troubleOf('frozen', stage.calls.made + 4);
    const late = stage.perform('type_detection');
    await stage.calls.trouble.frozen.promise;
    takeAway(stage, 'sandboxes');
    assert.ok(isRight(await stage.perform('type_detection', { attempt: 4 })));
    bringBack(stage);
    stage.calls.trouble.thawed.resolve();
    assert.ok(isRight(await late));
    assert.equal((await lastOf(stage)).type, 'StageDeferred', 'the newer claim put it off');
    await stage.perform('type_detection');
    assert.equal((await lastOf(stage)).type, 'IngestionFailed', 'it is no PDF');
  });
});
