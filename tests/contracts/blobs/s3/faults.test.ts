/** What becomes of calls when the bucket's server is away, silent, cut off or damaged. */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { S3Options } from '../../../../infra/adapters/blobs/s3/client';
import { openS3Blobs } from '../../../../infra/adapters/blobs/s3/s3-blob-store';
import type { BlobStore } from '../../../../infra/ports/blob-store';
import { needs } from '../../../support/runner/prerequisites';
import { skip } from '../../../support/runner/skip';
import { openProxy } from '../../../support/servers/proxy';
import { type S3ForTests, s3ForTests } from '../../../support/servers/s3-server';
import { codeOf, expectSuccess, putOf, readAll, storedBytes, streamOf, textPut } from '../suite/store-calls';

const bytes = randomBytes(8_000_000);

describe('a bucket in trouble', () => {
  let server: S3ForTests | undefined;
  needs('bucket');
  before(async () => {
    server = await s3ForTests();
  });
  after(() => server?.stop());

  const withBlobs = async (changed: Partial<S3Options>, use: (blobs: BlobStore) => Promise<void>): Promise<void> => {
    const blobs = openS3Blobs({ ...(server as S3ForTests).options, ...changed });
    try {
      await use(blobs);
    } finally {
      await blobs.close();
    }
  };
  const everyCall = async (blobs: BlobStore): Promise<readonly string[]> => [
    codeOf(await blobs.check()),
    codeOf(await blobs.put(textPut('a', 'x'))),
    codeOf(await blobs.put({ ...putOf('a', bytes), body: streamOf(bytes, 100_000) })),
    codeOf(await blobs.get({ key: 'a' })),
    codeOf(await blobs.list({ prefix: '' })),
    codeOf(await blobs.removeMany(['a'])),
    codeOf(await blobs.beginUpload({ key: 'a', contentType: 'a/b' })),
  ];
  const unavailable = Array.from({ length: 7 }, () => 'blob-store-unavailable');

  it('is unavailable when it is away, does not know us, or has no such bucket', async () => {
    for (const changed of [{ endpoint: 'http://127.0.0.1:1' }, { secretKey: 'another' }, { bucket: 'not-there' }])
      await withBlobs(changed, async (blobs) => assert.deepEqual(await everyCall(blobs), unavailable));
  });

  it('is unavailable when it accepts calls and never answers', async () => {
    const silent = createServer((socket) => void socket.on('error', () => socket.destroy()).resume());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    await withBlobs({ endpoint, idleMilliseconds: 150 }, async (blobs) =>
      assert.deepEqual(await everyCall(blobs), unavailable),
    );
    await new Promise((resolve) => silent.close(resolve));
  });

  it('fails what is cut off, stores nothing of it, and serves again afterwards', async () => {
    const proxy = await openProxy((server as S3ForTests).options.endpoint as string);
    await withBlobs({ endpoint: proxy.url }, async (blobs) => {
      expectSuccess(await blobs.put(putOf('cut', bytes)));
      const { body } = expectSuccess(await blobs.get({ key: 'cut' }));
      body.once('data', proxy.away);
      await assert.rejects(readAll({ body }));
      proxy.back();
      async function* cutting(): AsyncGenerator<Buffer> {
        for (let at = 0; at < bytes.length; at += 100_000) {
          if (at === 4_000_000) proxy.away();
          yield bytes.subarray(at, at + 100_000);
        }
      }
      assert.equal(codeOf(await blobs.put({ ...putOf('half', bytes), body: cutting() })), 'blob-store-unavailable');
      proxy.back();
      assert.equal(codeOf(await blobs.head('half')), 'blob-unknown');
      assert.ok(bytes.equals(await storedBytes(blobs, 'cut')));
    });
    await proxy.close();
  });

  it('does not take a blob of its own, whose answer was lost, for that of another', async () => {
    let calls = 0;
    const losing = createHttpServer((request, response) => {
      calls += 1;
      if (calls === 1) request.resume().once('end', () => request.socket.destroy());
      else response.writeHead(412).end();
    });
    await new Promise<void>((resolve) => losing.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(losing.address() as AddressInfo).port}`;
    await withBlobs({ endpoint }, async (blobs) => {
      const put = await blobs.put(textPut('a', 'x', { expected: 'absent' }));
      assert.deepEqual([codeOf(put), calls], ['blob-store-unavailable', 1]);
    });
    await new Promise((resolve) => losing.close(resolve));
  });

  it('does not end a blob whose bytes are others as if it were well', async function () {
    const { directory, options } = server as S3ForTests;
    if (directory === undefined) return skip(this, 'files of the bucket: S3_ENDPOINT is elsewhere');
    await withBlobs({}, async (blobs) => {
      expectSuccess(await blobs.put(putOf('damaged', bytes)));
      const file = join(directory, options.bucket, 'damaged');
      const changed = readFileSync(file);
      changed[4_000_000] = (changed[4_000_000] ?? 0) ^ 1;
      writeFileSync(file, changed);
      await assert.rejects(storedBytes(blobs, 'damaged'), { code: 'blob-damaged' });
    });
  });
});
