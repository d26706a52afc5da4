/**
 * When what is committed is told: to a few at once, to many in beats, for then what is said to each of them costs more than all else.
 * Who is answered between two beats is told before.
 */
import { joined } from '../owner/frames';
import type { Frame } from '../owner/told';

export interface Beat {
  /** Something new, or another scene altogether. */
  readonly hear: (frame: Frame | undefined) => void;
  /** Tells what waits. */
  readonly close: () => void;
}

export interface BeatOptions {
  readonly listeners: () => number;
  readonly tell: (frame: Frame | undefined) => void;
  readonly now?: () => number;
}

/** So many are told at once. */
export const few = 8;
/** Thirty a second: what others do still looks as if it moved. */
export const beatMilliseconds = 33;

export const openBeat = ({ listeners, tell, now = () => performance.now() }: BeatOptions): Beat => {
  let waiting: Frame[] = [];
  let toldAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const beat = (): void => {
    clearTimeout(timer);
    timer = undefined;
    toldAt = now();
    const frames = waiting;
    waiting = [];
    for (const frame of joined(frames)) tell(frame);
  };
  return {
    close: beat,
    hear: (frame) => {
      if (frame === undefined) {
        beat();
        return tell(undefined);
      }
      waiting.push(frame);
      const pause = listeners() <= few ? 0 : toldAt + beatMilliseconds - now();
      if (pause <= 0) beat();
      else timer ??= setTimeout(beat, pause);
    },
  };
};
