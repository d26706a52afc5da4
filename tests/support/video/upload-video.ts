/** Uploads of videos through the gateway, as clients make them. */
import assert from 'node:assert/strict';
import { contentOf, type Tenant } from '../identity/tenant';

interface NewVideo {
  readonly title: string;
  readonly content: Buffer;
}

interface Initiated {
  readonly videoId: string;
  readonly uploadId: string;
  readonly partCount: number;
}

interface Presigned {
  readonly partSizeBytes: number;
  readonly parts: readonly { readonly partNumber: number; readonly url: string }[];
}

/** Answers the video's id. */
export const uploadVideo = async ({ send }: Pick<Tenant, 'send'>, { title, content }: NewVideo): Promise<string> => {
  const source = { title, fileSize: content.length, contentType: 'video/mp4', idempotencyKey: title };
  const { partCount, ...named } = await contentOf<Initiated>(send('POST', '/api/videos/upload/init', source));
  const { videoId, uploadId } = named;
  const partNumbers = Array.from({ length: partCount }, (_, index) => index + 1);
  const presigning = send('POST', '/api/videos/upload/presign', { videoId, uploadId, partNumbers });
  const { partSizeBytes, parts: signed } = await contentOf<Presigned>(presigning);
  const parts: { readonly partNumber: number; readonly ETag: string }[] = [];
  for (const { partNumber, url } of signed) {
    const body = content.subarray((partNumber - 1) * partSizeBytes, partNumber * partSizeBytes);
    const stored = await fetch(url, { method: 'PUT', body });
    assert.equal(stored.status, 200, await stored.text());
    parts.push({ partNumber, ETag: stored.headers.get('etag') ?? '' });
  }
  const completing = send('POST', '/api/videos/upload/complete', { videoId, uploadId, parts });
  const { status } = await contentOf<{ readonly status: string }>(completing);
  assert.equal(status, 'processing');
  return videoId;
};
