/**
 * Chooses the variant of the next segment (specification, part C, section 4: adaptive bit rate). Pure: what was measured comes in, an index comes out.
 * Seconds of buffer are seconds of watching, so at twice the speed a buffer counts half and a variant twice.
 */

export const abrRules = {
  bufferTargetSeconds: 30,
  /** Of the speed of the last segment. */
  estimateFactor: 0.85,
  minimumBelowSeconds: 3,
  dropBelowSeconds: 10,
  stepUpAboveSeconds: 45,
} as const;

/** What is known of the segments that were loaded. */
export interface AbrState {
  /** Of the last segment, and how fast it came, in bits per second. Undefined: none was loaded yet. */
  readonly last: { readonly variant: number; readonly speed: number } | undefined;
  /** After the last segment. */
  readonly bufferSeconds: number;
  /** The last segment left more in the buffer than the one before. */
  readonly isRecovering: boolean;
}

export const initialAbrState: AbrState = { last: undefined, bufferSeconds: 0, isRecovering: false };

export interface LoadedSegment {
  readonly variant: number;
  /** Undefined: it came from the browser's cache and is no measure of the network. */
  readonly speed: number | undefined;
  readonly bufferSeconds: number;
}

export const afterSegment = (state: AbrState, { variant, speed, bufferSeconds }: LoadedSegment): AbrState => {
  const known = speed ?? state.last?.speed;
  return {
    last: known === undefined ? undefined : { variant, speed: known },
    bufferSeconds,
    isRecovering: bufferSeconds > state.bufferSeconds,
  };
};

export interface AbrSituation {
  /** Bits per second of each variant with its audio, ascending. */
  readonly bitRates: readonly number[];
  readonly bufferSeconds: number;
  readonly segmentSeconds: number;
}

/** Undefined: none was measured. */
export const estimatedSpeed = ({ last }: AbrState): number | undefined =>
  last === undefined ? undefined : last.speed * abrRules.estimateFactor;

/** The highest variant below the estimate, or the lowest of all. */
const affordableVariant = (bitRates: readonly number[], estimate: number): number =>
  Math.max(
    0,
    bitRates.findLastIndex((rate) => rate < estimate),
  );

/** A higher one takes longer than it lasts: only while the target stays reached. */
const stepUp = (affordable: number, estimate: number, { bitRates, bufferSeconds, segmentSeconds }: AbrSituation) => {
  const rate = bitRates[affordable + 1];
  if (rate === undefined) return affordable;
  const left = bufferSeconds + segmentSeconds - (segmentSeconds * rate) / estimate;
  return left >= abrRules.bufferTargetSeconds ? affordable + 1 : affordable;
};

/**
 * The first segment is of the lowest variant: it arrives first, and its speed is the first estimate. A drop repeats with each segment while the buffer
 * falls; while it recovers, the quality holds, so that one dip does not lead to the lowest variant.
 */
export const chooseVariant = (state: AbrState, situation: AbrSituation): number => {
  const { last } = state;
  const { bitRates, bufferSeconds } = situation;
  const estimate = estimatedSpeed(state);
  if (last === undefined || estimate === undefined || bufferSeconds < abrRules.minimumBelowSeconds) return 0;
  const affordable = affordableVariant(bitRates, estimate);
  if (bufferSeconds < abrRules.dropBelowSeconds)
    return Math.max(0, Math.min(affordable, state.isRecovering ? last.variant : last.variant - 1));
  return bufferSeconds > abrRules.stepUpAboveSeconds ? stepUp(affordable, estimate, situation) : affordable;
};

export interface LoadingSegment {
  readonly variant: number;
  readonly bufferSeconds: number;
  /** Of the last seconds, by `measureSpeed`. */
  readonly speed: number | undefined;
  readonly loadedBits: number;
  readonly expectedBits: number;
  /** Of the same segment in the lowest variant. */
  readonly minimumBits: number;
}

/**
 * A low buffer lowers the quality of a segment that is loading, too: where the buffer ends before it comes, and the lowest variant takes less time than
 * what is left of it. Without this a network that breaks down in the middle of a segment stalls the film, whatever is chosen next.
 */
export const isAbandoned = (loading: LoadingSegment): boolean => {
  const { variant, bufferSeconds, speed, loadedBits, expectedBits, minimumBits } = loading;
  if (variant === 0 || bufferSeconds >= abrRules.dropBelowSeconds || speed === undefined || speed === 0) return false;
  const leftBits = Math.max(0, expectedBits - loadedBits);
  return leftBits / speed > bufferSeconds && minimumBits < leftBits;
};

const measuredSeconds = 2;
const shortestSeconds = 0.5;

/** Of one segment that is loading, in bits per second: what came in the last two seconds. Undefined: it began a moment ago. */
export const measureSpeed = (): ((seconds: number, loadedBits: number) => number | undefined) => {
  let samples: readonly { readonly seconds: number; readonly loadedBits: number }[] = [];
  return (seconds, loadedBits) => {
    const recent = samples.filter((sample) => seconds - sample.seconds <= measuredSeconds);
    samples = [...recent, { seconds, loadedBits }];
    const [first] = samples;
    if (first === undefined || seconds - first.seconds < shortestSeconds) return undefined;
    return (loadedBits - first.loadedBits) / (seconds - first.seconds);
  };
};
