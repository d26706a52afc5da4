/** Seconds until all is well again by itself after each store, and each pair, is killed, paused for 30 s and slowed under a load. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openSystem, type System } from '../faults/system/harness/fixture';
import {
  type FaultName,
  faults,
  type InjectedFaults,
  injectFaults,
  named,
} from '../faults/system/harness/inject-faults';
import { type Load, startLoad } from '../faults/system/harness/load';
import { storeNames } from '../faults/system/harness/stores';
import { verifyNothingLost, verifyViews } from '../faults/system/harness/verify';
import { report } from './measure';

export const parts = ['singles', 'pairs', 'together'];

const held: Readonly<Record<FaultName, number>> = { killed: 0, paused: 30_000, slowed: 10_000 };

const matrixOf = (part: string, fault: FaultName): readonly InjectedFaults[] => {
  const each = storeNames.map((name) => [name, fault] as const);
  if (part === 'together') return [each];
  if (part === 'singles') return each.map((one) => [one]);
  return each.flatMap((one, index) => each.slice(index + 1).map((other) => [one, other]));
};

const measure = async (
  { session, stores, recovered }: System,
  load: Load,
  inflicted: InjectedFaults,
): Promise<void> => {
  session.fresh();
  const undo = injectFaults(stores, inflicted);
  await sleep(held[inflicted[0]?.[1] as FaultName]).finally(undo);
  const ended = performance.now();
  await load.progress();
  await recovered();
  const seconds = (performance.now() - ended) / 1000;
  const { refused, longestMilliseconds, wrong } = session.seen();
  const name = `faults.${named(inflicted).replaceAll(' ', '-')}`;
  report({ name: `${name}.recovery`, value: seconds, unit: 's' });
  report({ name: `${name}.longest`, value: longestMilliseconds / 1000, unit: 's' });
  console.error(JSON.stringify({ name, refused, wrong }));
};

export const run = async (chosen: readonly string[]): Promise<void> => {
  const system = await openSystem({ name: 'bench-faults' });
  const load = startLoad(system.session, system.ledger);
  try {
    await load.progress();
    for (const part of chosen.length === 0 ? parts : chosen)
      for (const fault of faults) for (const inflicted of matrixOf(part, fault)) await measure(system, load, inflicted);
    await load.stop();
    await system.recovered();
    await verifyNothingLost(system);
    await verifyViews(system);
    report({ name: 'faults.acknowledged', value: system.ledger.length, unit: 'commands, each once' });
  } finally {
    await system.close();
  }
};
