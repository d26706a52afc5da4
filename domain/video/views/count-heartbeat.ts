/** The rule by which views are counted: what one heartbeat adds, given what is known of its playback and its viewer. */
import type { Heartbeat, PlaybackCount } from '../protocol/playback';
import { filmParts, noViews, type ViewSums } from './events';

export const viewRule = {
  watched: 30_000,
  /** Below twice of `watched`, half of the film is enough. */
  shareOfShortFilm: 0.5,
  viewerWindow: 24 * 3_600_000,
  /** What a heartbeat may be credited beyond the time since the one before: networks delay some. */
  slack: 5_000,
  /** A playback that claims more than this multiple of the elapsed time, and some, is suspicious: clocks that are set back make honest ones seem so, a little. */
  claimedShare: 2,
  tolerance: 60_000,
} as const;

const watchedForView = (duration: number): number =>
  duration === 0 ? viewRule.watched : Math.min(viewRule.watched, duration * viewRule.shareOfShortFilm);

const begun = ({ issuedAt }: Heartbeat): PlaybackCount => ({
  sequence: -1,
  receivedAt: issuedAt,
  claimed: 0,
  credited: 0,
  reached: 0,
  isPlay: false,
  isSuspicious: false,
});

const partAt = (position: number, duration: number): number =>
  Math.min(filmParts - 1, Math.max(0, Math.floor((position / duration) * filmParts)));

/** What was played ends at the position. After a seek it is not known where it began: only the position's part counts. */
const reachedParts = ({ position, duration, seeks }: Heartbeat, credit: number): number => {
  if (duration === 0 || credit === 0) return 0;
  const last = partAt(position, duration);
  let parts = 0;
  for (let part = seeks > 0 ? last : partAt(position - credit, duration); part <= last; part += 1) parts |= 1 << part;
  return parts;
};

export interface CountedHeartbeat {
  readonly playback: PlaybackCount;
  /** When the viewer's last view of the video was counted. */
  readonly viewedAt: number | undefined;
  readonly added: ViewSums;
}

interface KnownBefore {
  /** Undefined: the first heartbeat of its playback. */
  readonly playback: PlaybackCount | undefined;
  readonly viewedAt: number | undefined;
}

const partsIn = (bits: number): readonly number[] =>
  Array.from({ length: filmParts }, (_, part) => ((bits >> part) & 1) as number);

export const countHeartbeat = (known: KnownBefore, heartbeat: Heartbeat): CountedHeartbeat => {
  const { sequence, watched, issuedAt, receivedAt } = heartbeat;
  const before = known.playback ?? begun(heartbeat);
  const { viewedAt } = known;
  if (sequence <= before.sequence) return { playback: before, viewedAt, added: { ...noViews, shadowHeartbeats: 1 } };
  const elapsed = Math.max(0, receivedAt - issuedAt);
  const sinceLast = Math.max(0, receivedAt - before.receivedAt);
  const credit = Math.max(0, Math.min(watched, sinceLast + viewRule.slack, elapsed - before.credited));
  const claimed = before.claimed + watched;
  const isSuspicious = before.isSuspicious || claimed > elapsed * viewRule.claimedShare + viewRule.tolerance;
  const credited = before.credited + credit;
  const isPlay = before.isPlay || credited >= watchedForView(heartbeat.duration);
  const isNewPlay = isPlay && !before.isPlay;
  const reached = before.reached | reachedParts(heartbeat, credit);
  const playback = {
    ...{ sequence, claimed, credited, reached, isPlay, isSuspicious },
    receivedAt: Math.max(receivedAt, before.receivedAt),
  };
  if (isSuspicious) {
    const added = { ...noViews, shadowPlays: Number(isNewPlay), shadowMilliseconds: credit };
    return { playback, viewedAt, added };
  }
  const isView = isNewPlay && (viewedAt === undefined || receivedAt - viewedAt >= viewRule.viewerWindow);
  const added = {
    ...noViews,
    plays: Number(isNewPlay),
    viewers: Number(isView),
    playbacks: Number(known.playback === undefined),
    watchedMilliseconds: credit,
    bufferingEvents: heartbeat.bufferingEvents,
    seeks: heartbeat.seeks,
    reached: partsIn(reached & ~before.reached),
  };
  return { playback, viewedAt: isView ? receivedAt : viewedAt, added };
};
