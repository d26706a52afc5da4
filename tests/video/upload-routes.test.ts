/** Routes of uploads over a list of parts: callers that may not see them, what is refused, and 597 parts in pages. */
import assert from 'node:assert/strict';
import { bytesOfCutPart, countParts } from '../../domain/kernel/upload-parts';
import { videoLimits } from '../../domain/video/limits';
import { openPartList } from '../support/video/part-list';
import { type Answered, caller, openUploadStage } from '../support/video/upload-stage';

const ada = caller('ada');
const source = { title: 'Harvest', fileSize: 30_000_000, contentType: 'video/mp4', idempotencyKey: 'k-1' };

interface Ids {
  readonly videoId: string;
  readonly uploadId: string;
}

const idsOf = ({ body }: Answered): Ids => body as unknown as Ids;

describe('uploads of videos', () => {
  const open = () => {
    const list = openPartList();
    return { list, stage: openUploadStage(list.blobs) };
  };
  const initiate = ({ stage }: ReturnType<typeof open>, more: object = {}, identity = ada) =>
    stage.call('initiateVideoUpload', identity, { body: { ...source, ...more } });
  const presign = ({ stage }: ReturnType<typeof open>, ids: Ids, partNumbers: readonly number[], identity = ada) =>
    stage.call('presignVideoParts', identity, { body: { videoId: ids.videoId, uploadId: ids.uploadId, partNumbers } });
  const complete = ({ stage }: ReturnType<typeof open>, ids: Ids, parts: readonly object[], identity = ada) =>
    stage.call('completeVideoUpload', identity, { body: { videoId: ids.videoId, uploadId: ids.uploadId, parts } });
  const status = ({ stage }: ReturnType<typeof open>, { videoId }: Ids, identity = ada) =>
    stage.call('getVideoUploadStatus', identity, { params: { videoId } });
  const abort = ({ stage }: ReturnType<typeof open>, { videoId }: Ids, identity = ada) =>
    stage.call('abortVideoUpload', identity, { params: { videoId } });

  it('answer the same for the same key, also at once, and other videos for other callers', async () => {
    const here = open();
    const [first, ...others] = await Promise.all(Array.from({ length: 10 }, () => initiate(here)));
    for (const one of others) assert.deepEqual(one, first);
    assert.equal(first?.status, 201);
    const foreign = await initiate(here, {}, caller('ben'));
    const elsewhere = await initiate(here, {}, caller('ada', { tenantId: 'other' }));
    const ids = [first, foreign, elsewhere].map((one) => idsOf(one as Answered).videoId);
    assert.equal(new Set(ids).size, 3);
    const changed = await initiate(here, { title: 'Other' });
    assert.deepEqual([changed.status, changed.body.code], [409, 'upload-differs']);
  });

  it('refuse what is too large, no video, or beyond the quota, which says what is left', async () => {
    const here = open();
    const large = await initiate(here, { fileSize: videoLimits.bytes + 1 });
    assert.deepEqual([large.status, large.body.code], [413, 'video-too-large']);
    const pdf = await initiate(here, { contentType: 'application/pdf' });
    assert.deepEqual([pdf.status, pdf.body.code], [415, 'video-type-unsupported']);
    for (let number = 0; number < videoLimits.ownerBytes / videoLimits.bytes - 1; number += 1)
      assert.equal((await initiate(here, { fileSize: videoLimits.bytes, idempotencyKey: `k-${number}` })).status, 201);
    assert.equal((await initiate(here, { idempotencyKey: 'small' })).status, 201);
    const over = await initiate(here, { fileSize: videoLimits.bytes, idempotencyKey: 'over' });
    assert.deepEqual([over.status, over.body.code], [409, 'storage-quota-exceeded']);
    assert.match(over.body.detail ?? '', /9970000000 are left/);
    assert.equal(
      (await initiate(here, { fileSize: videoLimits.bytes, idempotencyKey: 'theirs' }, caller('ben'))).status,
      201,
    );
  });

  it('sign addresses of their parts alone', async () => {
    const here = open();
    const ids = idsOf(await initiate(here));
    const { status: signed, body } = await presign(here, ids, [3, 1]);
    assert.equal(signed, 200);
    assert.deepEqual(body, {
      partSizeBytes: 10_485_760,
      parts: [3, 1].map((partNumber) => ({
        ...{ partNumber, url: `https://blobs.test/${partNumber}`, expiresAt: '2026-01-31T13:00:00.000Z' },
      })),
    });
    const beyond = await presign(here, ids, [1, 4]);
    assert.equal(beyond.status, 400);
    assert.match(JSON.stringify(beyond.body), /\/body\/partNumbers\/1/);
    const log = JSON.stringify(await here.stage.store.read(`video.upload-acme.${ids.videoId}`), (_, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
    assert.doesNotMatch(log, /blobs\.test/);
  });

  it('answer strangers, other tenants and wrong ids as what never was', async () => {
    const here = open();
    const ids = idsOf(await initiate(here));
    const never = { videoId: 'never', uploadId: 'never-1' };
    const part = [{ partNumber: 1, ETag: '"1"' }];
    const callsOf = (named: Ids, identity = ada) => [
      presign(here, named, [1], identity),
      complete(here, named, part, identity),
      status(here, named, identity),
      here.stage.call('findVideoUploadStatus', identity, { query: named }),
      abort(here, named, identity),
    ];
    const expected = await Promise.all(callsOf(never));
    for (const answer of expected) assert.equal(answer.status, 404);
    for (const identity of [caller('ben'), caller('ada', { tenantId: 'other' })])
      assert.deepEqual(await Promise.all(callsOf(ids, identity)), expected);
    const wrong = { ...ids, uploadId: 'never-1' };
    assert.equal((await presign(here, wrong, [1])).status, 404);
    assert.equal((await complete(here, wrong, part)).status, 404);
  });

  it('walk the largest one through all pages of its parts, and complete it once for all who ask', async () => {
    const here = open();
    const cut = { size: videoLimits.bytes, partBytes: 16_777_216 };
    const count = countParts(cut);
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    const ids = idsOf(await initiate(here, { fileSize: videoLimits.bytes }));
    await presign(here, ids, [1]);
    assert.deepEqual((await status(here, ids)).body.missing, numbers);
    for (const part of numbers) if (part !== 250) here.list.put(part, bytesOfCutPart(cut, part) ?? 0);
    const before = here.list.pagesRead();
    const seen = await status(here, ids);
    assert.equal(here.list.pagesRead() - before, 6);
    assert.deepEqual(seen.body.missing, [250]);
    assert.equal((seen.body.uploaded as readonly unknown[]).length, count - 1);
    const claims = numbers.map((partNumber) => ({ partNumber, ETag: `"${partNumber}"` }));
    const early = await complete(here, ids, claims);
    assert.deepEqual(
      [early.status, early.body.code, early.body.detail],
      [409, 'upload-incomplete', 'Parts missing: 250.'],
    );
    here.list.put(250, 5, '"other"');
    assert.equal((await complete(here, ids, claims)).body.detail, 'Parts of another size: 250.');
    here.list.put(250, 16_777_216, '"other"');
    assert.equal((await complete(here, ids, claims)).body.detail, 'Parts stored with another ETag: 250.');
    here.list.put(250, 16_777_216);
    const answers = await Promise.all(Array.from({ length: 10 }, () => complete(here, ids, claims)));
    for (const answer of answers)
      assert.deepEqual(answer, { status: 200, body: { videoId: ids.videoId, status: 'processing' } });
    assert.deepEqual(await here.stage.eventsOf(`video.upload-acme.${ids.videoId}`), [
      'video.VideoUploadInitiated.v1',
      'video.VideoUploadCompleted.v1',
    ]);
    assert.equal((await initiate(here, { fileSize: videoLimits.bytes })).body.status, 'processing');
    const late = await presign(here, ids, [1]);
    assert.deepEqual([late.status, late.body.code], [409, 'upload-completed']);
    assert.equal((await abort(here, ids)).body.code, 'upload-completed');
  });

  it('end when they are aborted or their time is over, and begin again under the same video', async () => {
    const here = open();
    const ids = idsOf(await initiate(here));
    const twice = { status: 200, body: ids };
    assert.deepEqual(
      [await abort(here, ids), await abort(here, ids)].map(({ status: code }) => code),
      [200, 200],
    );
    assert.equal((await abort(here, ids)).body.uploadId, twice.body.uploadId);
    assert.equal((await status(here, ids)).body.status, 'aborted');
    assert.equal((await presign(here, ids, [1])).body.code, 'upload-ended');
    const again = idsOf(await initiate(here));
    assert.equal(again.videoId, ids.videoId);
    assert.notEqual(again.uploadId, ids.uploadId);
    here.stage.setNow('2026-02-08T12:00:00.000Z');
    assert.equal((await presign(here, again, [1])).body.code, 'upload-ended');
    assert.equal((await complete(here, again, [{ partNumber: 1, ETag: '"1"' }])).body.code, 'upload-ended');
  });

  it('are listed for their owner alone, and for administrators', async () => {
    const here = open();
    const { stage } = here;
    const ids = idsOf(await initiate(here));
    await stage.project();
    const root = caller('root', { scopes: ['videos:read', 'videos:admin'] });
    const get = (identity = ada, videoId = ids.videoId) => stage.call('getVideo', identity, { params: { videoId } });
    const list = async (identity = ada, query: object = {}) => {
      const { body } = await stage.call('listVideos', identity, { query });
      return (body.items as readonly { readonly title: string; readonly status: string }[] | undefined)?.map(
        ({ title, status: state }) => [title, state],
      );
    };
    assert.deepEqual(await list(), [['Harvest', 'uploading']]);
    assert.equal((await get()).body.title, 'Harvest');
    assert.deepEqual(await list(caller('ben')), []);
    const never = await get(ada, 'never');
    assert.equal(never.status, 404);
    assert.deepEqual(await get(caller('ben')), never);
    assert.deepEqual(await get(caller('ada', { tenantId: 'other' })), never);
    assert.equal((await stage.call('listVideos', caller('ben'), { query: { all: 'true' } })).status, 403);
    assert.deepEqual(
      [await list(root), await list(root, { all: 'true' }), (await get(root)).status],
      [[], [['Harvest', 'uploading']], 200],
    );
    await abort(here, ids);
    await stage.project();
    const { body } = await get();
    assert.deepEqual([body.status, body.failedStage, body.failureCode], ['failed', 'upload', 'UPLOAD_ABORTED']);
    await initiate(here);
    await stage.project();
    assert.deepEqual(await list(), [['Harvest', 'uploading']]);
  });
});
