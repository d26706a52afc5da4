import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { SignedRequest } from '../../../../infra/ports/blob-store';
import {
  codeOf,
  expectSuccess,
  fiveMebibytes,
  freshPrefix,
  type OpenStore,
  putOf,
  sha256Of,
  storedText,
  textPut,
} from './store-calls';

interface More {
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Record<string, string>;
}

const send = async ({ method, url, headers }: SignedRequest, more: More = {}): Promise<Response> =>
  fetch(url, { method, ...more, headers: { ...headers, ...more.headers } });

/** Any 4xx is a refusal. */
const refused = async (answer: Promise<Response>, what: string): Promise<void> => {
  const { status } = await answer;
  assert.ok(status >= 400 && status < 500, `${what}: ${status}`);
};

const uploads = (open: OpenStore): void => {
  it('signs an upload of one key, size, type and checksum, and of nothing else', async () => {
    const [blobs, key] = [open(), `${freshPrefix()}signed ü+%`];
    const wanted = { key, size: 11, contentType: 'text/plain', seconds: 60, expected: 'absent' } as const;
    const signed = expectSuccess(await blobs.signPut({ ...wanted, sha256: sha256Of(Buffer.from('hello world')) }));
    assert.ok(Date.parse(signed.expiresAt) > Date.now() && Date.parse(signed.expiresAt) <= Date.now() + 61_000);
    await refused(send(signed, { body: 'hello worle' }), 'other bytes');
    await refused(send(signed, { body: 'hello world!' }), 'more bytes');
    await refused(send(signed, { body: 'hello' }), 'fewer bytes');
    await refused(send(signed, { body: 'hello world', headers: { 'Content-Type': 'text/html' } }), 'another type');
    await refused(send({ ...signed, method: 'GET' }), 'another method');
    assert.equal(codeOf(await blobs.head(key)), 'blob-unknown');
    const answer = await send(signed, { body: 'hello world' });
    assert.equal(answer.status, 200);
    const info = expectSuccess(await blobs.head(key));
    assert.deepEqual([info.etag, info.contentType], [answer.headers.get('etag'), 'text/plain']);
    await refused(send(signed, { body: 'hello world' }), 'a second time');
  });

  it('signs parts of an upload', async () => {
    const [blobs, key] = [open(), `${freshPrefix()}signed-parts`];
    const upload = expectSuccess(await blobs.beginUpload({ key, contentType: 'a/b' }));
    const [first, second] = [randomBytes(fiveMebibytes), Buffer.from('the rest')];
    const sent = async (part: number, bytes: Buffer<ArrayBuffer>) => {
      const signed = expectSuccess(await blobs.signPart({ upload, part, size: bytes.length, seconds: 60 }));
      await refused(send(signed, { body: 'x' }), 'another size');
      const answer = await send(signed, { body: new Uint8Array(bytes) });
      assert.equal(answer.status, 200);
      return { part, etag: answer.headers.get('etag') ?? '' };
    };
    const tags = [await sent(1, first), await sent(2, second)];
    assert.equal(expectSuccess(await blobs.completeUpload(upload, tags)).size, first.length + second.length);
  });
};

const downloads = (open: OpenStore): void => {
  it('signs a download, whole and in ranges, with other headers than the stored ones', async () => {
    const [blobs, key] = [open(), `${freshPrefix()}download`];
    const { etag } = expectSuccess(await blobs.put(textPut(key, 'hello world')));
    const contentDisposition = 'attachment; filename="report.pdf"';
    const signed = expectSuccess(
      await blobs.signGet({ key, seconds: 60, contentType: 'image/png', contentDisposition }),
    );
    const answer = await send(signed);
    assert.equal(await answer.text(), 'hello world');
    const { headers } = answer;
    assert.deepEqual(
      [headers.get('content-type'), headers.get('content-disposition')],
      ['image/png', contentDisposition],
    );
    assert.deepEqual([headers.get('etag'), headers.get('accept-ranges')], [etag, 'bytes']);
    const part = await send(signed, { headers: { Range: 'bytes=6-' } });
    assert.deepEqual(
      [part.status, part.headers.get('content-range'), await part.text()],
      [206, 'bytes 6-10/11', 'world'],
    );
    assert.equal((await send(signed, { headers: { Range: 'bytes=11-' } })).status, 416);
    assert.equal((await send(signed, { headers: { 'If-None-Match': etag } })).status, 304);
    await refused(send({ ...signed, method: 'PUT' }, { body: 'x' }), 'another method');
    assert.equal(await storedText(blobs, key), 'hello world');
  });

  it('answers 404 where nothing is, and 403 to a changed or expired URL', async () => {
    const [blobs, key] = [open(), `${freshPrefix()}changed`];
    // On a busy machine a second may be over before the first request is made.
    const signed = expectSuccess(await blobs.signGet({ key, seconds: 600 }));
    assert.equal((await send(signed)).status, 404);
    expectSuccess(await blobs.put(putOf(key, Buffer.from('x'))));
    const { pathname } = new URL(signed.url);
    const at = signed.url.indexOf(pathname) + pathname.length - 2;
    const changed = `${signed.url.slice(0, at)}${signed.url[at] === 'A' ? 'B' : 'A'}${signed.url.slice(at + 1)}`;
    await refused(fetch(changed), 'changed');
    await refused(fetch(signed.url.split('?')[0]?.replace(/\.[^./]*$/, '') ?? ''), 'without a signature');
    const brief = expectSuccess(await blobs.signGet({ key, seconds: 1 }));
    const untilExpired = Date.parse(brief.expiresAt) - Date.now() + 1_100;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, untilExpired)));
    assert.equal((await send(brief)).status, 403);
    assert.equal((await send(signed)).status, 200);
  });
};

export const signedUrlsContract = (open: OpenStore): void => {
  uploads(open);
  downloads(open);
};
