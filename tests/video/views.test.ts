/** The sums of a video's views: each event has all of them so far. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import type { Instant } from '../../domain/kernel/codec';
import { fold } from '../../domain/kernel/decider';
import type { VideoId } from '../../domain/video/ids';
import { type AddViews, videoViewing } from '../../domain/video/views/decider';
import { addViews, dayOf, noViews, type VideoViewsEvent, type ViewSums } from '../../domain/video/views/events';
import { given } from '../kernel/domain/given-when-then';

const videoId = 'v-1' as VideoId;
const of = (plays: number): ViewSums => ({ ...noViews, plays, watchedMilliseconds: plays * 30_000 });
const add = (minute: string, added: ViewSums): AddViews => ({
  ...{ type: 'AddViews', videoId, minute: `2026-01-${minute}:00.000Z` as Instant, added },
});
const aggregated = (minute: string, sums: readonly [minute: number, day: number, total: number]): VideoViewsEvent => ({
  type: 'ViewsAggregated',
  data: {
    ...{ videoId, minute: `2026-01-${minute}:00.000Z` as Instant },
    ...{ minuteSums: of(sums[0]), daySums: of(sums[1]), totalSums: of(sums[2]) },
  },
});

describe('the views of a video', () => {
  const first = aggregated('31T23:58', [2, 2, 2]);

  it('add up within a minute, a day, and in all', () => {
    given(videoViewing)
      .when(add('31T23:58', of(2)))
      .then(first);
    given(videoViewing, first)
      .when(add('31T23:58', of(3)))
      .then(aggregated('31T23:58', [5, 5, 5]));
    given(videoViewing, first)
      .when(add('31T23:59', of(3)))
      .then(aggregated('31T23:59', [3, 5, 5]));
  });

  it('begin again with the day, but not in all', () =>
    given(videoViewing, aggregated('30T23:59', [1, 4, 9]))
      .when(add('31T00:00', of(2)))
      .then(aggregated('31T00:00', [2, 2, 11])));

  it('stay in the last minute when a clock was set back', () =>
    given(videoViewing, first)
      .when(add('30T10:00', of(1)))
      .then(aggregated('31T23:58', [3, 3, 3])));

  it('leave no event where nothing was watched', () =>
    given(videoViewing, first).when(add('31T23:59', noViews)).thenNothing());

  it('are in all what was added, and on each day what was added on it', () => {
    const minutes = fc
      .integer({ min: 0, max: 4_000 })
      .map((minute) => new Date(minute * 60_000).toISOString() as Instant);
    const commands = fc.array(fc.tuple(minutes, fc.integer({ min: 0, max: 5 })), { maxLength: 40 });
    fc.assert(
      fc.property(commands, (added) => {
        const events: VideoViewsEvent[] = [];
        const byDay = new Map<string, ViewSums>();
        let total = noViews;
        let latest = '' as Instant;
        for (const [minute, plays] of added) {
          const state = fold(videoViewing, videoViewing.initial, events);
          const decided = videoViewing.decide({ type: 'AddViews', videoId, minute, added: of(plays) }, state);
          assert.ok(!isLeft(decided));
          events.push(...decided.right);
          if (plays === 0) continue;
          latest = latest > minute ? latest : minute;
          total = addViews(total, of(plays));
          byDay.set(dayOf(latest), addViews(byDay.get(dayOf(latest)) ?? noViews, of(plays)));
          const { data } = events.at(-1) ?? assert.fail();
          assert.deepEqual([data.minute, data.totalSums, data.daySums], [latest, total, byDay.get(dayOf(latest))]);
        }
      }),
    );
  });
});
