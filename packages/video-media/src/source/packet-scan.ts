/** Folds ffprobe's lines of packets to the times of a video stream. */
import type { VideoTiming } from './source-description';

interface PacketScan {
  /** Times in ticks of the stream's time base. */
  readonly timing: Omit<VideoTiming, 'timescale'>;
  /** Between two frames, as presented; 0 with one frame. */
  readonly shortestGap: number;
  readonly longestGap: number;
  readonly isEncrypted: boolean;
}

/** How many frames may be presented out of the order in which they are stored: H.264 and HEVC allow 16. */
const reorderDepth = 32;

const numberIn = (line: string, name: string): number | undefined => {
  const found = new RegExp(`(?:^|\\|)${name}=(-?\\d+)`).exec(line);
  return found === null ? undefined : Number(found[1]);
};

/** Add each line; `result` is undefined while no frame was presented. */
export const packetScan = () => {
  const keyframes: number[] = [];
  const waiting: number[] = [];
  let [frameCount, hiddenFrames, startTicks, endTicks] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [shortestGap, longestGap] = [Number.POSITIVE_INFINITY, 0];
  let isEncrypted = false;
  let [lastTicks, lastDuration]: [number | undefined, number] = [undefined, 0];

  const present = (ticks: number): void => {
    if (lastTicks !== undefined && ticks > lastTicks) {
      shortestGap = Math.min(shortestGap, ticks - lastTicks);
      longestGap = Math.max(longestGap, ticks - lastTicks);
    }
    lastTicks = ticks;
  };

  return {
    add: (line: string): void => {
      const ticks = numberIn(line, 'pts') ?? numberIn(line, 'dts');
      if (line.includes('Encryption info')) isEncrypted = true;
      if (ticks === undefined) return;
      const flags = /(?:^|\|)flags=(\S{2,3})/.exec(line)?.[1] ?? '';
      if (flags[1] === 'D') {
        hiddenFrames++;
        return;
      }
      const duration = numberIn(line, 'duration') ?? lastDuration;
      lastDuration = duration;
      frameCount++;
      startTicks = Math.min(startTicks, ticks);
      endTicks = Math.max(endTicks, ticks + duration);
      if (flags[0] === 'K') keyframes.push(ticks);
      const at = waiting.findLastIndex((other) => other <= ticks) + 1;
      waiting.splice(at, 0, ticks);
      const next = waiting.length > reorderDepth ? waiting.shift() : undefined;
      if (next !== undefined) present(next);
    },
    result: (): PacketScan | undefined => {
      for (const ticks of waiting.splice(0)) present(ticks);
      if (frameCount === 0) return undefined;
      return {
        timing: { startTicks, endTicks, frameCount, keyframes, hiddenFrames },
        shortestGap: longestGap === 0 ? 0 : shortestGap,
        longestGap,
        isEncrypted,
      };
    },
  };
};

export type { PacketScan };
