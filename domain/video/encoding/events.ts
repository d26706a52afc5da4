/** Events of an encoding: renditions of one generation of a video that are made of one decoding, in groups of segments. */
import type * as t from 'io-ts';
import { integer, listOf } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { idOf } from '../../kernel/ids';
import { VideoDigest } from '../digest';
import { VideoId } from '../ids';
import { type Rendition, Renditions } from '../video/events';

export const EncodingId = idOf('VideoEncodingId');
export type EncodingId = t.TypeOf<typeof EncodingId>;

export const encodingIdOf = (videoId: VideoId, generation: number, renditions: readonly Rendition[]): EncodingId =>
  [videoId, `g${generation}`, ...renditions.map(({ resolution, codec }) => `${resolution}-${codec}`)].join(
    '_',
  ) as EncodingId;

/** Of the longest film: a day in groups of half a minute. */
const maxGroups = 4_000;

const of = { videoId: VideoId, generation: integer(1) };

export const encodings = aggregate(
  { context: 'video', name: 'encoding', id: EncodingId },
  {
    EncodingPlanned: { v: 1, data: { ...of, renditions: Renditions, groupCount: integer(1, maxGroups) } },
    /** Descriptions of the packaged group, in the order of the renditions. */
    GroupEncoded: {
      v: 1,
      data: { ...of, group: integer(0, maxGroups), tracks: listOf('EncodedGroupTracks', VideoDigest, 12, 1) },
    },
    /** After a failure or a wait: what is still missing is done again. */
    EncodingResumed: {
      v: 1,
      data: { ...of, renditions: Renditions, groups: listOf('ResumedGroups', integer(0, maxGroups), maxGroups) },
    },
    EncodingCompleted: { v: 1, data: { ...of, renditions: Renditions } },
  },
);
export type EncodingEvent = typeof encodings.Event;

export const { stream: encodingStream } = encodings;
