/** What a media element is doing, as of its last event. */
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export interface MediaSnapshot {
  readonly isPaused: boolean;
  readonly isEnded: boolean;
  /** It plays, and waits for a segment. */
  readonly isWaiting: boolean;
  readonly hasBegun: boolean;
  readonly seconds: number;
  /** 0 until it is known. */
  readonly duration: number;
  /** Up to where the film is loaded from here. */
  readonly bufferedEnd: number;
  readonly volume: number;
  readonly isMuted: boolean;
  readonly rate: number;
}

const initialSnapshot: MediaSnapshot = {
  ...{ isPaused: true, isEnded: false, isWaiting: false, hasBegun: false, seconds: 0, duration: 0, bufferedEnd: 0 },
  ...{ volume: 1, isMuted: false, rate: 1 },
};

const events = [
  ...['play', 'playing', 'pause', 'ended', 'waiting', 'seeking', 'seeked', 'timeupdate', 'durationchange'],
  ...['progress', 'volumechange', 'ratechange', 'loadedmetadata', 'canplay', 'emptied'],
];

const bufferedEndOf = ({ buffered, currentTime }: HTMLMediaElement): number => {
  for (let index = 0; index < buffered.length; index += 1)
    if (buffered.start(index) <= currentTime + 0.1 && buffered.end(index) > currentTime) return buffered.end(index);
  return currentTime;
};

const snapshotOf = (media: HTMLMediaElement, before: MediaSnapshot): MediaSnapshot => {
  const { paused, ended, readyState, currentTime, duration, volume, muted, playbackRate } = media;
  return {
    isPaused: paused,
    isEnded: ended,
    isWaiting: !paused && !ended && readyState < HTMLMediaElement.HAVE_FUTURE_DATA,
    hasBegun: before.hasBegun || !paused,
    seconds: currentTime,
    duration: Number.isFinite(duration) ? duration : 0,
    bufferedEnd: bufferedEndOf(media),
    volume,
    isMuted: muted,
    rate: playbackRate,
  };
};

export const useMedia = (media: RefObject<HTMLMediaElement | null>): MediaSnapshot => {
  const [snapshot, show] = useState(initialSnapshot);
  useEffect(() => {
    const { current } = media;
    if (current === null) return undefined;
    const leaving = new AbortController();
    const update = (): void => show((before) => snapshotOf(current, before));
    for (const event of events) current.addEventListener(event, update, { signal: leaving.signal });
    return () => leaving.abort();
  }, []);
  return snapshot;
};
