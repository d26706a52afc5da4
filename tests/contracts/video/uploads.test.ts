/** Uploads of videos to real stores: a directory, and a bucket behind a proxy that loses answers, fails with 200, and forgets uploads. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLeft } from 'fp-ts/Either';
import type { WorkerAdapters } from '../../../commands/kernel/work-queue/job-handler';
import { joinUpload } from '../../../commands/video/join-upload';
import { removeUpload } from '../../../commands/video/remove-upload';
import type { UploadRemoval } from '../../../domain/video/expire-upload-on-initiated/process';
import { openLocalBlobs } from '../../../infra/adapters/blobs/local/local-blob-store';
import { openS3Blobs } from '../../../infra/adapters/blobs/s3/s3-blob-store';
import type { BlobStore } from '../../../infra/ports/blob-store';
import { expectRight } from '../../support/domain/expect-right';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { needs } from '../../support/runner/prerequisites';
import { type S3ForTests, s3ForTests } from '../../support/servers/s3-server';
import { openTroubledProxy, type Trouble } from '../../support/servers/troubled-proxy';
import { caller, openUploadStage } from '../../support/video/upload-stage';

const ada = caller('ada');
const partBytes = 10_485_760;
const bytes = randomBytes(2 * partBytes + 5);
const source = { title: 'Harvest', fileSize: bytes.length, contentType: 'video/mp4' };
const partOf = (part: number): Buffer => bytes.subarray((part - 1) * partBytes, part * partBytes);

interface Ids {
  readonly videoId: string;
  readonly uploadId: string;
}
interface Claim {
  readonly partNumber: number;
  readonly ETag: string;
}

let keys = 0;

const openUploads = (blobs: BlobStore, waits: Parameters<typeof openUploadStage>[1] = {}) => {
  const stage = openUploadStage(blobs, waits);
  const initiate = async (): Promise<Ids> => {
    keys += 1;
    const { body } = await stage.call('initiateVideoUpload', ada, { body: { ...source, idempotencyKey: `k-${keys}` } });
    return { videoId: String(body.videoId), uploadId: String(body.uploadId) };
  };
  const keyOf = ({ videoId, uploadId }: Ids): string => `videos/acme/${videoId}/${uploadId}/raw`;
  const presign = (ids: Ids, partNumbers: readonly number[]) =>
    stage.call('presignVideoParts', ada, { body: { ...ids, partNumbers } });
  const send = async (ids: Ids, part: number, body = partOf(part)): Promise<Claim> => {
    assert.equal((await presign(ids, [part])).status, 200);
    const [upload] = expectRight(await blobs.uploads(keyOf(ids)));
    assert.ok(upload);
    const { etag } = expectRight(await blobs.putPart({ upload, part, body, size: body.length }));
    return { partNumber: part, ETag: etag };
  };
  const sendAll = async (ids: Ids): Promise<readonly Claim[]> => [
    await send(ids, 1),
    await send(ids, 2),
    await send(ids, 3),
  ];
  const complete = (ids: Ids, parts: readonly Claim[]) =>
    stage.call('completeVideoUpload', ada, { body: { ...ids, parts } });
  const status = async ({ videoId }: Ids) =>
    (await stage.call('getVideoUploadStatus', ada, { params: { videoId } })).body;
  const remove = (ids: Ids) =>
    removeUpload({ store: stage.store, blobs })(
      { tenant: 'acme', payload: ids as UploadRemoval } as Parameters<ReturnType<typeof removeUpload>>[0],
      {} as never,
    );
  /** As a worker does it. */
  const join = (ids: Ids) =>
    joinUpload({ ...stage.deps, blobs } as unknown as WorkerAdapters)(
      {
        id: 'job-1',
        tenant: 'acme',
        cause: { correlationId: 'c-1', causationId: 'c-1', depth: 1 },
        payload: ids,
      } as never,
      {} as never,
    );
  return { stage, blobs, initiate, keyOf, presign, send, sendAll, complete, status, remove, join };
};
type Uploads = ReturnType<typeof openUploads>;

const completedOf = ({ videoId }: Ids) => ({ status: 200, body: { videoId, status: 'processing' } });

const behavesWell = (uploads: () => Uploads): void => {
  it('lists what has arrived, after which a client goes on, and completes once, many times at once', async () => {
    const { initiate, send, complete, status, blobs, keyOf, stage } = uploads();
    const ids = await initiate();
    assert.deepEqual((await status(ids)).missing, [1, 2, 3]);
    const second = await send(ids, 2);
    const seen = await status(ids);
    assert.deepEqual(seen.missing, [1, 3]);
    assert.deepEqual(seen.uploaded, [{ ...second, sizeBytes: partBytes }]);
    const claims = [await send(ids, 1), second, await send(ids, 3)];
    const answers = await Promise.all(Array.from({ length: 5 }, () => complete(ids, claims)));
    for (const answer of [...answers, await complete(ids, claims)]) assert.deepEqual(answer, completedOf(ids));
    assert.equal(expectRight(await blobs.head(keyOf(ids))).size, bytes.length);
    assert.equal((await stage.eventsOf(`video.upload-acme.${ids.videoId}`)).length, 2);
    assert.deepEqual([(await status(ids)).status, (await status(ids)).missing], ['completed', []]);
  });

  it('refuses parts that are missing, replaced since, or too small, by their numbers', async () => {
    const { initiate, send, complete } = uploads();
    const ids = await initiate();
    const none = await complete(ids, [{ partNumber: 1, ETag: '"x"' }]);
    assert.deepEqual([none.status, none.body.detail], [409, 'Parts missing: 1-3.']);
    const first = await send(ids, 1);
    const small = await send(ids, 2, bytes.subarray(0, 6_000_000));
    const third = await send(ids, 3);
    const replaced = await send(ids, 1, randomBytes(partBytes));
    const refused = await complete(ids, [first, small, third]);
    assert.equal(refused.body.code, 'upload-incomplete');
    assert.equal(refused.body.detail, 'Parts stored with another ETag: 1. Parts of another size: 2.');
    assert.deepEqual(await complete(ids, [replaced, await send(ids, 2), third]), completedOf(ids));
  });

  it('removes what an aborted upload left, also what arrives late, and nothing of the next attempt', async () => {
    const { initiate, send, sendAll, stage, blobs, keyOf, remove } = uploads();
    const ids = await initiate();
    await send(ids, 1);
    assert.deepEqual(expectRight(await remove(ids)), []);
    assert.equal(expectRight(await blobs.uploads(keyOf(ids))).length, 1, 'an open upload stays');
    const { videoId } = ids;
    assert.equal((await stage.call('abortVideoUpload', ada, { params: { videoId } })).status, 200);
    expectRight(await remove(ids));
    assert.deepEqual(expectRight(await blobs.uploads(keyOf(ids))), []);
    const again = await stage.call('initiateVideoUpload', ada, {
      body: { ...source, idempotencyKey: `k-${keys}` },
    });
    const next = { videoId, uploadId: String(again.body.uploadId) };
    await sendAll(next);
    expectRight(await remove(ids));
    expectRight(await remove(next));
    assert.equal(expectRight(await blobs.uploads(keyOf(next))).length, 1);
  });
};

describe('uploads of videos to a directory', function () {
  this.timeout(120_000);
  const home = temporaryDirectory('video-uploads');
  let blobs: BlobStore;
  before(() => {
    blobs = expectRight(
      openLocalBlobs({ directory: home.path, secret: 's'.repeat(32), url: 'http://127.0.0.1/blobs' }),
    );
  });
  after(async () => {
    await blobs.close();
    home.remove();
  });

  behavesWell(() => openUploads(blobs));
});

const isCompletion = ({ method, url = '' }: IncomingMessage): boolean => method === 'POST' && url.includes('uploadId=');

describe('uploads of videos to a bucket', function () {
  this.timeout(240_000);
  needs('bucket');
  let server: S3ForTests;
  let proxy: Awaited<ReturnType<typeof openTroubledProxy>>;
  let blobs: BlobStore;
  before(async () => {
    server = await s3ForTests();
    proxy = await openTroubledProxy(server.options.endpoint ?? '');
    blobs = openS3Blobs({ ...server.options, endpoint: proxy.url });
  });
  afterEach(() => {
    proxy.given.trouble = () => undefined;
  });
  after(async () => {
    await blobs.close();
    await proxy.close();
    await server.stop();
  });
  /** The first `times` requests that it is for. */
  const causeTrouble = (
    what: Exclude<ReturnType<Trouble>, undefined>,
    isFor: (request: IncomingMessage) => boolean,
    times = 1,
  ) => {
    let left = times;
    proxy.given.trouble = (request) => {
      if (left === 0 || !isFor(request)) return undefined;
      left -= 1;
      return what;
    };
  };

  behavesWell(() => openUploads(blobs));

  it('answers the same when the answer to the completion was lost', async () => {
    const { initiate, sendAll, complete } = openUploads(blobs);
    const ids = await initiate();
    const claims = await sendAll(ids);
    causeTrouble('lost answer', isCompletion, 10);
    const lost = await complete(ids, claims);
    assert.ok(lost.status === 200 || lost.status === 503, JSON.stringify(lost));
    proxy.given.trouble = () => undefined;
    assert.deepEqual(await complete(ids, claims), completedOf(ids));
  });

  it('is not completed by an error with the status 200', async () => {
    const { initiate, sendAll, complete, status, stage } = openUploads(blobs);
    const ids = await initiate();
    const claims = await sendAll(ids);
    causeTrouble('error with 200', isCompletion, 100);
    assert.equal((await complete(ids, claims)).status, 503);
    assert.equal((await stage.eventsOf(`video.upload-acme.${ids.videoId}`)).length, 1);
    assert.deepEqual([(await status(ids)).status, (await status(ids)).missing], ['uploading', []]);
    proxy.given.trouble = () => undefined;
    assert.deepEqual(await complete(ids, claims), completedOf(ids));
  });

  it('says that an upload is gone which the store gave up, and takes its parts again', async () => {
    const { initiate, sendAll, complete, keyOf, status } = openUploads(blobs);
    const ids = await initiate();
    const claims = await sendAll(ids);
    causeTrouble('no such upload', isCompletion);
    const gone = await complete(ids, claims);
    assert.deepEqual([gone.status, gone.body.code], [409, 'upload-unknown']);
    const [upload] = expectRight(await blobs.uploads(keyOf(ids)));
    assert.ok(upload);
    assert.ok(!isLeft(await blobs.abortUpload(upload)));
    assert.deepEqual((await status(ids)).missing, [1, 2, 3]);
    assert.equal((await complete(ids, claims)).body.detail, 'Parts missing: 1-3.');
    assert.deepEqual(await complete(ids, await sendAll(ids)), completedOf(ids));
  });

  it('answers in time while the store joins the parts, and a worker completes it', async () => {
    const {
      initiate,
      sendAll,
      complete,
      join,
      stage,
      blobs: store,
      keyOf,
    } = openUploads(blobs, { joinMilliseconds: 50 });
    const ids = await initiate();
    const claims = await sendAll(ids);
    let release: () => void = () => assert.fail('nothing is held back');
    proxy.given.hold = new Promise((resolve) => {
      release = resolve;
    });
    causeTrouble('held back', isCompletion);
    assert.deepEqual(await complete(ids, claims), completedOf(ids));
    assert.deepEqual(await complete(ids, claims), completedOf(ids));
    const stream = `video.upload-acme.${ids.videoId}`;
    assert.deepEqual((await stage.eventsOf(stream)).slice(1), ['video.VideoPartsReceived.v1']);
    expectRight(await join(ids));
    release();
    assert.deepEqual((await stage.eventsOf(stream)).slice(2), ['video.VideoUploadCompleted.v1']);
    assert.equal(expectRight(await store.head(keyOf(ids))).size, bytes.length);
    expectRight(await join(ids));
    assert.deepEqual(await complete(ids, claims), completedOf(ids));
    assert.equal((await stage.eventsOf(stream)).length, 3);
  });

  it('is joined for longer than other calls may stand still', async () => {
    const impatient = openS3Blobs({ ...server.options, endpoint: proxy.url, idleMilliseconds: 300 });
    const { initiate, sendAll, complete } = openUploads(impatient);
    const ids = await initiate();
    const claims = await sendAll(ids);
    proxy.given.hold = new Promise((resolve) => setTimeout(resolve, 1_000));
    causeTrouble('held back', isCompletion);
    assert.deepEqual(await complete(ids, claims), completedOf(ids));
    await impatient.close();
  });

  it('waits, and loses nothing, while the store is away', async () => {
    const { initiate, sendAll, complete, presign, status } = openUploads(blobs);
    const ids = await initiate();
    const claims = await sendAll(ids);
    causeTrouble('lost answer', () => true, 1_000);
    assert.equal((await complete(ids, claims)).status, 503);
    assert.equal((await presign(ids, [1])).status, 503);
    assert.equal((await status(ids)).code, 'blob-store-unavailable');
    proxy.given.trouble = () => undefined;
    assert.deepEqual(await complete(ids, claims), completedOf(ids));
  });
});
