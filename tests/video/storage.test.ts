/** What the videos of an owner take up: never more than the limit, under any order of commands. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import type { Instant } from '../../domain/kernel/codec';
import { fold } from '../../domain/kernel/decider';
import type { PrincipalId } from '../../domain/kernel/ids';
import type { VideoUploadId } from '../../domain/video/ids';
import { videoLimits } from '../../domain/video/limits';
import { type VideoStorageCommand, videoStorage } from '../../domain/video/storage/decider';
import type { VideoStorageEvent } from '../../domain/video/storage/events';
import { given } from '../kernel/domain/given-when-then';

const ownerId = 'ada' as PrincipalId;
const at = '2026-01-31T12:00:00.000Z' as Instant;
const expiresAt = '2026-02-07T12:00:00.000Z' as Instant;
const of = (number: number) => ({ ownerId, uploadId: `u-${number}` as VideoUploadId });
const largest: number = videoLimits.bytes;

const reserve = (number: number, bytes = largest, now = at) =>
  ({ type: 'ReserveVideoStorage', ...of(number), bytes, expiresAt, at: now }) as const;
const settle = (number: number, bytes = largest) => ({ type: 'SettleVideoStorage', ...of(number), bytes }) as const;
const release = (number: number) => ({ type: 'ReleaseVideoStorage', ...of(number) }) as const;
const reserved = (number: number, bytes = largest): VideoStorageEvent => ({
  type: 'VideoStorageReserved',
  data: { ...of(number), bytes, expiresAt },
});
const ended = (type: 'VideoStorageSettled' | 'VideoStorageReleased', number: number): VideoStorageEvent => ({
  type,
  data: { ...of(number), bytes: largest },
});
const many = (count: number) => Array.from({ length: count }, (_, index) => index);
const full = many(videoLimits.ownerBytes / largest).map((number) => ended('VideoStorageSettled', number));

describe('the storage of an owner of videos', () => {
  it('is reserved, settled and released once for an upload', () => {
    given(videoStorage).when(reserve(1)).then(reserved(1));
    given(videoStorage, reserved(1)).when(reserve(1)).thenNothing();
    given(videoStorage, reserved(1)).when(settle(1)).then(ended('VideoStorageSettled', 1));
    given(videoStorage, reserved(1)).when(release(1)).then(ended('VideoStorageReleased', 1));
    given(videoStorage, ended('VideoStorageSettled', 1)).when(settle(1)).thenNothing();
    given(videoStorage, ended('VideoStorageSettled', 1)).when(release(1)).thenNothing();
    given(videoStorage).when(release(1)).thenNothing();
  });

  it('is refused beyond the limit, and says what is left', () => {
    given(videoStorage, ...full)
      .when(reserve(1_000, 1))
      .rejects('storage-quota-exceeded');
    const decision = videoStorage.decide(
      reserve(1_000),
      fold(videoStorage, videoStorage.initial, [...full.slice(1), reserved(500, 7)]),
    );
    assert.ok(isLeft(decision));
    assert.match(decision.left.detail, /fileSize: .* 7 reserved by open uploads; 9999999993 are left/);
  });

  it('is not held by uploads that ended long ago', () => {
    const open = many(videoLimits.openUploads).map((number) => reserved(number, 1));
    given(videoStorage, ...open)
      .when(reserve(1_000, 1))
      .rejects('too-many-uploads');
    given(videoStorage, ...open)
      .when(reserve(1_000, 1, expiresAt))
      .then(reserved(1_000, 1));
  });

  it('never exceeds the limit, under any order of commands', () => {
    const number = fc.integer({ min: 0, max: 250 });
    const command: fc.Arbitrary<VideoStorageCommand> = fc.oneof(
      { weight: 4, arbitrary: number.map((one) => reserve(one)) },
      number.map(release),
    );
    fc.assert(
      fc.property(fc.array(command, { minLength: 100, maxLength: 400 }), (commands) => {
        let state = videoStorage.initial;
        for (const one of commands) {
          const decision = videoStorage.decide(one, state);
          if (!isLeft(decision)) state = fold(videoStorage, state, decision.right);
          const sum = [...state.reservations.values()].reduce((total, { bytes }) => total + bytes, 0);
          assert.ok(sum <= videoLimits.ownerBytes && state.reservations.size <= videoLimits.openUploads);
        }
      }),
      { numRuns: 30 },
    );
  });
});
