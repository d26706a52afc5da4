/** Events of the views of a video: sums over some seconds, never single heartbeats. */
import type { TypeOf } from 'io-ts';
import { Instant, integer, listOf, record } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { VideoId } from '../ids';

const count = integer(0);

/** Parts of a film of equal length, by which statistics show how far viewers got. */
export const filmParts = 10;

/** What playbacks of a video add up to, over a minute, a day, or since the video is there. */
export const ViewSums = record('ViewSums', {
  /** Playbacks that met the rule. */
  plays: count,
  /** Plays of persons who had no other one of the video in the 24 hours before: what `videos.views` adds up. */
  viewers: count,
  /** Playbacks that sent a heartbeat, however short. */
  playbacks: count,
  watchedMilliseconds: count,
  bufferingEvents: count,
  seeks: count,
  /** Playbacks that watched something of each tenth of the film. */
  reached: listOf('ReachedParts', count, filmParts, filmParts),
  /** Of playbacks that claim more than time allows: in none of the numbers above. */
  shadowPlays: count,
  shadowMilliseconds: count,
  /** Heartbeats whose sequence number is not beyond the last one. */
  shadowHeartbeats: count,
});
export type ViewSums = TypeOf<typeof ViewSums>;

export const noViews: ViewSums = {
  plays: 0,
  viewers: 0,
  playbacks: 0,
  watchedMilliseconds: 0,
  bufferingEvents: 0,
  seeks: 0,
  reached: Array.from({ length: filmParts }, () => 0),
  shadowPlays: 0,
  shadowMilliseconds: 0,
  shadowHeartbeats: 0,
};

export const addViews = (one: ViewSums, other: ViewSums): ViewSums => ({
  plays: one.plays + other.plays,
  viewers: one.viewers + other.viewers,
  playbacks: one.playbacks + other.playbacks,
  watchedMilliseconds: one.watchedMilliseconds + other.watchedMilliseconds,
  bufferingEvents: one.bufferingEvents + other.bufferingEvents,
  seeks: one.seeks + other.seeks,
  reached: one.reached.map((reached, part) => reached + (other.reached[part] ?? 0)),
  shadowPlays: one.shadowPlays + other.shadowPlays,
  shadowMilliseconds: one.shadowMilliseconds + other.shadowMilliseconds,
  shadowHeartbeats: one.shadowHeartbeats + other.shadowHeartbeats,
});

export const hasViews = (sums: ViewSums): boolean =>
  Object.values(sums).some((value) => (typeof value === 'number' ? value > 0 : value.some((each) => each > 0)));

export const videoViews = aggregate(
  { context: 'video', name: 'views', id: VideoId },
  {
    /** All sums are those so far: what an event adds is the difference to the one before. */
    ViewsAggregated: {
      v: 1,
      data: {
        videoId: VideoId,
        /** Begins the minute. A minute has several events while it lasts; minutes only increase. */
        minute: Instant,
        minuteSums: ViewSums,
        /** Of the UTC day of the minute. */
        daySums: ViewSums,
        totalSums: ViewSums,
      },
    },
  },
);
export type VideoViewsEvent = typeof videoViews.Event;

export const videoViewsStream = videoViews.stream;

/** Of a minute: the beginning of its day. */
export const dayOf = (minute: Instant): Instant => `${minute.slice(0, 10)}T00:00:00.000Z` as Instant;
