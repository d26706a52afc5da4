/** An edge as a process, over a bucket behind a proxy: what it serves, refuses, survives and purges. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isLeft, isRight } from 'fp-ts/Either';
import { openS3Blobs } from '../../../infra/adapters/blobs/s3/s3-blob-store';
import type { BlobStore } from '../../../infra/ports/blob-store';
import { createPurgeEdges } from '../../../infra/server/video/purge-edges';
import { expectRight } from '../../support/domain/expect-right';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { limiterKey, signerWith } from '../../support/http/internal-keys';
import { needs } from '../../support/runner/prerequisites';
import { skip } from '../../support/runner/skip';
import { openProxy, type ServerProxy } from '../../support/servers/proxy';
import { type S3ForTests, s3ForTests } from '../../support/servers/s3-server';
import { canMount, fillDisk, mountSmallDisks, unmountSmallDisk } from '../../support/servers/small-disk';
import { bytesBelow } from '../../support/video/edge-cache';
import {
  type EdgeProcess,
  purgeKey,
  requestEdge,
  type StoredObject,
  signedPrefix,
  startEdge,
  storeSegment,
} from '../../support/video/edge-process';
import { sha256Of } from '../../support/video/memory-origin';
import { eventually } from '../../support/waiting/eventually';

const mebibyte = 1024 ** 2;

describe('an edge', function () {
  this.timeout(240_000);
  needs('bucket');
  const home = temporaryDirectory('edge');
  let server: S3ForTests;
  let proxy: ServerProxy;
  let blobs: BlobStore;
  let edge: EdgeProcess;
  let count = 0;

  const variables = (directory: string, more: Readonly<Record<string, string>> = {}) => ({
    S3_ENDPOINT: new URL(proxy.url).origin,
    S3_REGION: server.options.region,
    S3_BUCKET: server.options.bucket,
    S3_ACCESS_KEY: server.options.accessKey,
    S3_SECRET_KEY: server.options.secretKey,
    EDGE_CACHE_DIR: directory,
    EDGE_ORIGIN_MILLISECONDS: '3000',
    ...more,
  });
  const newDirectory = (): string => {
    count += 1;
    return join(home.path, `edge-${count}`);
  };
  const videoName = (): string => `v-${randomBytes(6).toString('hex')}`;
  const get = (path: string, options = {}) => requestEdge(edge.url, path, options);
  const metric = async (name: string): Promise<number> => {
    const { body } = await get('/metrics');
    return Number(new RegExp(`^${name}[^ ]* (\\d+)$`, 'm').exec(body.toString())?.[1] ?? 0);
  };

  before(async () => {
    server = await s3ForTests();
    proxy = await openProxy(server.options.endpoint ?? '');
    blobs = openS3Blobs(server.options);
    edge = await startEdge(variables(newDirectory()));
  });
  after(async () => {
    await edge.kill();
    await blobs.close();
    await proxy.close();
    await server.stop();
    home.remove();
  });
  afterEach(() => {
    proxy.back();
    proxy.thaw();
  });

  it('serves a segment whole, in ranges, unchanged and by its head, to pages of all origins', async () => {
    const { bytes, path } = await storeSegment(blobs, videoName(), mebibyte);
    const etag = `"${sha256Of(bytes)}"`;
    const first = await get(path);
    assert.deepEqual([first.status, first.body.equals(bytes), first.isCut], [200, true, false]);
    const { headers } = first;
    assert.equal(headers.etag, etag);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['content-type'], 'video/iso.segment');
    assert.match(String(headers['cache-status']), /stored$/);
    await eventually(async () => assert.match(String((await get(path)).headers['cache-status']), /; hit$/));
    const range = await get(path, { headers: { range: 'bytes=-10' } });
    assert.deepEqual([range.status, range.body], [206, bytes.subarray(-10)]);
    assert.equal((await get(path, { headers: { range: `bytes=${mebibyte}-` } })).status, 416);
    assert.equal((await get(path, { headers: { 'if-none-match': etag } })).status, 304);
    const head = await get(path, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers['content-length'], head.body.length], [200, String(mebibyte), 0]);
    const preflight = await get(path, { method: 'OPTIONS' });
    assert.deepEqual([preflight.status, preflight.headers['access-control-allow-methods']], [204, 'GET, HEAD']);
    assert.equal((await get(path, { method: 'DELETE' })).status, 405);
  });

  it('lets manifests be kept for an hour, playlists for seconds, and refusals not at all', async () => {
    const videoId = videoName();
    const folder = `manifests/${'b'.repeat(64)}`;
    for (const name of ['master.m3u8', 'manifest.mpd', '360p.m3u8']) {
      const [key, body] = [`videos/acme/${videoId}/g1/${folder}/${name}`, Buffer.from(`${name}\n`)];
      expectRight(await blobs.put({ key, body, size: body.length, contentType: 'text/plain' }));
      const { status, headers } = await get(`${signedPrefix(videoId)}${folder}/${name}`);
      assert.deepEqual(
        [status, headers['cache-control'], headers.etag],
        [200, `public, max-age=${name.startsWith('m') ? 3600 : 5}`, `"${sha256Of(body)}"`],
      );
    }
    const none = await get(`${signedPrefix(videoId)}segments/${'c'.repeat(64)}.m4s`);
    assert.deepEqual([none.status, none.headers['cache-control']], [404, 'no-store']);
  });

  describe('attacked', () => {
    let stored: StoredObject;
    let videoId: string;
    before(async () => {
      videoId = videoName();
      stored = await storeSegment(blobs, videoId, 5_000);
      assert.equal((await get(stored.path)).status, 200);
    });

    it('refuses tampered, foreign and expired tokens with one answer, before it looks for anything', async () => {
      const [, , token = '', , , , , name = ''] = stored.path.split('/');
      const [until = '', keyId, signature = ''] = token.split('.');
      const known = (text: string) => `/delivery/${text}/acme/${videoId}/g1/segments/${name}`;
      const other = await storeSegment(blobs, videoName(), 10);
      const expired = signedPrefix(videoId, Date.now() - 3 * 3_600_000);
      const requests = await metric('edge_requests_total\\{outcome="(?:hit|miss|unknown)"');
      const refused = [
        known(`${Number(until) + 3_600}.${keyId}.${signature}`),
        known(`${until}.k2.${signature}`),
        known(`${until}.${keyId}.${signature.slice(0, -1)}`),
        known(`${until}.${keyId}.${signature.toLowerCase()}`),
        known(other.path.split('/')[2] ?? ''),
        stored.path.replace('/acme/', '/other/'),
        stored.path.replace('/g1/', '/g2/'),
        stored.path.replace(videoId, `${videoId}x`),
        // Of an object that is not there: as of one that is.
        known(`${until}.${keyId}.${'A'.repeat(43)}`).replace(name, `${'d'.repeat(64)}.m4s`),
        `${expired}segments/${name}`,
      ];
      const bodies = new Set<string>();
      for (const path of refused) {
        const { status, body, headers } = await get(path);
        assert.deepEqual([status, headers['cache-control']], [403, 'no-store'], path);
        bodies.add(body.toString());
      }
      assert.equal(bodies.size, 1);
      assert.equal(await metric('edge_requests_total\\{outcome="(?:hit|miss|unknown)"'), requests);
    });

    it('serves nothing by another spelling of a path, and nothing outside of what is delivered', async () => {
      const prefix = signedPrefix(videoId);
      const name = stored.path.split('/').at(-1) ?? '';
      for (const rest of [
        `segments%2f${name}`,
        `segments/..%2fsegments/${name}`,
        `segments/../segments/${name}`,
        `./segments/${name}`,
        `segments//${name}`,
        `segments/${name}/`,
        `segments/${name}%00`,
        `segments/%2e%2e/${name}`,
        `segments\\${name}`,
        `Segments/${name}`,
        `descriptions/${name}`,
        `raw/${name}`,
        'segments/..',
        'segments/.',
        'segments/',
        `../g1/segments/${name}`,
        `../../../../etc/passwd`,
      ]) {
        const { status, body } = await get(`${prefix}${rest}`);
        assert.equal(status, 404, rest);
        assert.ok(!body.includes(stored.bytes));
      }
      assert.equal((await get(`${stored.path}?a=1`)).status, 200);
      assert.equal((await get(stored.path.replace('/delivery/', '//delivery/'))).status, 404);
    });

    it('purges for workers alone', async () => {
      for (const signer of [signerWith(limiterKey)])
        assert.ok(
          isLeft(await createPurgeEdges([edge.url], signer)(`acme/${videoId}`, { tenantId: 'acme', requestId: 'r' })),
        );
      assert.equal((await get(`/purge?key=acme/${videoId}`, { method: 'POST' })).status, 401);
      const purge = createPurgeEdges([edge.url], signerWith(purgeKey));
      for (const key of ['', 'acme', 'acme/', '../x', `acme/${videoId}/g1/segments`, 'acme/..'])
        assert.ok(isLeft(await purge(key, { tenantId: 'acme', requestId: 'r' })), key);
      assert.match(String((await get(stored.path)).headers['cache-status']), /; hit$/);
    });
  });

  it('serves what is cached while object storage is away or hangs, and says when to try the rest again', async () => {
    const videoId = videoName();
    const [cached, other] = [await storeSegment(blobs, videoId, 300_000), await storeSegment(blobs, videoId, 300_000)];
    await get(cached.path);
    await eventually(async () => assert.match(String((await get(cached.path)).headers['cache-status']), /; hit$/));
    for (const trouble of [proxy.away, proxy.freeze]) {
      trouble();
      assert.ok((await get(cached.path)).body.equals(cached.bytes));
      const refused = await get(other.path);
      assert.deepEqual([refused.status, refused.headers['cache-control']], [503, 'no-store']);
      assert.ok(Number(refused.headers['retry-after']) > 0);
      assert.equal((await get('/readyz')).status, 200);
      proxy.back();
      proxy.thaw();
    }
    await eventually(async () => assert.ok((await get(other.path)).body.equals(other.bytes)));
  });

  it('never sends an object as whole that object storage has with other bytes', async () => {
    const { path, key } = await storeSegment(blobs, videoName(), 2 * mebibyte);
    const others = randomBytes(2 * mebibyte);
    expectRight(await blobs.put({ key, body: others, size: others.length, contentType: 'video/mp4' }));
    const { body, isCut } = await get(path);
    assert.ok(isCut && body.length < others.length);
  });

  it('has a whole purged within its call, also what is read slowly, and nothing of other videos', async () => {
    const videoId = videoName();
    const [purged, kept] = [
      await storeSegment(blobs, videoId, 24 * mebibyte),
      await storeSegment(blobs, videoName(), 5_000),
    ];
    await get(kept.path);
    // Where a fill broke off, as in the trouble before, the next request begins another one.
    await eventually(async () => assert.match(String((await get(purged.path)).headers['cache-status']), /; hit$/));
    let begun: (() => void) | undefined;
    const reading = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const slow = get(purged.path, {
      received: (message: { pause: () => void; resume: () => void }) => {
        message.pause();
        begun?.();
        setTimeout(() => message.resume(), 200);
      },
    });
    await reading;
    expectRight(await blobs.remove(purged.key));
    const purge = createPurgeEdges([edge.url], signerWith(purgeKey));
    assert.ok(isRight(await purge(`acme/${videoId}`, { tenantId: 'acme', requestId: 'r' })));
    assert.equal((await get(purged.path)).status, 404);
    assert.ok((await slow).isCut);
    assert.match(String((await get(kept.path)).headers['cache-status']), /; hit$/);
  });

  it('is killed in mid-film, and has what was whole when it starts again', async () => {
    const directory = newDirectory();
    const own = await startEdge(variables(directory));
    const videoId = videoName();
    const whole = await storeSegment(blobs, videoId, mebibyte);
    const half = await storeSegment(blobs, videoId, 24 * mebibyte);
    assert.ok((await requestEdge(own.url, whole.path)).body.equals(whole.bytes));
    await eventually(async () =>
      assert.match(String((await requestEdge(own.url, whole.path)).headers['cache-status']), /; hit$/),
    );
    // Frozen with the first bytes on the disk, then killed.
    const cut = requestEdge(own.url, half.path, { received: () => proxy.freeze() });
    await eventually(async () => assert.ok(bytesBelow(directory) > 1.5 * mebibyte));
    proxy.freeze();
    await own.kill();
    assert.ok((await cut.catch(() => ({ isCut: true }))).isCut);
    proxy.away();
    const again = await startEdge(variables(directory));
    const found = await requestEdge(again.url, whole.path);
    assert.ok(found.body.equals(whole.bytes));
    assert.match(String(found.headers['cache-status']), /; hit$/);
    assert.equal((await requestEdge(again.url, half.path)).status, 503);
    proxy.back();
    proxy.thaw();
    await eventually(async () => assert.ok((await requestEdge(again.url, half.path)).body.equals(half.bytes)));
    assert.equal(await again.end(), 0);
  });

  it('passes through what a full disk does not take', async function () {
    if (!canMount()) skip(this, 'full disks: file systems cannot be mounted here');
    const disk = newDirectory();
    mountSmallDisks({ [disk]: 8 });
    const own = await startEdge(variables(disk));
    const empty = fillDisk(disk);
    try {
      const { bytes, path } = await storeSegment(blobs, videoName(), 3 * mebibyte);
      for (let again = 0; again < 2; again += 1) {
        const { status, body } = await requestEdge(own.url, path);
        assert.deepEqual([status, body.equals(bytes)], [200, true]);
      }
      empty();
      assert.equal(bytesBelow(join(disk, 'objects')), 0);
      assert.ok((await requestEdge(own.url, path)).body.equals(bytes));
      await eventually(async () => assert.equal(bytesBelow(join(disk, 'objects')), bytes.length));
    } finally {
      await own.kill();
      unmountSmallDisk(disk);
    }
  });
});
