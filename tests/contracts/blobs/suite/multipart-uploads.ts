import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Instant } from '../../../../domain/kernel/codec';
import type { BlobStore, Upload, UploadedPart } from '../../../../infra/ports/blob-store';
import {
  codeOf,
  expectSuccess,
  fiveMebibytes,
  freshPrefix,
  type OpenStore,
  readAll,
  sha256Of,
  storedBytes,
  streamOf,
  textPut,
} from './store-calls';

const [large, other, small] = [randomBytes(fiveMebibytes), randomBytes(fiveMebibytes + 3), randomBytes(1_000)];

const begun = async (blobs: BlobStore, key: string): Promise<Upload> =>
  expectSuccess(await blobs.beginUpload({ key, contentType: 'video/mp4' }));

const putPart = async (
  blobs: BlobStore,
  upload: Upload,
  [part, bytes]: readonly [number, Buffer],
): Promise<UploadedPart> =>
  expectSuccess(
    await blobs.putPart({ upload, part, body: streamOf(bytes, 100_000), size: bytes.length, sha256: sha256Of(bytes) }),
  );

const completing = (open: OpenStore): void => {
  it('makes one blob of parts, sent in any order and replaced on the way', async () => {
    const [blobs, key] = [open(), `${freshPrefix()}parts`];
    const upload = await begun(blobs, key);
    await putPart(blobs, upload, [7, small]);
    await putPart(blobs, upload, [1, other]);
    const [first, second] = [await putPart(blobs, upload, [1, large]), await putPart(blobs, upload, [2, other])];
    assert.equal(codeOf(await blobs.head(key)), 'blob-unknown', 'nothing is there before');
    const listed = expectSuccess(await blobs.parts(upload));
    assert.deepEqual(
      [listed.parts.map(({ part, size }) => [part, size]), listed.next],
      [
        [
          [1, large.length],
          [2, other.length],
          [7, 1_000],
        ],
        null,
      ],
    );
    assert.deepEqual(
      expectSuccess(await blobs.parts(upload, 1)).parts.map(({ part }) => part),
      [2, 7],
    );
    const third = listed.parts[2] as UploadedPart;
    const info = expectSuccess(await blobs.completeUpload(upload, [first, second, third]));
    const whole = Buffer.concat([large, other, small]);
    assert.deepEqual([info.key, info.size, info.sha256, info.contentType], [key, whole.length, null, 'video/mp4']);
    assert.ok(whole.equals(await storedBytes(blobs, key)));
    const range = { first: large.length - 2, last: large.length + other.length + 1 };
    assert.ok(
      whole.subarray(range.first, range.last + 1).equals(await readAll(expectSuccess(await blobs.get({ key, range })))),
    );
    assert.equal(codeOf(await blobs.parts(upload)), 'upload-unknown');
    assert.equal(codeOf(await blobs.putPart({ upload, part: 9, body: small, size: 1_000 })), 'upload-unknown');
    expectSuccess(await blobs.copy(key, `${key}-copy`));
    expectSuccess(await blobs.remove(key));
    assert.ok(whole.equals(await storedBytes(blobs, `${key}-copy`)));
  });

  it('is gone on with by another client that knows only its id', async () => {
    const [blobs, key] = [open(), `${freshPrefix()}resumed`];
    const { uploadId } = await begun(blobs, key);
    await putPart(blobs, { key, uploadId }, [1, large]);
    const known = expectSuccess(await blobs.parts({ key, uploadId })).parts;
    const rest = await putPart(blobs, { key, uploadId }, [2, small]);
    expectSuccess(await blobs.completeUpload({ key, uploadId }, [...known, rest]));
    assert.ok(Buffer.concat([large, small]).equals(await storedBytes(blobs, key)));
  });
};

const refusing = (open: OpenStore): void => {
  it('refuses parts that are not there, out of order, too small or of other bytes', async () => {
    const [blobs, key] = [open(), `${freshPrefix()}wrong`];
    const upload = await begun(blobs, key);
    const [first, second, third] = [
      await putPart(blobs, upload, [1, large]),
      await putPart(blobs, upload, [2, small]),
      await putPart(blobs, upload, [3, small]),
    ];
    const wrong = [
      [],
      [second, first],
      [first, first],
      [{ part: 4, etag: first.etag }],
      [{ part: 1, etag: second.etag }],
      [first, second, third],
    ];
    for (const tags of wrong) assert.equal(codeOf(await blobs.completeUpload(upload, tags)), 'upload-part-refused');
    for (const part of [0, -1, 10_001, 1.5])
      assert.equal(codeOf(await blobs.putPart({ upload, part, body: small, size: 1_000 })), 'upload-part-refused');
    const put = { upload, part: 5, body: small, size: 1_000 };
    assert.equal(codeOf(await blobs.putPart({ ...put, sha256: sha256Of(large) })), 'blob-checksum-differs');
    assert.equal(codeOf(await blobs.putPart({ ...put, body: streamOf(small, 300), size: 999 })), 'blob-size-differs');
    assert.equal(codeOf(await blobs.putPart({ ...put, body: streamOf(small, 300), size: 1_001 })), 'blob-size-differs');
    assert.deepEqual(
      expectSuccess(await blobs.parts(upload)).parts.map(({ part }) => part),
      [1, 2, 3],
    );
    expectSuccess(await blobs.abortUpload(upload));
  });

  it('knows no upload of another key, and none that was given up', async () => {
    const [blobs, key] = [open(), `${freshPrefix()}mine`];
    const upload = await begun(blobs, key);
    const foreign = { ...upload, key: `${key}-not` };
    assert.equal(codeOf(await blobs.putPart({ upload: foreign, part: 1, body: small, size: 1_000 })), 'upload-unknown');
    assert.equal(codeOf(await blobs.parts(foreign)), 'upload-unknown');
    assert.equal(codeOf(await blobs.completeUpload(foreign, [{ part: 1, etag: '"x"' }])), 'upload-unknown');
    expectSuccess(await blobs.abortUpload(foreign));
    const part = await putPart(blobs, upload, [1, small]);
    expectSuccess(await blobs.abortUpload(upload));
    expectSuccess(await blobs.abortUpload(upload));
    assert.equal(codeOf(await blobs.completeUpload(upload, [part])), 'upload-unknown');
    assert.equal(codeOf(await blobs.parts(upload)), 'upload-unknown');
    assert.equal(codeOf(await blobs.head(key)), 'blob-unknown');
  });
};

const sweeping = (open: OpenStore): void => {
  it('sweeps uploads begun before a moment, and no blob', async () => {
    const [blobs, prefix] = [open(), freshPrefix()];
    const upload = await begun(blobs, `${prefix}abandoned ü`);
    await putPart(blobs, upload, [1, small]);
    expectSuccess(await blobs.put(textPut(`${prefix}kept`, 'kept')));
    assert.equal(expectSuccess(await blobs.sweep('2020-01-01T00:00:00.000Z' as Instant)), 0);
    expectSuccess(await blobs.parts(upload));
    const soon = new Date(Date.now() + 60_000).toISOString() as Instant;
    assert.ok(expectSuccess(await blobs.sweep(soon)) >= 1);
    assert.equal(codeOf(await blobs.parts(upload)), 'upload-unknown');
    expectSuccess(await blobs.head(`${prefix}kept`));
  });
};

const listing = (open: OpenStore): void => {
  it('lists uploads of a key that are neither completed nor aborted, and of no other key', async () => {
    const [blobs, key] = [open(), `${freshPrefix()}pending ü`];
    assert.deepEqual(expectSuccess(await blobs.uploads(key)), []);
    const [first, second, third] = [await begun(blobs, key), await begun(blobs, key), await begun(blobs, key)];
    await begun(blobs, `${key}-longer`);
    const listed = expectSuccess(await blobs.uploads(key));
    assert.deepEqual(
      new Set(listed.map(({ uploadId }) => uploadId)),
      new Set([first.uploadId, second.uploadId, third.uploadId]),
    );
    for (const { key: listedKey, begunAt } of listed) {
      assert.equal(listedKey, key);
      assert.ok(Math.abs(Date.parse(begunAt) - Date.now()) < 60_000);
    }
    expectSuccess(await blobs.abortUpload(second));
    expectSuccess(await blobs.completeUpload(third, [await putPart(blobs, third, [1, small])]));
    const [rest, ...none] = expectSuccess(await blobs.uploads(key));
    assert.deepEqual([rest?.uploadId, none], [first.uploadId, []]);
    assert.equal(codeOf(await blobs.uploads('../up')), 'blob-key-refused');
  });
};

export const multipartUploadsContract = (open: OpenStore): void => {
  completing(open);
  refusing(open);
  listing(open);
  sweeping(open);
};
