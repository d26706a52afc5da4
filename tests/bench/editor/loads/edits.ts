/** The same stream of edits for each: so many a second in all, each editor one after the other, until there were enough or time is up. */
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../../measure';
import { type Contestant, cpuNanoseconds, type Editor } from '../contestants/contestant';

export interface Found {
  readonly cpuMicroseconds: number;
  readonly p50: number;
  readonly p99: number;
  readonly edits: number;
}

export const perSecond = 100;
const edits = 400;
const warming = 100;
const longestMilliseconds = 8_000;
/** What runs often is compiled by then. */
const toWarm = { editors: 10, edits: 1_500, perSecond: 500 };

interface Pace {
  readonly count: number;
  readonly longest: number;
  readonly perSecond: number;
}

/** Answers how long each took, in milliseconds. */
const paced = async (editors: readonly Editor[], pace: Pace): Promise<readonly number[]> => {
  const { count, longest } = pace;
  const began = performance.now();
  const times: number[] = [];
  let next = 0;
  const writing = async (editor: Editor): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      const early = began + (index * 1_000) / pace.perSecond - performance.now();
      if (early > 0) await sleep(early);
      if (performance.now() - began > longest) return;
      const sentAt = performance.now();
      await editor.edit(index + 1);
      times.push(performance.now() - sentAt);
    }
  };
  await Promise.all(editors.map(writing));
  return times;
};

const cpuOf = ({ pids }: Contestant): number => pids.reduce((sum, pid) => sum + cpuNanoseconds(pid), 0);

const joinedBy = async (contestant: Contestant, count: number): Promise<readonly Editor[]> => {
  const editors: Editor[] = [];
  for (let index = 0; index < count; index += 1) editors.push(await contestant.join());
  return editors;
};

export const warm = async (contestant: Contestant, most = toWarm.editors): Promise<void> => {
  const editors = await joinedBy(contestant, Math.min(toWarm.editors, most));
  await paced(editors, { count: toWarm.edits, longest: longestMilliseconds, perSecond: toWarm.perSecond });
  for (const { close } of editors) close();
};

/** With so many editors at once. */
export const measured = async (contestant: Contestant, count: number): Promise<Found> => {
  const editors = await joinedBy(contestant, count);
  await paced(editors, { count: warming, longest: longestMilliseconds / 4, perSecond });
  const before = cpuOf(contestant);
  const times = await paced(editors, { count: edits, longest: longestMilliseconds, perSecond });
  const cpuMicroseconds = (cpuOf(contestant) - before) / 1_000 / times.length;
  for (const { close } of editors) close();
  return { cpuMicroseconds, p50: percentile(times, 0.5), p99: percentile(times, 0.99), edits: times.length };
};
