/** Processor time of this process, of all that it started and that ended, and of what it started and still runs. */
import { readdirSync, readFileSync } from 'node:fs';

/** Of Linux, whose `USER_HZ` is 100 everywhere. */
const millisecondsOfTick = 10;

interface ProcessTimes {
  readonly parent: number;
  readonly milliseconds: number;
}

/** Undefined: it has ended. */
const timesOf = (pid: number): ProcessTimes | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may hold anything.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + (fields[at] ?? 0), 0);
    return { parent: fields[1] ?? 0, milliseconds: ticks * millisecondsOfTick };
  } catch {
    return undefined;
  }
};

/** Of one process and those of its children that ended, in milliseconds. */
export const processorTimeOf = (pid: number): number => timesOf(pid)?.milliseconds ?? 0;

/** Of this process with all below it, in milliseconds. */
export const processorTime = (): number => {
  const all = new Map<number, ProcessTimes>();
  for (const name of readdirSync('/proc')) {
    const times = /^\d+$/.test(name) ? timesOf(Number(name)) : undefined;
    if (times !== undefined) all.set(Number(name), times);
  }
  const isBelow = (pid: number): boolean => {
    for (let at = pid; at > 1; at = all.get(at)?.parent ?? 0) if (at === process.pid) return true;
    return false;
  };
  return [...all].reduce((sum, [pid, { milliseconds }]) => sum + (isBelow(pid) ? milliseconds : 0), 0);
};
