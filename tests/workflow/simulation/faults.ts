/** What goes wrong between two steps, and what people do meanwhile. */
import type { PrincipalId } from '../../../domain/kernel/ids';
import type { RetryMode } from '../../../domain/workflow/run/events';
import type { Simulation } from './simulate';

type Fault = (simulation: Simulation, by: PrincipalId) => void;

const onCopy =
  (fault: (simulation: Simulation, copy: ReturnType<Simulation['copies']>[number]) => void): Fault =>
  (simulation) => {
    const copies = simulation.copies();
    if (copies.length > 0) fault(simulation, simulation.random.pick(copies));
  };
const onRunner =
  (fault: (simulation: Simulation, runner: Simulation['runners'][number]) => void): Fault =>
  (simulation) =>
    fault(simulation, simulation.random.pick(simulation.runners));

const faults: { readonly [name: string]: { readonly weight: number; readonly happen: Fault } } = {
  'a copy is killed': { weight: 2, happen: onCopy((_, copy) => copy.kill()) },
  'a copy drains': { weight: 1, happen: onCopy((_, copy) => copy.drain()) },
  'a copy may start': { weight: 5, happen: ({ startCopy }) => startCopy() },
  'a copy freezes': { weight: 2, happen: onCopy(({ scheduler }, { owner }) => scheduler.freeze(owner)) },
  'a copy thaws': { weight: 4, happen: onCopy(({ scheduler }, { owner }) => scheduler.thaw(owner)) },
  "a copy's clock jumps": {
    weight: 1,
    happen: onCopy(({ random }, copy) => copy.shiftClock(random.pick([-600_000, -5_000, 0, 5_000, 600_000]))),
  },
  'a runner crashes': { weight: 2, happen: onRunner((_, runner) => runner.crash()) },
  'a runner may start': {
    weight: 4,
    happen: onRunner(({ scheduler }, runner) => {
      if (scheduler.isCrashed(runner.owner())) runner.start();
    }),
  },
  'a runner freezes': { weight: 2, happen: onRunner(({ scheduler }, runner) => scheduler.freeze(runner.owner())) },
  'a runner thaws': { weight: 4, happen: onRunner(({ scheduler }, runner) => scheduler.thaw(runner.owner())) },
  'a connection breaks': { weight: 2, happen: onRunner((_, runner) => runner.disconnect()) },
  'time leaps': { weight: 2, happen: ({ time, random }) => time.leap(random.pick([5_000, 25_000, 120_000])) },
  'a person cancels': {
    weight: 2,
    happen: ({ random, runs, command }, by) => {
      const run = random.pick(runs);
      command(run, { type: 'CancelRun', runId: run.runId, by, isForced: random.chance(0.2) });
    },
  },
  'a person retries': {
    weight: 3,
    happen: ({ random, runs, command }, by) => {
      const run = random.pick(runs);
      const mode = random.pick<RetryMode>(['all', 'failed']);
      command(run, { type: 'RetryRun', runId: run.runId, by, mode, jobId: null });
    },
  },
};

const bag = Object.entries(faults).flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name));

export const faultOnce = (simulation: Simulation, by: PrincipalId): void => {
  const name = simulation.random.pick(bag);
  simulation.scheduler.note(name);
  faults[name]?.happen(simulation, by);
};
