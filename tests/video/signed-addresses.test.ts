/** Signed addresses and proofs of playbacks: what was signed is read back, and nothing else. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isLeft, isRight, left, right } from 'fp-ts/Either';
import type { TenantId } from '../../domain/kernel/ids';
import type { VideoId } from '../../domain/video/ids';
import { deliveredFolders } from '../../domain/video/keys';
import { readDeliveryPath, signDeliveryPrefix } from '../../infra/server/video/delivery-address';
import { readPlaybackSession, signPlaybackSession } from '../../infra/server/video/playback-session';
import type { DeliveryKeys } from '../../infra/server/video/signed-text';

const older = { id: 'k1', secret: 'one secret' };
const newer = { id: 'k2', secret: 'another secret' };
const keys: DeliveryKeys = [older];
const rotated: DeliveryKeys = [newer, older];
const generation = { tenant: 'acme' as TenantId, videoId: 'v-1' as VideoId, generation: 3 };
const sha256 = 'a'.repeat(64);
const now = Date.UTC(2026, 0, 31, 12, 30);
const until = now / 1_000 + 600;
const prefix = signDeliveryPrefix(keys, generation, until);

/** One sign is another one. */
const changed = (text: string, at: number): string =>
  `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`;

describe('a signed address', () => {
  it('reads as the object that it is of, also after the key was rotated', () => {
    for (const folder of deliveredFolders)
      for (const name of [`${sha256}.m4s`, `${sha256}/master.m3u8`])
        for (const accepted of [keys, rotated])
          assert.deepEqual(
            readDeliveryPath(accepted, `${prefix}${folder}/${name}`, now),
            right({ ...generation, folder, name }),
          );
  });

  it('is the same for all who ask within an hour, and ends', () => {
    assert.equal(signDeliveryPrefix(keys, generation, until + 60), prefix);
    const path = `${prefix}segments/${sha256}.m4s`;
    assert.deepEqual(readDeliveryPath(keys, path, now + 3_600_000), left('expired'));
    assert.ok(isRight(readDeliveryPath(keys, path, now + 599_000)));
  });

  it('is refused with any sign changed, for another key, and for what is not delivered', () => {
    const path = `${prefix}segments/${sha256}.m4s`;
    fc.assert(
      fc.property(fc.nat(prefix.length - 1), (at) => isLeft(readDeliveryPath(keys, changed(path, at), now))),
      { numRuns: 400 },
    );
    assert.deepEqual(readDeliveryPath([newer], path, now), left('forged'));
    for (const rest of ['descriptions/x.json', 'segments/../raw', 'segments/..', 'segments/', 'raw', ''])
      assert.deepEqual(readDeliveryPath(keys, `${prefix}${rest}`, now), left('unknown'), rest);
  });
});

describe('the proof of a playback', () => {
  const session = {
    ...generation,
    ...{ sessionId: 's-1', viewerId: 'ada', durationMilliseconds: 60_000, issuedAt: now / 1_000, expiresAt: until },
  };
  const proof = signPlaybackSession(keys, session);

  it('reads as the session that it is of, until it ends', () => {
    assert.deepEqual(readPlaybackSession(rotated, proof, now), right(session));
    assert.deepEqual(readPlaybackSession(keys, proof, now + 600_000), left('expired'));
  });

  it('is refused with any sign changed, and is no address', () => {
    fc.assert(
      fc.property(fc.nat(proof.length - 1), (at) => isLeft(readPlaybackSession(keys, changed(proof, at), now))),
      { numRuns: 400 },
    );
    assert.deepEqual(readPlaybackSession(keys, 'x'.repeat(9_999), now), left('forged'));
    assert.deepEqual(readPlaybackSession(keys, '', now), left('forged'));
  });
});
