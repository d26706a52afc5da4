/** Lets `controller.ts` choose for hls.js: measures segments of the picture, and what is ahead in the media element. */
import Hls, {
  type AbrComponentAPI,
  type FragBufferedData,
  type FragLoadedData,
  type FragLoadingData,
  type Fragment,
  type LoadStats,
} from 'hls.js';
import { secondsAhead } from '../media';
import { type AbrState, afterSegment, chooseVariant, initialAbrState, isAbandoned, measureSpeed } from './controller';

const checkMilliseconds = 100;
const usualSegmentSeconds = 6;

const isMeasured = ({ type, sn }: Fragment): boolean => type === 'main' && sn !== 'initSegment';

/** Chromium names it; elsewhere a cached segment counts as a fast one. */
const isFromCache = (url: string): boolean => {
  const entry = performance.getEntriesByName(url, 'resource').at(-1);
  return entry !== undefined && Reflect.get(entry, 'deliveryType') === 'cache';
};

const bitsPerSecond = ({ loaded, loading }: LoadStats): number =>
  (loaded * 8) / (Math.max(1, loading.end - loading.start) / 1_000);

interface LoadingFragment {
  readonly fragment: Fragment;
  readonly speedOf: ReturnType<typeof measureSpeed>;
}

/** Variants of hls.js are its levels, ascending. */
export class HlsController implements AbrComponentAPI {
  private readonly hls: Hls;
  /** Variants in it are levels. */
  private state: AbrState = initialAbrState;
  /** What hls.js sets for one segment, as after an error. */
  private forced = -1;
  private loading: LoadingFragment | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(hls: Hls) {
    this.hls = hls;
    hls.on(Hls.Events.MANIFEST_LOADING, this.reset, this);
    hls.on(Hls.Events.FRAG_LOADING, this.begin, this);
    hls.on(Hls.Events.FRAG_LOADED, this.loaded, this);
    hls.on(Hls.Events.FRAG_BUFFERED, this.buffered, this);
  }

  destroy(): void {
    const { hls } = this;
    this.end();
    hls.off(Hls.Events.MANIFEST_LOADING, this.reset, this);
    hls.off(Hls.Events.FRAG_LOADING, this.begin, this);
    hls.off(Hls.Events.FRAG_LOADED, this.loaded, this);
    hls.off(Hls.Events.FRAG_BUFFERED, this.buffered, this);
  }

  resetEstimator(): void {
    this.state = initialAbrState;
  }

  get firstAutoLevel(): number {
    return this.choose();
  }

  get forcedAutoLevel(): number {
    return this.forced;
  }

  get nextAutoLevel(): number {
    return this.forced === -1 ? this.choose() : this.forced;
  }

  set nextAutoLevel(level: number) {
    this.forced = level;
  }

  private get bufferSeconds(): number {
    const { media } = this.hls;
    return media === null ? 0 : secondsAhead(media) / (media.playbackRate || 1);
  }

  /** Without failed ones, unless all failed. */
  private levels(): readonly number[] {
    const all = this.hls.levels.map((_, index) => index);
    const sound = all.filter((index) => this.hls.levels[index]?.fragmentError === 0);
    return sound.length > 0 ? sound : all;
  }

  private choose(): number {
    const { hls, state } = this;
    const levels = this.levels();
    const rate = hls.media?.playbackRate ?? 1;
    const { last } = state;
    const variant = last === undefined ? 0 : levels.findLastIndex((level) => level <= last.variant);
    const chosen = chooseVariant(last === undefined ? state : { ...state, last: { ...last, variant } }, {
      bitRates: levels.map((level) => (hls.levels[level]?.bitrate ?? 0) * rate),
      bufferSeconds: this.bufferSeconds,
      segmentSeconds: hls.latestLevelDetails?.averagetargetduration ?? usualSegmentSeconds,
    });
    return levels[chosen] ?? 0;
  }

  private reset(): void {
    this.end();
    this.state = initialAbrState;
    this.forced = -1;
  }

  private end(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.loading = undefined;
  }

  private begin(_event: string, { frag }: FragLoadingData): void {
    if (!isMeasured(frag)) return;
    this.end();
    this.loading = { fragment: frag, speedOf: measureSpeed() };
    this.timer = setInterval(() => this.check(), checkMilliseconds);
  }

  private check(): void {
    const { hls, loading } = this;
    if (loading === undefined || !hls.autoLevelEnabled) return;
    const { fragment, speedOf } = loading;
    const { stats, level: variant, duration } = fragment;
    const loadedBits = stats.loaded * 8;
    const bitsOf = (level: number): number => (hls.levels[level]?.averageBitrate ?? 0) * duration;
    const speed = speedOf(performance.now() / 1_000, loadedBits);
    const { bufferSeconds } = this;
    const expectedBits = stats.total > 0 ? stats.total * 8 : bitsOf(variant);
    const minimumBits = bitsOf(this.levels()[0] ?? 0);
    if (!isAbandoned({ variant, bufferSeconds, speed, loadedBits, expectedBits, minimumBits })) return;
    this.end();
    this.state = afterSegment(this.state, { variant, speed, bufferSeconds });
    this.forced = -1;
    fragment.abortRequests();
    hls.trigger(Hls.Events.FRAG_LOAD_EMERGENCY_ABORTED, { frag: fragment, part: null, stats });
  }

  private loaded(_event: string, { frag }: FragLoadedData): void {
    if (!isMeasured(frag)) return;
    this.end();
    if (frag.level === this.forced) this.forced = -1;
  }

  private buffered(_event: string, { frag, stats }: FragBufferedData): void {
    if (!isMeasured(frag) || stats.aborted) return;
    const speed = isFromCache(frag.url) ? undefined : bitsPerSecond(stats);
    this.state = afterSegment(this.state, { variant: frag.level, speed, bufferSeconds: this.bufferSeconds });
  }
}
