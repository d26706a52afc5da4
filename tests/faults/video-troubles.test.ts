/** Videos whose programs crash, hang and end early, on full disks, and over object storage that fails: each ends as where nothing is amiss, or states why not. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { openS3Blobs } from '../../infra/adapters/blobs/s3/s3-blob-store';
import type { BlobStore } from '../../infra/ports/blob-store';
import { expectRight } from '../support/domain/expect-right';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { needs } from '../support/runner/prerequisites';
import { type S3ForTests, s3ForTests } from '../support/servers/s3-server';
import { requireSmallDisk, unmountSmallDisk } from '../support/servers/small-disk';
import { openTroubledProxy, type Trouble } from '../support/servers/troubled-proxy';
import { manifestFaults } from '../support/video/manifest-faults';
import { endOf, replacing, shortFilm, untilReady } from '../support/video/processing-ends';
import { openVideoProcessing, type VideoProcessing } from '../support/video/processing-stage';

const isEncoding = (argv: readonly string[]): boolean => argv.includes('libx264');

describe('the processing of videos by programs that fail', function () {
  this.timeout(600_000);
  needs('isolation', 'ffmpeg');
  let stage: VideoProcessing;
  let film: string;
  let expected: Awaited<ReturnType<typeof endOf>>;
  before(async () => {
    stage = await openVideoProcessing();
    film = shortFilm(stage.path('.'));
    stage.startWorkers();
    await stage.upload('undisturbed', film);
    await untilReady(stage, 'undisturbed');
    await stage.stopWorkers();
    expected = await endOf(stage, 'undisturbed');
  });
  afterEach(() => stage.stopWorkers());
  after(() => stage.close());

  /** Encoders are replaced so often. */
  const failing = (program: (argv: readonly string[]) => readonly string[], times: number) => {
    let left = times;
    return replacing((argv) => {
      if (!isEncoding(argv) || left === 0) return argv;
      left -= 1;
      return program(argv);
    });
  };
  const crash = () => ['sh', '-c', 'kill -SEGV $$'];
  const hang = () => ['sh', '-c', 'echo frame=1; echo progress=continue; sleep 600'];
  const endEarly = (argv: readonly string[]) => [argv[0] ?? '', '-t', '2', ...argv.slice(1)];

  for (const [name, program] of [
    ['crashes', crash],
    ['hangs', hang],
  ] as const)
    it(`ends as ever where an encoder ${name} once`, async () => {
      stage.startWorkers(failing(program, 1));
      await stage.upload(name, film);
      await untilReady(stage, name);
      assert.deepEqual(await endOf(stage, name), expected);
    });

  for (const [name, program] of [
    ['crashes always', crash],
    ['ends early, with success', endEarly],
  ] as const)
    it(`publishes nothing where an encoder ${name}, and says so; a retry keeps what there is`, async () => {
      const videoId = name.replaceAll(/\W/g, '');
      stage.startWorkers(failing(program, Number.POSITIVE_INFINITY));
      await stage.upload(videoId, film);
      await untilReady(stage, videoId);
      const { facts, failure } = await stage.stateOf(videoId);
      assert.equal(failure?.stage, 'transcode');
      assert.equal(facts.manifest, undefined);
      await stage.stopWorkers();
      stage.startWorkers();
      expectRight(
        await stage.send(videoId, { type: 'RetryVideo', videoId: videoId as never, retriedBy: 'ada' as never }),
      );
      await untilReady(stage, videoId);
      const { objects, ...end } = await endOf(stage, videoId);
      const { objects: known, ...same } = expected;
      assert.deepEqual(end, same);
      // What was stored before the failure stays beside it.
      assert.deepEqual(
        known.filter((key) => !objects.includes(key)),
        [],
      );
    });
});

describe('the processing of videos on a full disk', function () {
  this.timeout(600_000);
  needs('isolation', 'ffmpeg');

  it('waits with the reason, and goes on when there is room', async function () {
    const home = temporaryDirectory('video-full-disk');
    // Programs run as other users.
    chmodSync(home.path, 0o711);
    const directory = join(home.path, 'sandboxes');
    requireSmallDisk(this, directory, 512);
    const stage = await openVideoProcessing({ sandboxDirectory: directory });
    try {
      stage.startWorkers();
      await stage.upload('v-1', shortFilm(stage.path('.')));
      const { deferrals, failure } = await stage.until('v-1', (state) => state.deferrals.size > 0);
      assert.equal(failure, undefined);
      assert.match(deferrals.get('probe')?.reason ?? '', /no room/);
      // A memory disk takes what is written, whatever its size.
      execFileSync('mount', ['-o', 'remount,size=16g', directory]);
      await untilReady(stage, 'v-1');
      assert.equal((await endOf(stage, 'v-1')).failure, undefined);
      assert.deepEqual(await manifestFaults(stage, 'v-1'), []);
    } finally {
      await stage.close();
      unmountSmallDisk(directory);
      home.remove();
    }
  });
});

describe('the processing of videos over object storage that fails', function () {
  this.timeout(600_000);
  needs('isolation', 'ffmpeg', 'bucket');
  let server: S3ForTests;
  let proxy: Awaited<ReturnType<typeof openTroubledProxy>>;
  let blobs: BlobStore;
  let stage: VideoProcessing;
  let film: string;
  let expected: Awaited<ReturnType<typeof endOf>>;
  before(async () => {
    server = await s3ForTests();
    proxy = await openTroubledProxy(server.options.endpoint ?? '');
    blobs = openS3Blobs({ ...server.options, endpoint: proxy.url });
    stage = await openVideoProcessing({ blobs });
    film = shortFilm(stage.path('.'));
    stage.startWorkers();
    await stage.upload('undisturbed', film);
    await untilReady(stage, 'undisturbed');
    expected = await endOf(stage, 'undisturbed');
  });
  after(async () => {
    await stage.close();
    await blobs.close();
    await proxy.close();
    await server.stop();
  });

  /** Every second request of the workers. */
  const disturb = (what: ReturnType<Trouble>, isFor: (request: IncomingMessage) => boolean) => {
    let number = 0;
    proxy.given.trouble = (request) => {
      if (!isFor(request)) return undefined;
      number += 1;
      return number % 2 === 1 ? what : undefined;
    };
  };
  const isUpload = ({ method }: IncomingMessage): boolean => method === 'PUT';

  for (const [what, isFor] of [
    ['lost answer', isUpload],
    ['error with 200', isUpload],
    ['away', () => true],
  ] as const)
    it(`ends as ever under trouble of half of its requests: ${what}`, async () => {
      const videoId = what.replaceAll(' ', '-');
      await stage.upload(videoId, film);
      disturb(what, isFor);
      await untilReady(stage, videoId);
      proxy.given.trouble = () => undefined;
      assert.deepEqual(await endOf(stage, videoId), expected);
      assert.deepEqual(await manifestFaults(stage, videoId), []);
    });

  it('waits while it is away for long, and goes on when it is back', async () => {
    proxy.given.trouble = ({ url = '' }) => (url.includes('long-away/g1/segments') ? 'away' : undefined);
    await stage.upload('long-away', film);
    await stage.until('long-away', ({ deferrals }) => deferrals.size > 0);
    proxy.given.trouble = () => undefined;
    await untilReady(stage, 'long-away');
    assert.deepEqual(await endOf(stage, 'long-away'), expected);
  });
});
