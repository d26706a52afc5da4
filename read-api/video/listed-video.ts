/** A row of videos as it is answered: with the address of its poster, for viewers that may play it. */
import type { TypeOf } from 'io-ts';
import { nullable, record, text } from '../../domain/kernel/codec';
import { TenantId } from '../../domain/kernel/ids';
import { generationName } from '../../domain/video/keys';
import { VideoRow } from '../../projections/video/videos/view';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import { signedBase } from './managed-video';
import type { VideoReading } from './video-reading';

export const Video = record('Video', {
  ...answerFields(
    VideoRow,
    'rawObjectKey',
    'foundPoster',
    'foundPosterGeneration',
    'nextPosterGeneration',
    'chosenPoster',
  ),
  /** A JPEG, signed; null: there is none yet, the caller may not play the video, or this installation delivers none. */
  thumbnailUrl: nullable(text('VideoThumbnailAddress', { maxLength: 2_000 })),
});
export type Video = TypeOf<typeof Video>;

const fieldsOf = toResponseOf(Video);

/** An address opens all of what it is signed for, so it is for viewers that may play the video. */
const thumbnailUrl = (
  reading: VideoReading,
  { tenantId: tenant, videoId, foundPoster, chosenPoster }: VideoRow,
): string | null => {
  const name = chosenPoster ?? foundPoster;
  const [, generation] = /^g(\d+)\//.exec(name ?? '') ?? [];
  if (name === null || generation === undefined || !TenantId.is(tenant)) return null;
  const base = signedBase(reading, { tenant, videoId }, Number(generation));
  return base === undefined ? null : `${base}${name.slice(generationName(Number(generation)).length)}`;
};

export const displayVideo =
  (reading: VideoReading, mayPlay: boolean) =>
  (row: VideoRow): Video =>
    fieldsOf({ ...row, thumbnailUrl: mayPlay ? thumbnailUrl(reading, row) : null });
