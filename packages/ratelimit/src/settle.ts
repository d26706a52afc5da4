/** Tells the store what a reserved request came to. */
import type { RunScript } from './asked';

export interface Settled {
  readonly outcome: 'settled' | 'settled-before' | 'unknown';
  /** Per limit, how much more is charged than before; less is negative. */
  readonly changes: readonly number[];
}

export interface Settlement {
  readonly reservation: string;
  /** Per limit, in the order in which they were decided; undefined leaves one as it was reserved. */
  readonly actual: readonly (number | undefined)[];
  /** False: more is to come, as a streamed answer goes on; what is over what was reserved is owed at once. */
  readonly final: boolean;
}

const outcomes: { readonly [said: number]: Settled['outcome'] } = { 1: 'settled', 2: 'settled-before' };

export const settle =
  (run: RunScript) =>
  async ({ reservation, actual, final }: Settlement): Promise<Settled> => {
    const values = actual.map((one) => (one === undefined ? '-' : String(one)));
    const answer = await run([reservation], [final ? 'final' : 'so-far', ...values]);
    const [said = 0, ...changes] = answer as readonly number[];
    return { outcome: outcomes[said] ?? 'unknown', changes };
  };

/** What was given with the reservation; null when there is none (any more). */
export const contextOf =
  (run: RunScript) =>
  async (reservation: string): Promise<string | null> => {
    const [, context = null] = (await run([reservation], ['read'])) as readonly [number, string?];
    return context;
  };
