/**
 * Finds in a film's sound what is blocked. A fingerprint (chromaprint) has 32 bits of each eighth of a second, few of which change when sound is encoded again.
 * Equal items vote for how far one recording is shifted against the other; at the shifts with most votes, bits are compared window by window.
 */

/** A value per `itemSeconds`. */
export type Fingerprint = Uint32Array;

/** 4096 samples of 11,025 per second, two thirds of which overlap with the next. */
const itemSeconds = 4_096 / 3 / 11_025;

/** As ffmpeg writes it: 32 bits each, in the order of the machine, which is little-endian wherever this runs. */
export const readFingerprint = (bytes: Buffer): Fingerprint =>
  Uint32Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readUInt32LE(at * 4));

export interface FingerprintMatch {
  /** Position in the list of blocked ones. */
  readonly index: number;
  readonly filmSeconds: number;
  readonly blockedSeconds: number;
  readonly seconds: number;
  /** Share of bits that differ: 0.5 between unrelated sounds. */
  readonly errorRate: number;
}

const votingBits = 14;
const windowItems = 32;
const highestErrorRate = 0.32;
/** Sounds such as rain are alike at every shift: a copy is much more so at its own. */
const otherShifts = [11, 29] as const;
const highestShareOfOther = 0.8;
const triedShifts = 8;
/** Votes that unrelated sounds reach as well. */
const fewestVotes = 4;

/** What is shorter, such as a jingle, is in many films. A blocked recording that is shorter must be there nearly whole. */
const leastSeconds = 15;
const leastShare = 0.8;
const shortestSeconds = 6;

/** Silence and held tones repeat one value, and match others of their kind anywhere: of each run only the first counts. */
const isTelling = (print: Fingerprint, at: number): boolean => print[at] !== undefined && print[at] !== print[at - 1];

const votesOf = (value: number): number => value >>> (32 - votingBits);

interface BlockedPositions {
  /** Where the positions of a value begin; they end where those of the next begin. */
  readonly starts: Uint32Array;
  readonly positions: Uint32Array;
}

const indexPositions = (print: Fingerprint): BlockedPositions => {
  const starts = new Uint32Array(2 ** votingBits + 1);
  for (let at = 0; at < print.length; at++)
    if (isTelling(print, at)) {
      const value = votesOf(print[at] ?? 0) + 1;
      starts[value] = (starts[value] ?? 0) + 1;
    }
  for (let value = 1; value < starts.length; value++) starts[value] = (starts[value] ?? 0) + (starts[value - 1] ?? 0);
  const positions = new Uint32Array(starts.at(-1) ?? 0);
  const next = starts.slice();
  for (let at = 0; at < print.length; at++)
    if (isTelling(print, at)) {
      const value = votesOf(print[at] ?? 0);
      const position = next[value] ?? 0;
      positions[position] = at;
      next[value] = position + 1;
    }
  return { starts, positions };
};

/** Positions in the film less those in the blocked recording, the likeliest first. */
const likelyShifts = (film: Fingerprint, blocked: Fingerprint): readonly number[] => {
  const { starts, positions } = indexPositions(blocked);
  const votes = new Uint32Array(film.length + blocked.length);
  for (let at = 0; at < film.length; at++) {
    if (!isTelling(film, at)) continue;
    const value = votesOf(film[at] ?? 0);
    for (let next = starts[value] ?? 0; next < (starts[value + 1] ?? 0); next++) {
      const shift = at - (positions[next] ?? 0) + blocked.length;
      votes[shift] = (votes[shift] ?? 0) + 1;
    }
  }
  return [...votes.keys()]
    .filter((shift) => (votes[shift] ?? 0) >= fewestVotes)
    .toSorted((one, other) => (votes[other] ?? 0) - (votes[one] ?? 0))
    .slice(0, triedShifts)
    .map((shift) => shift - blocked.length);
};

const bitCount = (value: number): number => {
  const pairs = value - ((value >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

interface Run {
  /** In the blocked recording. */
  readonly first: number;
  readonly count: number;
  readonly errorRate: number;
}

interface Difference {
  readonly errors: number;
  readonly bits: number;
}

interface ComparedWindow {
  readonly film: Fingerprint;
  readonly blocked: Fingerprint;
  /** In the blocked recording. */
  readonly start: number;
  readonly end: number;
  readonly shift: number;
}

const differenceOf = ({ film, blocked, start, end, shift }: ComparedWindow): Difference => {
  let [errors, bits] = [0, 0];
  for (let at = start; at < end; at++)
    if (isTelling(blocked, at) && isTelling(film, at + shift)) {
      errors += bitCount((blocked[at] ?? 0) ^ (film[at + shift] ?? 0));
      bits += 32;
    }
  return { errors, bits };
};

const rateOf = ({ errors, bits }: Difference): number => (bits === 0 ? 1 : errors / bits);

/** The longest run of windows that are alike at a shift. */
const longestRun = (film: Fingerprint, blocked: Fingerprint, shift: number): Run => {
  const from = Math.max(0, -shift);
  const to = Math.min(blocked.length, film.length - shift);
  let best: Run = { first: from, count: 0, errorRate: 1 };
  let open: { first: number; count: number; errors: number; bits: number } | undefined;
  for (let start = from; start < to; start += windowItems) {
    const end = Math.min(to, start + windowItems);
    const window = { film, blocked, start, end };
    const own = differenceOf({ ...window, shift });
    const others = otherShifts.map((other) => rateOf(differenceOf({ ...window, shift: shift + other })));
    const otherRate = others.reduce((sum, rate) => sum + rate, 0) / others.length;
    // A window that is mostly silent proves nothing.
    const hasEnoughSound = own.bits * 4 >= (end - start) * 32;
    if (!hasEnoughSound || rateOf(own) > Math.min(highestErrorRate, otherRate * highestShareOfOther)) {
      open = undefined;
      continue;
    }
    open ??= { first: start, count: 0, errors: 0, bits: 0 };
    open.count += end - start;
    open.errors += own.errors;
    open.bits += own.bits;
    if (open.count > best.count) best = { first: open.first, count: open.count, errorRate: rateOf(open) };
  }
  return best;
};

const requiredItems = (blocked: Fingerprint): number =>
  Math.min(leastSeconds / itemSeconds, blocked.length * leastShare) - windowItems / 2;

/** The longest match with each blocked recording that is in the film, in the order of the list. */
export const matchFingerprints = (film: Fingerprint, blocked: readonly Fingerprint[]): readonly FingerprintMatch[] =>
  blocked.flatMap((print, index): readonly FingerprintMatch[] => {
    if (print.length * itemSeconds < shortestSeconds) return [];
    let best: (Run & { readonly shift: number }) | undefined;
    for (const shift of likelyShifts(film, print)) {
      const run = longestRun(film, print, shift);
      if (best === undefined || run.count > best.count) best = { ...run, shift };
    }
    if (best === undefined || best.count < requiredItems(print)) return [];
    const { first, count, errorRate, shift } = best;
    return [
      {
        ...{ index, errorRate, seconds: count * itemSeconds },
        ...{ filmSeconds: (first + shift) * itemSeconds, blockedSeconds: first * itemSeconds },
      },
    ];
  });
