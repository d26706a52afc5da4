/** One history of a few runs: faults for a while, then none until every run has ended. Everything follows from the seed. */
import { isLeft } from 'fp-ts/Either';
import { credentialDigest, credentialOf } from '../../../commands/workflow/runners/authenticate-runner';
import { platformTenant } from '../../../domain/identity/ids';
import type { TenantId } from '../../../domain/kernel/ids';
import type { CommitSha, RunId, RunnerId } from '../../../domain/workflow/ids';
import { organizationStream } from '../../../domain/workflow/organization/events';
import type { RunCommand } from '../../../domain/workflow/run/commands';
import { run as runDecider } from '../../../domain/workflow/run/decider';
import { runStream } from '../../../domain/workflow/run/events';
import type { Run } from '../../../domain/workflow/run/state';
import { runnerStream } from '../../../domain/workflow/runner/events';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import type { StoredEvent } from '../../../infra/ports/event-store';
import { seededRandom } from '../../support/random/seeded-random';
import { by, request } from '../../support/workflow/runs';
import { faultOnce, type SimulatedRun, type Simulation } from './faults';
import type { World } from './ports';
import { brokenRules } from './rules';
import { type ConfirmedEnd, createRunner, type SimulatedRunner } from './runner';
import { createScheduler } from './scheduler';
import { type ServiceCopy, startCopy } from './service-copy';
import { createTables } from './tables';
import { installVirtualTime } from './virtual-time';
import { writtenJobs } from './written-jobs';

export interface SimulatedHistory {
  /** What was done, in order. */
  readonly trace: readonly string[];
  /** Empty when every rule holds and every run has ended. */
  readonly broken: readonly string[];
  /** The types of the events in the log. */
  readonly recorded: readonly string[];
}

const tenants = ['acme', 'globex'] as unknown as readonly TenantId[];
const begins = '2026-11-28T00:00:00.000Z';
const mostCopies = 2;
const faultySteps = 1_000;
/** More than every job needs, one after the other, and less than the time limit of most jobs: what waits for that was forgotten. */
const mostQuietMilliseconds = 40 * 60_000;
const chanceOfTime = 0.12;

/** Read without the scheduler, since an observer changes nothing. */
const logOf = async ({ events }: World): Promise<readonly StoredEvent[]> => {
  const log: StoredEvent[] = [];
  for await (const event of events.readAll({ after: null })) log.push(event);
  return log;
};

const stateOf = async ({ events }: World, { tenantId, runId }: SimulatedRun): Promise<Run | undefined> => {
  const stored = await events.read(runStream(tenantId, runId));
  if (isLeft(stored)) throw new Error('the log in memory is always there');
  const state = stored.right.reduce((before, { type, data }) => {
    const event = runDecider.family.decode(type, data);
    return isLeft(event) ? before : runDecider.evolve(before, event.right);
  }, runDecider.initial);
  return state.kind === 'none' ? undefined : state;
};

const record = async ({ events }: World, stream: string, type: string, data: unknown): Promise<void> => {
  const ids = { $correlationId: stream, $causationId: stream, commandId: stream, commandHash: 'x' };
  const metadata = { ...ids, tenant: 'acme', actor: 'test', at: begins };
  const appended = await events.append(stream, 'no-stream', [{ id: `${stream} 0`, type, data, metadata }]);
  if (isLeft(appended)) throw new Error(`${type} was not recorded`);
};

const limitOrganizations = async (world: World): Promise<ReadonlyMap<string, number>> => {
  const concurrentJobs = new Map<string, number>();
  for (const tenantId of tenants) {
    const concurrencyLimit = 1 + world.random.below(3);
    concurrentJobs.set(tenantId, concurrencyLimit);
    const at = begins as Parameters<typeof world.tables.claims.setLimits>[0]['at'];
    world.tables.claims.setLimits({ tenantId, concurrentJobs: concurrencyLimit, secondsPerMonth: null, at });
    await record(world, organizationStream(tenantId), 'workflow.OrganizationConfigured.v1', {
      plan: 'free',
      concurrencyLimit,
      minutesQuota: null,
      isolationPolicy: 'none',
    });
  }
  return concurrentJobs;
};

/** Two of the platform, and one of each organization. */
const registerRunners = async (
  world: World,
  options: { readonly copies: () => readonly ServiceCopy[]; readonly confirmed: ConfirmedEnd[] },
): Promise<readonly SimulatedRunner[]> => {
  const runners: SimulatedRunner[] = [];
  for (const [index, owner] of [platformTenant, platformTenant, ...tenants].entries()) {
    const runnerId = `runner-${index}` as RunnerId;
    const credential = credentialOf(owner, runnerId, 'secret');
    await record(world, runnerStream(owner, runnerId), 'workflow.RunnerRegistered.v1', {
      runnerId,
      name: runnerId,
      type: owner === platformTenant ? 'managed' : 'self_hosted',
      labels: ['linux'],
      isolation: 'none',
      credentialDigest: credentialDigest(credential),
    });
    runners.push(createRunner(world, { runnerId, credential, slots: 1 + world.random.below(2), ...options }));
  }
  return runners;
};

const openSimulation = async (seed: number) => {
  const random = seededRandom(seed);
  const time = installVirtualTime(seededRandom(seed + 0x9e3779b9));
  const scheduler = createScheduler(random, time);
  const world: World = {
    scheduler,
    random,
    tables: createTables(time.now),
    events: openMemoryEventStore(),
    files: new Map(),
    faultRate: random.pick([0, 0.02, 0.05, 0.1]),
  };
  const started: ServiceCopy[] = [];
  const confirmed: ConfirmedEnd[] = [];
  const copies = (): readonly ServiceCopy[] => started.filter((copy) => !copy.isGone());
  const startOne = (): void => {
    if (copies().length >= mostCopies) return;
    const copy = startCopy(world, `copy-${started.length + 1}`, time.now);
    scheduler.note(`${copy.owner} starts`);
    started.push(copy);
  };
  const concurrentJobs = await limitOrganizations(world);
  const runners = await registerRunners(world, { copies, confirmed });
  let commands = 0;
  /** By a client that repeats it until it is answered. */
  const command = ({ tenantId }: SimulatedRun, decided: RunCommand): void => {
    commands += 1;
    const commandId = `command-${commands}`;
    const attempt = async (): Promise<void> => {
      await scheduler.step('client', `sends ${decided.type} ${decided.runId}`, () => undefined);
      const reachable = copies();
      const answer =
        reachable.length === 0 ? 'gone' : await random.pick(reachable).command(tenantId, decided, commandId);
      if (answer !== 'gone' && !answer.startsWith('event-store-') && answer !== 'conflict') return;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await attempt();
    };
    void attempt();
  };
  const runs = Array.from({ length: 1 + random.below(3) }, (_, index) => ({
    tenantId: random.pick(tenants),
    runId: `run-${index}` as RunId,
  }));
  const simulation: Simulation = Object.assign(world, { time, copies, startCopy: startOne, runners, runs, command });
  return { simulation, started, confirmed, concurrentJobs };
};

const requestRun = ({ random, files, command }: Simulation, run: SimulatedRun, index: number): void => {
  const commitSha = String(index).padStart(40, '0') as CommitSha;
  files.set(commitSha, JSON.stringify(writtenJobs(random)));
  command(run, { ...request, runId: run.runId, commitSha } as RunCommand);
};

/** Why the system is not at rest; undefined: every run has ended, and nothing of it is left. */
const unfinished = async (simulation: Simulation, isLast: boolean): Promise<string | undefined> => {
  const { runs, tables, runners } = simulation;
  const { claims, activeRuns } = tables;
  const left = [...claims.rows.keys(), ...activeRuns.keys()];
  // Mostly their run has not ended yet, which costs more to find out.
  if (left.length > 0 && !isLast) return 'rows are left';
  for (const run of runs) {
    const state = await stateOf(simulation, run);
    if (state === undefined) return `${run.runId} was not requested`;
    const jobs = [...state.jobs.values()].map(({ node, status, epoch }) => `${node.name} ${status} ${epoch}`);
    if (state.result === null) return `${run.runId} has not ended: ${jobs.join(', ')}`;
  }
  if (left.length > 0) return `rows are left: ${left.join(', ')}`;
  return runners.every((runner) => runner.jobs() === 0) ? undefined : 'a runner still has a job';
};

const stopFaults = (simulation: Simulation): void => {
  const { scheduler, copies, runners } = simulation;
  simulation.faultRate = 0;
  scheduler.note('the faults stop');
  for (const copy of copies()) {
    scheduler.thaw(copy.owner);
    copy.shiftClock(0);
  }
  simulation.startCopy();
  for (const runner of runners) {
    scheduler.thaw(runner.owner());
    if (scheduler.isCrashed(runner.owner())) runner.start();
  }
};

const play = async (simulation: Simulation): Promise<string | undefined> => {
  const { scheduler, time, random, runners, runs } = simulation;
  simulation.startCopy();
  for (const runner of runners) runner.start();
  for (const [index, run] of runs.entries()) requestRun(simulation, run, index);
  const chanceOfFault = random.pick([0.01, 0.03, 0.06]);
  for (let step = 0; step < faultySteps; step += 1) {
    if (random.chance(chanceOfFault)) faultOnce(simulation, by);
    await scheduler.takeNext(chanceOfTime);
  }
  stopFaults(simulation);
  let rest: string | undefined = 'it was not looked at';
  const last = time.now() + mostQuietMilliseconds;
  for (let step = 0; time.now() < last && rest !== undefined; step += 1) {
    await scheduler.takeNext(chanceOfTime);
    if (step % 50 === 0) rest = await unfinished(simulation, false);
  }
  return rest === undefined ? undefined : unfinished(simulation, true);
};

export const simulate = async (seed: number): Promise<SimulatedHistory> => {
  const { simulation, started, confirmed, concurrentJobs } = await openSimulation(seed);
  const { scheduler, time } = simulation;
  try {
    const rest = await play(simulation);
    const log = await logOf(simulation);
    const defects = started.flatMap((copy) => copy.defects()).map((line) => `a defect: ${JSON.stringify(line)}`);
    const broken = [...(await brokenRules({ log, confirmed, concurrentJobs })), ...defects];
    return {
      trace: scheduler.trace,
      broken: rest === undefined ? broken : [...broken, rest],
      recorded: log.map(({ type }) => type.split('.')[1] ?? type),
    };
  } finally {
    for (const copy of started) copy.kill();
    await time.settle();
    time.restore();
  }
};
