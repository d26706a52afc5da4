/** One copy of the workflow service: its coordinator, its dispatcher and its interface for runners, over simulated stores. */
import { Readable } from 'node:stream';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { handle } from '../../../commands/kernel/handle';
import { openGraphs } from '../../../commands/workflow/graphs';
import { runnerPart } from '../../../commands/workflow/runners/open-runners';
import { startCoordinator } from '../../../commands/workflow/runs/coordinator';
import type { RunsAdapters } from '../../../commands/workflow/runs/open-runs';
import { openRunRegistry } from '../../../commands/workflow/runs/run-registry';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import type { FromRunner, ToRunner } from '../../../domain/workflow/protocol/runner';
import type { RunCommand } from '../../../domain/workflow/run/commands';
import { run } from '../../../domain/workflow/run/decider';
import { runStream } from '../../../domain/workflow/run/events';
import type { Socket } from '../../../infra/server/ws/socket';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';
import { testDefinitions } from '../../support/workflow/definitions';
import { portsOf, type World } from './ports';

/** A runner's end of its socket. */
export interface RunnerSocket {
  readonly receive: (message: ToRunner) => void;
  readonly closed: () => void;
}

export interface ServiceCopy {
  readonly owner: string;
  readonly isGone: () => boolean;
  /** Undefined: refused. */
  readonly connect: (credential: string, socket: RunnerSocket) => Promise<((message: FromRunner) => void) | undefined>;
  /** The status of the answer. */
  readonly request: (path: string, request: { jobId?: string; body: unknown; credential: string }) => Promise<number>;
  /** As a route of people does. */
  readonly command: (tenant: TenantId, command: RunCommand, commandId: string) => Promise<string>;
  /** What an operator sees as a defect. */
  readonly defects: () => readonly unknown[];
  /** The clock of its machine is wrong by so much. */
  readonly shiftClock: (milliseconds: number) => void;
  /** Without an end to anything. */
  readonly kill: () => void;
  /** What is under way ends first. */
  readonly drain: () => void;
}

const epochStart = Date.parse('2026-11-28T00:00:00Z');
const pathsWithBytes = ['/runner/jobs/:jobId/complete'];

export const startCopy = (world: World, owner: string, now: () => number): ServiceCopy => {
  const { scheduler, random } = world;
  const stopping = new AbortController();
  const log = recordingLog();
  const sockets = new Set<{ readonly end: () => void }>();
  let offset = 0;
  let isGone = false;
  let leave: (value: 'gone') => void = () => undefined;
  const gone = new Promise<'gone'>((resolve) => {
    leave = resolve;
  });
  const [ports, warm] = [portsOf(world, owner), createExclusiveAggregates()];
  const runs = openRunRegistry({ store: ports.store, warm, log, signal: stopping.signal });
  const adapters = {
    commandMetrics: noCommandMetrics,
    ...ports,
    log,
    metrics: noopMetrics,
    definitions: testDefinitions,
    warm,
    runs,
    graphs: openGraphs(ports.blobs),
    clock: { now: () => new Date(epochStart + now() + offset).toISOString() as Instant },
    random: { uuid: () => String(random.next()), token: () => String(random.next()) },
    publicUrl: 'http://septet.test',
    jobKey: Buffer.alloc(32, 7),
    signal: stopping.signal,
  } as unknown as RunsAdapters;
  const coordinator = startCoordinator(adapters);
  const part = runnerPart.open(adapters);
  const [endpoint] = part.sockets ?? [];
  if (endpoint?.authenticatedBy !== 'service') throw new Error('runners have no socket');

  const vanish = (): void => {
    if (isGone) return;
    isGone = true;
    for (const socket of [...sockets]) socket.end();
    leave('gone');
  };
  void Promise.all([runs.ended, coordinator.ended, ...(part.background ?? [])]).then(vanish);

  return {
    owner,
    isGone: () => isGone,
    connect: async (credential, remote) => {
      const admitted = await Promise.race([
        gone,
        endpoint.admit({
          headers: { authorization: `Bearer ${credential}` },
          requestId: 'simulated',
          query: '',
          parameters: {},
          signal: stopping.signal,
        }),
      ]);
      if (isGone || typeof admitted !== 'function') return undefined;
      const closing = new AbortController();
      const end = (): void => {
        if (closing.signal.aborted) return;
        sockets.delete(entry);
        closing.abort();
        remote.closed();
      };
      const entry = { end };
      sockets.add(entry);
      const socket: Socket = {
        send: (text) => {
          if (!closing.signal.aborted) remote.receive(JSON.parse(text.toString()) as ToRunner);
          return true;
        },
        ready: async () => undefined,
        end,
        closed: closing.signal,
      };
      const receive = admitted(socket);
      return (message) => {
        if (!closing.signal.aborted && !isGone) receive(JSON.parse(JSON.stringify(message)), 0);
      };
    },
    request: async (path, { jobId, body, credential }) => {
      const route = part.routes.find((one) => one.path === path);
      if (route === undefined) throw new Error(`there is no route ${path}`);
      const bytes = { stream: Readable.from([Buffer.from(JSON.stringify(body))]), length: undefined };
      const answer = await Promise.race([
        gone,
        route.handle({
          params: { jobId },
          body: pathsWithBytes.includes(path) ? bytes : body,
          headers: { authorization: `Bearer ${credential}` },
          signal: stopping.signal,
        } as unknown as Parameters<typeof route.handle>[0]),
      ]);
      if (answer === 'gone') return 0;
      if ('problem' in answer) return answer.problem.status;
      return 'status' in answer ? answer.status : 200;
    },
    command: async (tenant, command, commandId) => {
      const handled = await Promise.race([
        gone,
        handle(adapters, run, {
          stream: runStream(tenant, command.runId),
          command,
          commandId,
          tenant,
          actor: 'person-1',
          correlationId: command.runId,
        }),
      ]);
      if (handled === 'gone') return 'gone';
      return handled._tag === 'Left' ? handled.left.code : 'done';
    },
    defects: () => log.lines.filter(({ level }) => level === 'error'),
    shiftClock: (milliseconds) => {
      offset = milliseconds;
    },
    kill: () => {
      scheduler.crash(owner);
      vanish();
      stopping.abort();
    },
    drain: () => stopping.abort(),
  };
};
