/** Counts a page of heartbeats, in their order, from what is known of their playbacks and viewers. */
import type { Instant } from '../../../domain/kernel/codec';
import { countHeartbeat } from '../../../domain/video/views/count-heartbeat';
import { addViews, noViews } from '../../../domain/video/views/events';
import { isGuest } from '../../../domain/video/views/guest';
import type { ReceivedHeartbeat } from '../../../infra/ports/video/heartbeats';
import type {
  CountedPage,
  CountedViewer,
  KnownCounts,
  KnownPlayback,
  MinuteViews,
  ViewerName,
  WatchPosition,
} from '../../../infra/ports/video/view-counts';

const viewerKey = ({ tenant, videoId, viewerId }: ViewerName): string => JSON.stringify([tenant, videoId, viewerId]);

const minuteOf = (milliseconds: number): Instant =>
  `${new Date(milliseconds).toISOString().slice(0, 16)}:00.000Z` as Instant;

export const countPage = (known: KnownCounts, heartbeats: readonly ReceivedHeartbeat[]): CountedPage => {
  const before = new Map(known.playbacks.map((one) => [one.sessionId, one.count]));
  const viewedBefore = new Map(known.viewers.map((one) => [viewerKey(one), one.viewedAt]));
  const playbacks = new Map<string, KnownPlayback>();
  const viewers = new Map<string, CountedViewer>();
  const positions = new Map<string, WatchPosition>();
  const minutes = new Map<string, MinuteViews>();
  for (const heartbeat of heartbeats) {
    const { tenant, videoId, viewerId, sessionId, expiresAt, receivedAt } = heartbeat;
    const viewer = { tenant, videoId, viewerId };
    const key = viewerKey(viewer);
    const playback = playbacks.get(sessionId)?.count ?? before.get(sessionId);
    const viewedAt = viewers.get(key)?.viewedAt ?? viewedBefore.get(key);
    const counted = countHeartbeat({ playback, viewedAt }, heartbeat);
    playbacks.set(sessionId, { sessionId, expiresAt, count: counted.playback });
    if (counted.viewedAt !== undefined && counted.viewedAt !== viewedAt)
      viewers.set(key, { ...viewer, viewedAt: counted.viewedAt });
    // A heartbeat that was overtaken does not move the viewer back; strangers' browsers remember where they were.
    if (!isGuest(viewerId) && counted.playback.sequence === heartbeat.sequence && counted.playback !== playback)
      positions.set(key, {
        ...viewer,
        positionMilliseconds: heartbeat.position,
        durationMilliseconds: heartbeat.duration,
        watchedAt: receivedAt,
      });
    const minute = minuteOf(receivedAt);
    const minuteKey = JSON.stringify([tenant, videoId, minute]);
    const sums = addViews(minutes.get(minuteKey)?.sums ?? noViews, counted.added);
    minutes.set(minuteKey, { tenant, videoId, minute, sums });
  }
  return {
    playbacks: [...playbacks.values()],
    viewers: [...viewers.values()],
    positions: [...positions.values()],
    minutes: [...minutes.values()],
  };
};
