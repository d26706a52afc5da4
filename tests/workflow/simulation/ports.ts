/** The stores as one copy of the service calls them: each call waits for the scheduler, may fail before or after its effect, and its answer is late. */
import { Readable } from 'node:stream';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';
import type { BlobStore } from '../../../infra/ports/blob-store';
import type { EventStore } from '../../../infra/ports/event-store';
import type { ProcessCheckpoints } from '../../../infra/ports/processes/checkpoints';
import type { Leases } from '../../../infra/ports/processes/leases';
import type { ActiveRuns } from '../../../infra/ports/workflow/active-runs';
import type { GitRepositories } from '../../../infra/ports/workflow/git-repositories';
import type { JobClaims } from '../../../infra/ports/workflow/job-claims';
import type { LogLocation, LogStore } from '../../../infra/ports/workflow/log-store';
import type { SeededRandom } from '../../support/random/seeded-random';
import type { Scheduler } from './scheduler';
import type { Tables } from './tables';

export interface World {
  readonly scheduler: Scheduler;
  readonly random: SeededRandom;
  readonly tables: Tables;
  readonly events: EventStore;
  /** What each commit holds, by its name. */
  readonly files: Map<string, string>;
  /** Share of calls and messages that fail; 0 once the faults have stopped. */
  faultRate: number;
}

type Answer<Code extends string, Value> = Promise<Either<Fault<Code>, Value>>;

const faultOf = <Code extends string>(code: Code) =>
  left({ kind: 'fault', code, detail: 'Simulated.' } as unknown as Fault<Code>);

const portCalls = (world: World, owner: string) => {
  const { scheduler, random } = world;
  return {
    /** It has no effect, so its answer comes with it. */
    read: <Code extends string, Value>(code: Code, name: string, effect: () => Value): Answer<Code, Value> =>
      scheduler.step(owner, name, () => (random.chance(world.faultRate) ? faultOf(code) : right(effect()))),
    /** Between the effect and the answer the caller may crash, or its connection break. */
    write: async <Code extends string, Value>(code: Code, name: string, effect: () => Value): Answer<Code, Value> => {
      const answer = await scheduler.step(owner, name, () =>
        random.chance(world.faultRate) ? faultOf(code) : right(effect()),
      );
      if (isLeft(answer)) return answer;
      const isLost = random.chance(world.faultRate);
      return scheduler.step(owner, `${name}: ${isLost ? 'no answer' : 'answer'}`, () =>
        isLost ? faultOf(code) : answer,
      );
    },
  };
};

const eventStoreOf = (world: World, owner: string): EventStore => {
  const { scheduler, random, events } = world;
  const append: EventStore['append'] = async (stream, expected, proposed) => {
    const name = `append ${proposed.map(({ type }) => type.split('.')[1]).join(' ')} to ${stream}`;
    const isFault = (): boolean => random.chance(world.faultRate);
    const written = await scheduler.step(owner, name, () => {
      if (isFault()) return faultOf('event-store-unavailable');
      if (!isFault()) return events.append(stream, expected, proposed);
      // The write arrives late; no caller waits for it.
      void scheduler.step('network', `late ${name}`, () => void events.append(stream, expected, proposed));
      return faultOf('event-store-ambiguous');
    });
    if (isLeft(written) && written.left.kind === 'fault') return written;
    const isLost = isFault();
    return scheduler.step(owner, `${name}: ${isLost ? 'no answer' : 'answer'}`, () =>
      isLost ? faultOf('event-store-ambiguous') : written,
    );
  };
  const read = async <Value>(name: string, effect: () => Value): Promise<Awaited<Value>> =>
    await scheduler.step(owner, name, effect);
  return {
    ...events,
    append,
    read: (stream, from) =>
      read(`read ${stream}`, () =>
        random.chance(world.faultRate) ? faultOf('event-store-unavailable') : events.read(stream, from),
      ),
    head: () => read('head', () => events.head()),
    async *subscribeAll(request) {
      for await (const signal of events.subscribeAll(request)) {
        if (signal.kind === 'event')
          await scheduler.step(owner, `deliver ${signal.event.type} of ${signal.event.stream}`, () => {
            if (random.chance(world.faultRate / 4)) throw new Error('the subscription broke off');
          });
        yield signal;
      }
    },
  };
};

const claimsOf = (world: World, owner: string): JobClaims => {
  const { scheduler, random, tables } = world;
  const { claims } = tables;
  const { read, write } = portCalls(world, owner);
  const code = 'job-claims-unavailable';
  return {
    enqueue: (jobs) => write(code, `enqueue ${jobs.length}`, () => claims.enqueue(jobs)),
    claim: (runner) => write(code, `claim for ${runner.runnerId}`, () => claims.claim(runner)),
    remove: (job) => write(code, `remove ${job.jobId} ${job.epoch}`, () => claims.remove(job)),
    release: (lease) => write(code, `give back ${lease.jobId} ${lease.epoch}`, () => claims.giveBack(lease)),
    renew: (leases) => write(code, `renew ${leases.length}`, () => claims.renew(leases)),
    expired: (most) => read(code, 'sweep', () => claims.expired(most)),
    missing: (expected) => read(code, 'missing claims', () => claims.missing(expected)),
    isQuotaSpent: () => read(code, 'quota', () => false),
    recordSeen: () => write(code, 'see runners', () => undefined),
    setLimits: (limits) => write(code, 'set limits', () => claims.setLimits(limits)),
    watch: (notify) =>
      claims.watch(() => {
        if (!random.chance(world.faultRate)) void scheduler.step(owner, 'jobs to look at', notify);
      }),
    close: async () => undefined,
  };
};

const blobsOf = (world: World, owner: string): BlobStore => {
  const { blobs } = world.tables;
  const { read, write } = portCalls(world, owner);
  const code = 'blob-store-unavailable';
  return {
    put: ({ key, body }: { readonly key: string; readonly body: Uint8Array }) =>
      write(code, 'put a graph', () => void blobs.set(key, body)),
    get: ({ key }: { readonly key: string }) =>
      read(code, 'get a graph', () => ({ body: Readable.from([blobs.get(key) ?? new Uint8Array()]) })),
  } as unknown as BlobStore;
};

const logsOf = (world: World, owner: string): LogStore => {
  const { logs } = world.tables;
  const { read, write } = portCalls(world, owner);
  const code = 'log-store-unavailable';
  return {
    open: (log: LogLocation) => write(code, `open the log of ${log.jobId}`, () => logs.open(log)),
    find: ({ tenantId, jobId }: Parameters<LogStore['find']>[0]) =>
      read(code, `find the log of ${jobId}`, () => logs.find(tenantId, jobId)),
    end: ({ jobId }: LogLocation) => write(code, `end the log of ${jobId}`, () => undefined),
  } as unknown as LogStore;
};

const gitOf = (world: World, owner: string): GitRepositories => {
  const { read } = portCalls(world, owner);
  const path = '.github/workflows/build.yml';
  return {
    commits: () => read('git-unavailable', 'read commits', () => []),
    workflowFiles: (_: unknown, commit: string) =>
      read('git-unavailable', 'read the definition', () => [
        { path, content: Buffer.from(world.files.get(commit) ?? '') },
      ]),
  } as unknown as GitRepositories;
};

export const portsOf = (world: World, owner: string) => {
  const { leases, checkpoints, activeRuns } = world.tables;
  const { read, write } = portCalls(world, owner);
  const leasesPort: Leases = {
    acquire: (name, milliseconds) =>
      write('leases-unavailable', `acquire ${name}`, () => leases.acquire(name, milliseconds)),
    renew: ({ name, token }, milliseconds) =>
      write('leases-unavailable', `renew ${name}`, () => leases.renew(name, token, milliseconds)),
    release: ({ name, token }) => write('leases-unavailable', `release ${name}`, () => leases.release(name, token)),
    close: async () => undefined,
  };
  const checkpointsPort: ProcessCheckpoints = {
    load: (name) => read('checkpoints-unavailable', 'load the checkpoint', () => checkpoints.load(name)),
    save: (name, position, token) =>
      write('checkpoints-unavailable', `save the checkpoint ${position}`, () =>
        checkpoints.save(name, position, token),
      ),
  };
  const activeRunsPort: ActiveRuns = {
    list: () => read('active-runs-unavailable', 'list active runs', () => [...activeRuns.values()]),
    add: (run) => write('active-runs-unavailable', `add ${run.runId}`, () => void activeRuns.set(run.runId, run)),
    remove: (runId) => write('active-runs-unavailable', `remove ${runId}`, () => void activeRuns.delete(runId)),
  };
  return {
    store: eventStoreOf(world, owner),
    claims: claimsOf(world, owner),
    blobs: blobsOf(world, owner),
    logs: logsOf(world, owner),
    git: gitOf(world, owner),
    leases: leasesPort,
    checkpoints: checkpointsPort,
    activeRuns: activeRunsPort,
  };
};
