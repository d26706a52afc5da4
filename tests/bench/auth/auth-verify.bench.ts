/**
 * What it costs to check who sends a request: all eight checks of a token met for the first time, of one that is known, and
 * with a proof of possession; beside the bare signature check of node:crypto, which is the floor, and beside jose.
 * `equality` holds two million tokens to what jose makes of them.
 */
import { compare } from '../../packages/resource-server/equality';
import { report } from '../measure';
import { bare, ours, theirs } from './verify/contestants';
import { type Cost, costOf } from './verify/cost';
import { stock } from './verify/stock';

export const parts = ['cold', 'warm', 'dpop', 'equality'];

const rounds = 5;
const perRound = 2_000;

type Contest = { readonly [who: string]: (index: number) => unknown };

/**
 * In turns, so that a slow moment of the machine slows all contestants; the best round counts, as the least disturbed
 * one.
 */
const contest = async (contestants: Contest): Promise<{ readonly [who: string]: Cost }> => {
  const best: Record<string, Cost> = {};
  for (let round = 0; round < rounds; round += 1)
    for (const [who, check] of Object.entries(contestants)) {
      const cost = await costOf(perRound, (index) => check(round * perRound + index));
      if ((best[who]?.cpuMicroseconds ?? Number.POSITIVE_INFINITY) > cost.cpuMicroseconds) best[who] = cost;
    }
  return best;
};

const reportCosts = (name: string, costs: { readonly [who: string]: Cost }): void => {
  const { septet } = costs;
  if (septet === undefined) return;
  for (const [who, { cpuMicroseconds, perSecond }] of Object.entries(costs)) {
    if (who === 'septet') continue;
    report({
      name: `${name}: CPU, beside ${who}`,
      value: septet.cpuMicroseconds,
      unit: 'µs',
      baseline: cpuMicroseconds,
    });
    report({ name: `${name}: checks, beside ${who}`, value: septet.perSecond, unit: '1/s', baseline: perSecond });
  }
};

const benches: { readonly [part: string]: () => Promise<void> } = {
  cold: async () => {
    const tokens = stock(rounds * perRound);
    reportCosts('cold', await contest({ septet: ours(tokens).cold, bare: bare(tokens), jose: theirs(tokens).token }));
  },
  warm: async () => {
    const tokens = stock(1);
    reportCosts('warm', await contest({ septet: ours(tokens).warm, bare: bare(tokens), jose: theirs(tokens).token }));
  },
  dpop: async () => {
    const tokens = stock(rounds * perRound, { bound: true });
    reportCosts(
      'dpop, cold',
      await contest({ septet: ours(tokens).proved, bare: bare(tokens, 2), jose: theirs(tokens).proved }),
    );
    const known = stock(rounds * perRound, { bound: true, oneToken: true });
    reportCosts(
      'dpop, warm',
      await contest({ septet: ours(known).proved, bare: bare(known), jose: theirs(known).proved }),
    );
  },
  equality: async () => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const { accepted, refused, stricter } = await compare(2_000_000, seed);
    report({ name: `equality: accepted by both, seed ${seed}`, value: accepted, unit: 'tokens' });
    report({ name: 'equality: refused by us', value: refused, unit: 'tokens' });
    for (const [why, count] of stricter)
      report({ name: `equality: refused by us alone, ${why}`, value: count, unit: 'tokens' });
  },
};

export const run = async (chosen: readonly string[]): Promise<void> => {
  const named = chosen.length === 0 ? ['cold', 'warm', 'dpop'] : chosen;
  for (const part of named) await benches[part]?.();
};
