/**
 * Videos that are processed, replaced, and then deleted, while all processes and stores of a whole system are killed and workers are frozen past their claims:
 * each is as where nothing is disturbed, and of a deleted one nothing is stored.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { listBlobs } from '../../commands/kernel/uploads/list-blobs';
import { openLocalBlobs } from '../../infra/adapters/blobs/local/local-blob-store';
import { h264, makeFilm, moving, tone } from '../packages/video-media/made-films';
import { expectRight } from '../support/domain/expect-right';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { openTenant, type Tenant } from '../support/identity/tenant';
import { type DisturbedSystem, launchDisturbed, patiently } from '../support/processes/disturbed-system';
import { needs } from '../support/runner/prerequisites';
import { eventually } from '../support/waiting/eventually';

const workers = /commands\/workers\.main/;
/** In the order in which they are killed; workers before and after each other, for they do the work. */
const killed: readonly RegExp[] = [
  workers,
  /adapters\/blobs\/main/,
  /gateway\/main/,
  workers,
  /adapters\/blobs\/main/,
  /eventstore-node\/src\/cli\/main/,
  workers,
  /\/postgres -D/,
  workers,
  /commands\/processes\.main/,
  /valkey-server|redis-server/,
  workers,
  /commands\/command-api\.main/,
  workers,
];

/** One that is remuxed, one that is encoded in several groups, and one without sound in an uneven rate. */
const films = {
  fits: [...moving(14, '640x360'), ...tone(14), ...h264(50), '-c:a', 'aac', '-shortest'],
  encoded: [...moving(100, '320x180', '5'), ...tone(100), '-c:v', 'mpeg4', '-c:a', 'aac', '-shortest'],
  silent: [...moving(12, '180x320', '30000/1001'), '-c:v', 'mpeg4'],
} as const;

/** With a box that players skip (ISO/IEC 14496-12, 8.1.2), so that its upload has several parts. */
const inParts = (film: Buffer): Buffer => {
  const box = Buffer.alloc(25_000_000);
  box.writeUInt32BE(box.length, 0);
  box.write('free', 4);
  return Buffer.concat([film, box]);
};

interface Initiated {
  readonly videoId: string;
  readonly uploadId: string;
  readonly partCount: number;
}
interface Presigned {
  readonly partSizeBytes: number;
  readonly parts: readonly { readonly partNumber: number; readonly url: string }[];
}
interface Processing {
  readonly status: string;
  readonly steps: readonly object[];
}
interface Variant {
  readonly resolution: string;
  readonly codec: string;
  readonly bitrateKbps: number;
  readonly sizeBytes: number;
}
interface Playback {
  readonly durationSeconds: number;
  readonly variants: readonly Variant[];
  readonly thumbnailsUrl: string | null;
}

/** A step of a frozen worker waits for its claim to be over. */
const longestStandstill = 180_000;

describe('videos while everything is killed', function () {
  this.timeout(1_400_000);
  needs('isolation', 'ffmpeg');
  const home = temporaryDirectory('video-kills');
  let septet: DisturbedSystem;
  let [undisturbed, disturbed]: readonly Tenant[] = [];
  let contents: readonly (readonly [title: string, content: Buffer])[];

  before(async () => {
    contents = Object.entries(films).map(([title, args]) => [
      title,
      inParts(readFileSync(makeFilm(join(home.path, `${title}.mp4`), args))),
    ]);
    septet = await launchDisturbed(home.path);
    [undisturbed, disturbed] = [await openTenant(septet.system), await openTenant(septet.system)];
  });
  after(async () => {
    await septet.close();
    home.remove();
  });

  /** Of `replaced`, another source. */
  const upload = async (
    tenant: Tenant,
    [title, content]: readonly [string, Buffer],
    replaced?: string,
  ): Promise<string> => {
    const source = {
      ...(replaced === undefined ? { title } : { videoId: replaced }),
      ...{ fileSize: content.length, contentType: 'video/mp4', idempotencyKey: `${title} ${replaced}` },
    };
    const begun = await septet.call<Initiated>(tenant, 'POST', '/api/videos/upload/init', source);
    const { partCount, videoId, uploadId } = begun;
    const named = { videoId, uploadId };
    const partNumbers = Array.from({ length: partCount }, (_, index) => index + 1);
    const signing = { ...named, partNumbers };
    const signed = await septet.call<Presigned>(tenant, 'POST', '/api/videos/upload/presign', signing);
    const parts: { readonly partNumber: number; readonly ETag: string }[] = [];
    for (const { partNumber, url } of signed.parts) {
      const body = content.subarray((partNumber - 1) * signed.partSizeBytes, partNumber * signed.partSizeBytes);
      await patiently(async () => {
        const stored = await fetch(url, { method: 'PUT', body });
        parts[partNumber - 1] = { partNumber, ETag: stored.headers.get('etag') ?? '' };
        return stored;
      });
      // Object storage and gateway are killed between parts, too.
      await sleep(3_000);
    }
    await septet.call(tenant, 'POST', '/api/videos/upload/complete', { ...named, parts });
    return videoId;
  };
  const uploadAll = (tenant: Tenant): Promise<readonly string[]> =>
    Promise.all(contents.map((content) => upload(tenant, content)));

  /** Fails when a video is neither ready nor moves. */
  const untilReady = async (tenant: Tenant, videoIds: readonly string[]): Promise<void> => {
    for (let [before, since] = ['', Date.now()]; ; await sleep(1_000)) {
      const all = await Promise.all(
        videoIds.map((videoId) => septet.call<Processing>(tenant, 'GET', `/api/videos/${videoId}/processing`)),
      );
      if (all.every(({ status }) => status === 'ready')) return;
      const now = JSON.stringify(all);
      assert.ok(!now.includes('"failed"'), now);
      if (now !== before) [before, since] = [now, Date.now()];
      assert.ok(Date.now() - since < longestStandstill, now);
    }
  };

  const endOf = async (tenant: Tenant, videoId: string) => {
    const playback = await septet.call<Playback>(tenant, 'GET', `/api/videos/${videoId}/playback`);
    const { durationSeconds, variants, thumbnailsUrl } = playback;
    return {
      durationSeconds,
      // Named by its digest.
      thumbnails: thumbnailsUrl?.split('/').at(-1),
      variants: variants.map(({ resolution, codec, bitrateKbps, sizeBytes }) => ({
        ...{ resolution, codec, bitrateKbps, sizeBytes },
      })),
    };
  };
  const endsOf = (tenant: Tenant, videoIds: readonly string[]) =>
    Promise.all(videoIds.map((videoId) => endOf(tenant, videoId)));

  const storedOf = async (tenant: Tenant, videoId: string): Promise<readonly string[]> => {
    const blobs = expectRight(
      openLocalBlobs({ directory: join(septet.data, 'blobs'), secret: 's'.repeat(43), url: 'http://127.0.0.1/blobs' }),
    );
    try {
      const found = expectRight(await listBlobs(blobs, `videos/${tenant.tenantId}/${videoId}/`));
      return found.map(({ key }) => key);
    } finally {
      await blobs.close();
    }
  };

  let videoIds: readonly string[];
  let expected: Awaited<ReturnType<typeof endsOf>>;

  it('become the same films, with the same bytes, while all are killed and workers are frozen', async () => {
    const [one, other] = [undisturbed as Tenant, disturbed as Tenant];
    const undisturbedIds = await uploadAll(one);
    await untilReady(one, undisturbedIds);
    expected = await endsOf(one, undisturbedIds);
    assert.ok(expected.every(({ variants }) => variants.length > 0));
    const disturbing = septet.disturb({ killed, frozen: [workers, workers], pauseMilliseconds: 2_500 });
    videoIds = await uploadAll(other);
    assert.ok((await disturbing) >= 10);
    await untilReady(other, videoIds);
    assert.deepEqual(await endsOf(other, videoIds), expected);
  });

  it('play what they did until the film that replaces them is whole, while all are killed', async () => {
    const tenant = disturbed as Tenant;
    const [[videoId = ''], [before, , after], [, , replacing = assert.fail()]] = [videoIds, expected, contents];
    const disturbing = septet.disturb({ killed, frozen: [workers], pauseMilliseconds: 2_000 });
    await upload(tenant, replacing, videoId);
    for (const since = Date.now(); ; await sleep(1_000)) {
      const now = await endOf(tenant, videoId);
      if (isDeepStrictEqual(now, after)) break;
      assert.deepEqual(now, before);
      assert.ok(Date.now() - since < 2 * longestStandstill, 'it is never replaced');
    }
    assert.ok((await disturbing) >= 10);
    assert.deepEqual(await endOf(tenant, videoId), after);
  });

  it('are deleted to the last object while all are killed, each with its proof', async () => {
    const tenant = disturbed as Tenant;
    for (const videoId of videoIds) assert.ok((await storedOf(tenant, videoId)).length > 5);
    const disturbing = septet.disturb({ killed, frozen: [workers], pauseMilliseconds: 1_500 });
    for (const videoId of videoIds) {
      await septet.call(tenant, 'DELETE', `/api/videos/${videoId}`, {});
      await sleep(3_000);
    }
    assert.ok((await disturbing) >= 10);
    await eventually(async () => {
      const events = await septet.system.eventsAfter(null);
      for (const videoId of videoIds) {
        const proofs = events.filter(
          ({ stream, type }) =>
            stream === `video.video-${tenant.tenantId}.${videoId}` && type === 'video.VideoObjectsRemoved.v1',
        );
        assert.equal(proofs.length, 1, videoId);
        assert.deepEqual(await storedOf(tenant, videoId), []);
      }
    });
  });
});
