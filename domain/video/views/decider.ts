/** Adds what was watched to the sums of a video. The last event has the whole state, so a stream is read from near its end. */
import { right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { VideoId } from '../ids';
import { addViews, dayOf, hasViews, noViews, type VideoViewsEvent, type ViewSums, videoViews } from './events';

export interface AddViews {
  readonly type: 'AddViews';
  readonly videoId: VideoId;
  /** Of the heartbeats' arrival. */
  readonly minute: Instant;
  readonly added: ViewSums;
}

export interface VideoViewsState {
  /** Undefined before the first event. */
  readonly minute: Instant | undefined;
  readonly minuteSums: ViewSums;
  readonly daySums: ViewSums;
  readonly totalSums: ViewSums;
}

/** A clock that was set back does not lead back to an earlier minute: its sums are known no longer. */
const minuteAfter = ({ minute: last }: VideoViewsState, minute: Instant): Instant =>
  last !== undefined && last > minute ? last : minute;

export const videoViewing: Decider<AddViews, VideoViewsState, VideoViewsEvent, never> = {
  family: videoViews,
  initial: { minute: undefined, minuteSums: noViews, daySums: noViews, totalSums: noViews },
  evolve: (_, { data: { minute, minuteSums, daySums, totalSums } }) => ({ minute, minuteSums, daySums, totalSums }),
  decide: ({ videoId, added, ...command }, state) => {
    if (!hasViews(added)) return right([]);
    const minute = minuteAfter(state, command.minute);
    const isSameDay = state.minute !== undefined && dayOf(state.minute) === dayOf(minute);
    const data = {
      ...{ videoId, minute },
      minuteSums: addViews(state.minute === minute ? state.minuteSums : noViews, added),
      daySums: addViews(isSameDay ? state.daySums : noViews, added),
      totalSums: addViews(state.totalSums, added),
    };
    return right([{ type: 'ViewsAggregated', data }]);
  },
};
