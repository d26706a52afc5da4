/** Another source for a video, by its routes and in its view: the film that plays stays what it is until another one takes its place. */
import assert from 'node:assert/strict';
import { bytesOfCutPart } from '../../domain/kernel/upload-parts';
import type { VideoId, VideoUploadId } from '../../domain/video/ids';
import type { VideoEvent } from '../../domain/video/video/events';
import { openPartList } from '../support/video/part-list';
import { digestOf, recordVideoEvents } from '../support/video/record-events';
import { caller, openUploadStage } from '../support/video/upload-stage';

const ada = caller('ada');
const mebibyte = 1_048_576;
const first = { title: 'Harvest', fileSize: 12 * mebibyte, contentType: 'video/mp4', idempotencyKey: 'k-1' };
const second = { fileSize: 9 * mebibyte, contentType: 'video/webm', idempotencyKey: 'k-2' };

const openVideo = async () => {
  const list = openPartList();
  const stage = openUploadStage(list.blobs);
  const initiate = (body: object, identity = ada) => stage.call('initiateVideoUpload', identity, { body });
  const send = async (ids: object, size: number): Promise<void> => {
    const cut = { size, partBytes: 10 * mebibyte };
    const numbers = Array.from({ length: Math.ceil(size / cut.partBytes) }, (_, index) => index + 1);
    assert.equal((await stage.call('presignVideoParts', ada, { body: { ...ids, partNumbers: numbers } })).status, 200);
    for (const part of numbers) list.put(part, bytesOfCutPart(cut, part) ?? 0);
    const parts = numbers.map((partNumber) => ({ partNumber, ETag: `"${partNumber}"` }));
    assert.equal((await stage.call('completeVideoUpload', ada, { body: { ...ids, parts } })).status, 200);
  };
  const { videoId, uploadId } = (await initiate(first)).body as { videoId: VideoId; uploadId: VideoUploadId };
  const record = (...events: VideoEvent[]) => recordVideoEvents(stage.store, videoId, events);
  const generationEvents = (generation: number, width: number): readonly VideoEvent[] => [
    {
      type: 'VideoProbed',
      data: {
        ...{ videoId, generation, width, height: 720, descriptionSha256: digestOf('e') },
        durationMilliseconds: width * 10,
      },
    },
    {
      type: 'VideoSpriteReady',
      data: { videoId, generation, thumbnailsSha256: digestOf('b'), posterSha256: digestOf(`${generation}`) },
    },
  ];
  const uploaded = (generation: number, named: string, source: typeof second): VideoEvent => ({
    type: 'VideoUploaded',
    data: {
      ...{ videoId, generation, uploadId: named as VideoUploadId, ownerId: 'ada' as never, etag: '"1"' },
      ...{ rawObjectKey: `${named}/raw`, fileSize: source.fileSize, contentType: source.contentType },
    },
  });
  const ready = (generation: number): VideoEvent => ({
    type: 'VideoReady',
    data: { videoId, generation, manifestSha256: digestOf('c') },
  });
  await send({ videoId, uploadId }, first.fileSize);
  await record(uploaded(1, uploadId, first), ...generationEvents(1, 1_280), ready(1));
  const row = async () => {
    await stage.project();
    const { body } = await stage.call('getVideo', ada, { params: { videoId } });
    const { status, fileSize, contentType, width, durationMilliseconds, title, replacedAt } = body;
    return { status, fileSize, contentType, width, durationMilliseconds, title, isReplaced: replacedAt !== null };
  };
  return { stage, initiate, send, record, generationEvents, uploaded, ready, row, videoId, uploadId };
};

const asFirst = {
  ...{ status: 'ready', fileSize: first.fileSize, contentType: 'video/mp4', title: 'Harvest' },
  ...{ width: 1_280, durationMilliseconds: 12_800, isReplaced: false },
};

describe('another source for a video', () => {
  it('changes nothing of what plays, from its first part to its abort', async () => {
    const { stage, initiate, row, videoId } = await openVideo();
    assert.deepEqual(await row(), asFirst);
    const begun = await initiate({ videoId, ...second });
    assert.deepEqual([begun.status, begun.body.videoId, begun.body.status], [201, videoId, 'uploading']);
    assert.deepEqual(await row(), asFirst);
    assert.deepEqual(await initiate({ videoId, ...second }), begun);
    const { body } = await stage.call('getVideoProcessing', ada, { params: { videoId } });
    assert.deepEqual(body.sourceUpload, {
      ...{ uploadId: begun.body.uploadId, fileSize: second.fileSize, expiresAt: '2026-02-07T12:00:00.000Z' },
    });
    assert.equal((await stage.call('abortVideoUpload', ada, { params: { videoId } })).status, 200);
    assert.deepEqual(await row(), asFirst);
    const next = await initiate({ videoId, ...second });
    assert.notEqual(next.body.uploadId, begun.body.uploadId);
  });

  it('takes the place of the film by one event, with its own length and size, and the title stays', async () => {
    const { initiate, send, record, generationEvents, uploaded, ready, row, videoId } = await openVideo();
    const { body } = await initiate({ videoId, ...second });
    const named = body.uploadId as VideoUploadId;
    await send({ videoId, uploadId: named }, second.fileSize);
    assert.deepEqual(await row(), asFirst);
    assert.equal((await initiate({ videoId, ...second })).body.status, 'processing');
    await record(uploaded(2, named, second), ...generationEvents(2, 640));
    assert.deepEqual(await row(), asFirst);
    await record(ready(2), {
      type: 'SourceReplaced',
      data: {
        ...{ videoId, generation: 2, ownerId: 'ada' as never, uploadId: named, rawObjectKey: `${named}/raw` },
        ...{ fileSize: second.fileSize, contentType: second.contentType, durationMilliseconds: 6_400 },
        ...{ width: 640, height: 720, posterSha256: digestOf('2') },
      },
    });
    assert.deepEqual(await row(), {
      ...{ status: 'ready', fileSize: second.fileSize, contentType: 'video/webm', title: 'Harvest' },
      ...{ width: 640, durationMilliseconds: 6_400, isReplaced: true },
    });
    assert.equal((await initiate({ videoId, ...second })).body.status, 'ready');
    assert.equal((await initiate(first)).body.status, 'ready');
  });

  it('that fails leaves the film as it was', async () => {
    const { initiate, send, record, uploaded, row, videoId } = await openVideo();
    const named = (await initiate({ videoId, ...second })).body.uploadId as VideoUploadId;
    await send({ videoId, uploadId: named }, second.fileSize);
    const failure = { stage: 'probe', code: 'NO_VIDEO', detail: 'The file has no video.' } as const;
    await record(uploaded(2, named, second), {
      type: 'GenerationFailed',
      data: { videoId, generation: 2, ...failure },
    });
    assert.deepEqual(await row(), asFirst);
    assert.equal((await initiate({ videoId, ...second })).body.status, 'uploading');
  });

  it('is taken one at a time, from its owner alone, for a video whose first source is there', async () => {
    const { stage, initiate, videoId } = await openVideo();
    const refusalOf = async (body: object, identity = ada) => {
      const answer = await initiate(body, identity);
      return [answer.status, answer.body.code];
    };
    const root = caller('root', { scopes: ['videos:read', 'videos:write', 'videos:admin'] });
    for (const stranger of [caller('ben'), root, caller('ada', { tenantId: 'other' })])
      assert.deepEqual(await refusalOf({ videoId, ...second }, stranger), [404, 'video-unknown']);
    assert.deepEqual(await refusalOf({ videoId: 'never', ...second }), [404, 'video-unknown']);
    assert.deepEqual(await refusalOf({ videoId, title: 'Other', ...second }), [400, 'invalid-input']);
    assert.deepEqual(await refusalOf(second), [400, 'invalid-input']);
    const fresh = (await initiate({ ...first, idempotencyKey: 'k-9' })).body.videoId;
    assert.deepEqual(await refusalOf({ videoId: fresh, ...second }), [409, 'upload-open']);
    await initiate({ videoId, ...second });
    assert.deepEqual(await refusalOf({ videoId, ...second, idempotencyKey: 'k-3' }), [409, 'upload-open']);
    assert.deepEqual(await refusalOf({ videoId, ...second, fileSize: 7 }), [409, 'upload-differs']);
    const events = await stage.eventsOf('video.storage-acme.ada');
    assert.equal(events.length, 3, 'what is refused reserves nothing');
  });

  it('waits for the end of the generation that is being made', async () => {
    const { initiate, record, videoId, uploadId } = await openVideo();
    await record({
      type: 'GenerationStarted',
      data: { videoId, generation: 2, uploadId, codec: 'av1', startedBy: 'ada' as never },
    });
    const refused = await initiate({ videoId, ...second });
    assert.deepEqual([refused.status, refused.body.code], [409, 'video-in-processing']);
  });
});
