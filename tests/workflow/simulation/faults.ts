/** What goes wrong between two steps, and what people do meanwhile. */
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { RunId } from '../../../domain/workflow/ids';
import type { RunCommand } from '../../../domain/workflow/run/commands';
import type { RetryMode } from '../../../domain/workflow/run/events';
import type { World } from './ports';
import type { SimulatedRunner } from './runner';
import type { ServiceCopy } from './service-copy';
import type { VirtualTime } from './virtual-time';

export interface SimulatedRun {
  readonly tenantId: TenantId;
  readonly runId: RunId;
}

export interface Simulation extends World {
  readonly time: VirtualTime;
  /** The running copies, frozen ones included. */
  readonly copies: () => readonly ServiceCopy[];
  readonly startCopy: () => void;
  readonly runners: readonly SimulatedRunner[];
  readonly runs: readonly SimulatedRun[];
  readonly command: (run: SimulatedRun, command: RunCommand) => void;
}

type Fault = (simulation: Simulation, by: PrincipalId) => void;

const onCopy =
  (fault: (simulation: Simulation, copy: ReturnType<Simulation['copies']>[number]) => void): Fault =>
  (simulation) => {
    const copies = simulation.copies();
    if (copies.length > 0) fault(simulation, simulation.random.pick(copies));
  };
const onRunner =
  (fault: (simulation: Simulation, runner: Simulation['runners'][number]) => void): Fault =>
  (simulation) => {
    const busy = simulation.runners.filter((runner) => runner.jobs() > 0);
    fault(simulation, simulation.random.pick(busy.length > 0 ? busy : simulation.runners));
  };

/** In virtual time, and not once the faults have stopped: then everything is repaired at once. */
const later = (simulation: Simulation, seconds: readonly number[], repair: () => void): void => {
  setTimeout(repair, simulation.random.pick(seconds) * 1_000);
};

const faults: { readonly [name: string]: { readonly weight: number; readonly happen: Fault } } = {
  'a copy is killed': {
    weight: 3,
    happen: onCopy((simulation, copy) => {
      copy.kill();
      later(simulation, [0.1, 5, 30], simulation.startCopy);
    }),
  },
  'a copy drains': { weight: 1, happen: onCopy((_, copy) => copy.drain()) },
  'a copy may start': { weight: 1, happen: ({ startCopy }) => startCopy() },
  'a copy freezes': {
    weight: 3,
    happen: onCopy((simulation, { owner }) => {
      simulation.scheduler.freeze(owner);
      later(simulation, [1, 8, 15, 40], () => simulation.scheduler.thaw(owner));
    }),
  },
  "a copy's clock jumps": {
    weight: 1,
    happen: onCopy(({ random }, copy) => copy.shiftClock(random.pick([-600_000, -5_000, 0, 5_000, 600_000]))),
  },
  'a runner crashes': {
    weight: 2,
    happen: onRunner((simulation, runner) => {
      const { scheduler } = simulation;
      runner.crash();
      later(simulation, [0.1, 5, 30], () => {
        if (scheduler.isCrashed(runner.owner())) runner.start();
      });
    }),
  },
  'a runner freezes': {
    weight: 5,
    happen: onRunner((simulation, runner) => {
      const owner = runner.owner();
      simulation.scheduler.freeze(owner);
      later(simulation, [1, 10, 22, 30, 60], () => simulation.scheduler.thaw(owner));
    }),
  },
  'a connection breaks': { weight: 2, happen: onRunner((_, runner) => runner.disconnect()) },
  'time leaps': { weight: 1, happen: ({ time, random }) => time.leap(random.pick([5_000, 25_000, 120_000])) },
  'a person cancels': {
    weight: 2,
    happen: ({ random, runs, command }, by) => {
      const run = random.pick(runs);
      command(run, { type: 'CancelRun', runId: run.runId, by, isForced: random.chance(0.2) });
    },
  },
  'a person retries': {
    weight: 4,
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
