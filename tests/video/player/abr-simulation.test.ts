/** The controller over networks of several kinds, beside the one of hls.js. `ABR_TABLE=1` prints both. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hlsPolicy, ownPolicy } from './policies';
import { type Film, type Played, simulate, type Trace } from './simulation';

/** 360p to 1080p with audio, as a ladder has them. */
const film: Film = { bitRates: [850_000, 2_900_000, 5_600_000], segmentSeconds: 6, segments: 100 };

const between =
  (marks: readonly number[], everySeconds: number): Trace =>
  (seconds) =>
    marks[Math.floor(seconds / everySeconds) % marks.length] ?? 0;

/** In the shape of a bus ride over 3G: between 0.2 and 3 Mbit/s, with a tunnel. */
const mobile = [1.1, 1.6, 2.4, 3, 2.2, 1.4, 0.9, 0.6, 0.2, 0.3, 0.8, 1.3, 1.9, 2.6, 2.1, 1.2, 0.7, 1, 1.5, 2].map(
  (megabits) => megabits * 1_000_000,
);

const traces: Readonly<Record<string, Trace>> = {
  'constant 8 Mbit/s': () => 8_000_000,
  'constant 4 Mbit/s': () => 4_000_000,
  'constant 1.2 Mbit/s': () => 1_200_000,
  'step from 8 to 1.2 Mbit/s': (seconds) => (seconds < 60 ? 8_000_000 : 1_200_000),
  'between 6 and 1 Mbit/s each 10 s': between([6_000_000, 1_000_000], 10),
  'between 8 and 0.5 Mbit/s each 30 s': between([8_000_000, 500_000], 30),
  'like 3G': between(mobile, 7),
  'like 3G, four times': between(
    mobile.map((speed) => 4 * speed),
    7,
  ),
};

const rowOf = (name: string, who: string, played: Played): string => {
  const { stalls, stalledSeconds, startSeconds, switches, meanBitRate } = played;
  const cells = [stalls, stalledSeconds.toFixed(1), startSeconds.toFixed(1), switches, (meanBitRate / 1e6).toFixed(2)];
  return `${name.padEnd(36)}${who.padEnd(8)}${cells.map((cell) => String(cell).padStart(9)).join('')}`;
};

describe('the choice of a variant over a network', function () {
  this.timeout(60_000);
  const results = new Map<string, { readonly own: Played; readonly hls: Played }>();
  before(() => {
    for (const [name, trace] of Object.entries(traces))
      results.set(name, {
        own: simulate(film, trace, ownPolicy(film)),
        hls: simulate(film, trace, hlsPolicy(film)),
      });
    if (process.env.ABR_TABLE === undefined) return;
    const head = ['stalls', 'seconds', 'start', 'switches', 'Mbit/s'].map((cell) => cell.padStart(9)).join('');
    const rows = [...results].flatMap(([name, { own, hls }]) => [rowOf(name, 'own', own), rowOf(name, 'hls.js', hls)]);
    process.stdout.write(`${''.padEnd(44)}${head}\n${rows.join('\n')}\n`);
  });

  it('stalls for no longer than the controller of hls.js, and begins no later', () => {
    for (const [name, { own, hls }] of results) {
      assert.ok(own.stalledSeconds <= hls.stalledSeconds, `${name}: ${own.stalledSeconds} s of stalls`);
      assert.ok(own.startSeconds <= hls.startSeconds, `${name}: it begins after ${own.startSeconds} s`);
    }
  });

  it('reaches the highest variant that a constant network carries, and changes no more', () => {
    for (const [bitRate, variant] of [
      [8_000_000, 2],
      [4_000_000, 1],
      [1_200_000, 0],
    ] as const) {
      const { meanBitRate, switches } = simulate(film, () => bitRate, ownPolicy(film));
      assert.ok(meanBitRate > 0.95 * (film.bitRates[variant] ?? 0));
      assert.equal(switches, variant === 0 ? 0 : 1);
    }
  });

  it('never stalls where the network always carries the lowest variant', () =>
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1_050_000, max: 20_000_000 }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 2, max: 60 }),
        (speeds, everySeconds) => {
          const { stalls } = simulate({ ...film, segments: 40 }, between(speeds, everySeconds), ownPolicy(film));
          assert.equal(stalls, 0);
        },
      ),
      { numRuns: 50 },
    ));
});
