/** The controller of the player, and the one that hls.js brings, as the simulation calls them. */
import Hls, { type AbrController } from 'hls.js';
import {
  afterSegment,
  chooseVariant,
  initialAbrState,
  isAbandoned,
  measureSpeed,
} from '../../../read-api/web/video/player/abr/controller';
import type { Film, Policy } from './simulation';

export const ownPolicy = ({ bitRates, segmentSeconds }: Film): Policy => {
  let state = initialAbrState;
  let speedOf = measureSpeed();
  return {
    choose: (_now, bufferSeconds) => chooseVariant(state, { bitRates, bufferSeconds, segmentSeconds }),
    started: () => {
      speedOf = measureSpeed();
    },
    abandons: ({ now, ...loading }) => {
      const speed = speedOf(now, loading.loadedBits);
      const minimumBits = (bitRates[0] ?? 0) * segmentSeconds;
      const ends = isAbandoned({ ...loading, speed, minimumBits });
      if (ends) state = afterSegment(state, { ...loading, speed });
      return ends;
    },
    loaded: ({ variant, bufferSeconds, loadedBits, startedAt, now }) => {
      state = afterSegment(state, { variant, bufferSeconds, speed: loadedBits / (now - startedAt) });
    },
  };
};

interface Timer {
  readonly act: () => void;
  readonly milliseconds: number;
  at: number;
}

/** The parts of a browser that the controller of hls.js reads: a clock, and timers that the simulation runs. */
const simulatedClock = () => {
  let milliseconds = 1_000;
  let lastId = 0;
  const timers = new Map<number, Timer>();
  const setInterval = (act: () => void, every: number): number => {
    lastId += 1;
    timers.set(lastId, { act, milliseconds: every, at: milliseconds + every });
    return lastId;
  };
  const clearInterval = (id: number): void => void timers.delete(id);
  const advance = (seconds: number): void => {
    milliseconds = 1_000 + seconds * 1_000;
    for (const timer of timers.values())
      if (timer.at <= milliseconds) {
        timer.at = milliseconds + timer.milliseconds;
        timer.act();
      }
  };
  const use = <Result>(run: () => Result): Result => {
    const before = { now: performance.now, self: Reflect.get(globalThis, 'self') as unknown };
    performance.now = () => milliseconds;
    Object.assign(globalThis, { self: { setInterval, clearInterval } });
    try {
      return run();
    } finally {
      performance.now = before.now;
      Object.assign(globalThis, { self: before.self });
    }
  };
  return { advance, use };
};

const millisecondsOf = (seconds: number): number => 1_000 + seconds * 1_000;

/** Its own controller with its own settings, on a player that has only what the controller reads. */
export const hlsPolicy = ({ bitRates, segmentSeconds }: Film): Policy => {
  const clock = simulatedClock();
  const nothing = (): void => undefined;
  const log = { trace: nothing, debug: nothing, log: nothing, warn: nothing, info: nothing, error: nothing };
  const details = { live: false, averagetargetduration: segmentSeconds };
  const levels = bitRates.map((rate) => ({
    ...{ bitrate: rate, maxBitrate: rate, averageBitrate: rate, codecSet: 'avc1', videoRange: 'SDR', frameRate: 25 },
    ...{ loadError: 0, fragmentError: 0, details, supportedResult: { supported: true } },
  }));
  let controller: AbrController;
  const player = {
    ...{ logger: log, config: { ...Hls.DefaultConfig }, on: nothing, off: nothing, trigger: nothing, levels },
    ...{ allAudioTracks: [], media: { playbackRate: 1, paused: false, readyState: 4 }, latestLevelDetails: details },
    ...{ minAutoLevel: 0, maxAutoLevel: levels.length - 1, autoLevelEnabled: true, firstLevel: 0, loadLevel: -1 },
    mainForwardBufferInfo: { len: 0 },
    get loadLevelObj(): object | undefined {
      return levels[player.loadLevel];
    },
    set nextAutoLevel(level: number) {
      controller.nextAutoLevel = level;
    },
    set nextLoadLevel(level: number) {
      player.loadLevel = level;
      controller.nextAutoLevel = level;
    },
  };
  controller = new Hls.DefaultConfig.abrController(player as never);
  const call = (name: 'onFragLoading' | 'onFragLoaded' | 'onFragBuffered', data: object): void =>
    (Reflect.get(controller, name) as (event: string, given: object) => void).call(controller, name, data);
  let isAborted = false;
  let frag = {};
  let stats = { loading: { start: 0, first: 0, end: 0 }, parsing: { end: 0 }, loaded: 0, total: 0, aborted: false };
  return {
    choose: (now, bufferSeconds) =>
      clock.use(() => {
        clock.advance(now);
        player.mainForwardBufferInfo = { len: bufferSeconds };
        player.loadLevel = controller.nextAutoLevel;
        return player.loadLevel;
      }),
    started: ({ variant, startedAt, expectedBits }) =>
      clock.use(() => {
        isAborted = false;
        stats = {
          ...{ loading: { start: millisecondsOf(startedAt), first: 0, end: 0 }, parsing: { end: 0 } },
          ...{ loaded: 0, total: expectedBits / 8, aborted: false },
        };
        frag = {
          ...{ type: 'main', sn: 1, level: variant, duration: segmentSeconds, bitrate: bitRates[variant], stats },
          abortRequests: () => {
            isAborted = true;
          },
        };
        call('onFragLoading', { frag });
      }),
    abandons: ({ now, firstAt, loadedBits, bufferSeconds }) =>
      clock.use(() => {
        stats.loaded = loadedBits / 8;
        if (firstAt !== undefined) stats.loading.first = millisecondsOf(firstAt);
        player.mainForwardBufferInfo = { len: bufferSeconds };
        clock.advance(now);
        return isAborted;
      }),
    loaded: ({ now, firstAt = now, loadedBits, bufferSeconds }) =>
      clock.use(() => {
        stats.loaded = loadedBits / 8;
        stats.loading = { ...stats.loading, first: millisecondsOf(firstAt), end: millisecondsOf(now) };
        stats.parsing.end = millisecondsOf(now);
        player.mainForwardBufferInfo = { len: bufferSeconds };
        clock.advance(now);
        call('onFragLoaded', { frag });
        call('onFragBuffered', { frag });
      }),
  };
};
