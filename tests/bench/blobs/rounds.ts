/** Two ways of doing the same, in turns, so that a slow moment of the machine meets both. */
import { fromCallers, percentile, rate, report } from '../measure';

export type Way = (index: number) => Promise<unknown>;

export interface Rounds {
  readonly name: string;
  readonly ours: Way;
  readonly floor: Way;
  readonly callers: number;
  /** Per round. */
  readonly count: number;
  readonly bytes: number;
}

const rounds = 5;
const mebibyte = 1024 * 1024;

export const compare = async ({ name, ours, floor, callers, count, bytes }: Rounds): Promise<void> => {
  const found = { ours: [] as number[], floor: [] as number[] };
  let next = 0;
  const measured = async (way: Way): Promise<number> => {
    const first = next;
    next += count;
    return rate(count, () => fromCallers(callers, count, (index) => way(first + index)));
  };
  // Compiles both, and opens what stays open.
  for (const way of [floor, ours]) await measured(way);
  for (let round = 0; round < rounds; round += 1) {
    found.floor.push(await measured(floor));
    found.ours.push(await measured(ours));
  }
  const perSecond = (values: readonly number[]): number =>
    percentile(values, 0.5) * (bytes >= mebibyte ? bytes / mebibyte : 1);
  const unit = bytes >= mebibyte ? 'MiB/s' : 'blobs/s';
  report({ name, value: perSecond(found.ours), unit, baseline: perSecond(found.floor) });
};
