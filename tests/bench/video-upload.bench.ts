/**
 * The upload of a source of 10 GB in parts, straight to a bucket: bytes of it that pass through our routes, and what `status` and `complete` take with
 * all of its parts. The baseline of the upload is the same parts sent to the bucket without us. `BYTES` changes the size; the disk needs thrice as much.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { openS3Blobs } from '../../infra/adapters/blobs/s3/s3-blob-store';
import { expectRight } from '../support/domain/expect-right';
import { s3ForTests } from '../support/servers/s3-server';
import { stopServers } from '../support/servers/shared-servers';
import { caller, openUploadStage } from '../support/video/upload-stage';
import { fromCallers, percentile, report } from './measure';

const fileSize = Number(process.env.BYTES ?? 10_000_000_000);
const callers = 6;
const numbersPerCall = 100;
const rounds = 9;
const ada = caller('ada');

interface Initiated {
  readonly videoId: string;
  readonly uploadId: string;
  readonly partSizeBytes: number;
  readonly partCount: number;
}
interface Part {
  readonly partNumber: number;
  readonly ETag: string;
}

export const run = async (): Promise<void> => {
  const server = await s3ForTests();
  const blobs = openS3Blobs(server.options);
  const stage = openUploadStage(blobs);
  let throughUs = 0;
  const call = async <Content>(operation: string, input: object): Promise<Content> => {
    let answered = await stage.call(operation, ada, input);
    // As clients do: a bucket that joins for minutes loses the answer.
    for (; answered.status === 503; answered = await stage.call(operation, ada, input)) await pause(1_000);
    const { status, body } = answered;
    assert.equal(status, operation === 'initiateVideoUpload' ? 201 : 200, JSON.stringify(body));
    throughUs += Buffer.byteLength(JSON.stringify(input));
    return body as Content;
  };
  const timed = async (task: () => Promise<unknown>): Promise<number> => {
    const began = performance.now();
    await task();
    return performance.now() - began;
  };
  try {
    const source = { title: 'Harvest', fileSize, contentType: 'video/mp4', idempotencyKey: randomUUID() };
    const { videoId, uploadId, partSizeBytes, partCount } = await call<Initiated>('initiateVideoUpload', {
      body: source,
    });
    const content = Buffer.alloc(partSizeBytes);
    const sizeOf = (number: number): number => Math.min(partSizeBytes, fileSize - (number - 1) * partSizeBytes);
    const put = async (url: string, number: number): Promise<string> => {
      const stored = await fetch(url, { method: 'PUT', body: content.subarray(0, sizeOf(number)) });
      assert.equal(stored.status, 200, await stored.text());
      return stored.headers.get('etag') ?? '';
    };

    const key = `bench/${randomUUID()}`;
    const plain = expectRight(await blobs.beginUpload({ key, contentType: 'video/mp4' }));
    const rival = await timed(() =>
      fromCallers(callers, partCount, async (index) => {
        const size = sizeOf(index + 1);
        expectRight(await blobs.putPart({ upload: plain, part: index + 1, body: content.subarray(0, size), size }));
      }),
    );
    expectRight(await blobs.abortUpload(plain));

    const parts: Part[] = [];
    const sent = await timed(async () => {
      for (let first = 1; first <= partCount; first += numbersPerCall) {
        const count = Math.min(numbersPerCall, partCount - first + 1);
        const partNumbers = Array.from({ length: count }, (_, index) => first + index);
        const { parts: signed } = await call<{ readonly parts: readonly { partNumber: number; url: string }[] }>(
          'presignVideoParts',
          { body: { videoId, uploadId, partNumbers } },
        );
        await fromCallers(callers, signed.length, async (index) => {
          const { partNumber = 0, url = '' } = signed[index] ?? {};
          parts.push({ partNumber, ETag: await put(url, partNumber) });
        });
      }
    });
    const statuses: number[] = [];
    for (let round = 0; round < rounds; round += 1)
      statuses.push(await timed(() => call('getVideoUploadStatus', { params: { videoId } })));
    const claims = parts.toSorted((one, other) => one.partNumber - other.partNumber);
    const completed = await timed(() => call('completeVideoUpload', { body: { videoId, uploadId, parts: claims } }));
    const megabytes = fileSize / 1_000_000;
    report({
      ...{ name: 'video-upload.sent', unit: `MB/s in ${partCount} parts` },
      ...{ value: (megabytes * 1_000) / sent, baseline: (megabytes * 1_000) / rival },
    });
    report({ name: 'video-upload.throughUs', value: throughUs, unit: `bytes of requests, of ${fileSize}` });
    report({ name: 'video-upload.status', value: percentile(statuses, 0.5), unit: `ms with ${partCount} parts` });
    report({ name: 'video-upload.complete', value: completed, unit: `ms with ${partCount} parts` });
  } finally {
    await blobs.close();
    await server.stop();
    await stopServers();
  }
};
