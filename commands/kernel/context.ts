/** Manifest of a context on the write side: `commands/<context>/context.ts` exports a `CommandContext`. */
import type * as t from 'io-ts';
import type { Pool } from 'pg';
import type { ContextProcesses } from '../../domain/kernel/aggregate';
import type { EventStore } from '../../infra/ports/event-store';
import type { Kms } from '../../infra/ports/kms';
import type { PartHealth } from '../../infra/ports/runtime/health';
import type { Log } from '../../infra/ports/runtime/log';
import type { Metrics } from '../../infra/ports/runtime/metrics';
import type { StreamReader } from '../../infra/ports/stream-pages';
import type { Vault } from '../../infra/ports/vault';
import { type BoundRoute, describedOnly } from '../../infra/server/http/routing/route';
import type { ConfigOf } from '../../infra/server/runtime/config';
import type { CommandMetrics } from './command-metrics';
import type { CommandDeps } from './command-spec';
import type { ExclusiveAggregates } from './exclusive-aggregates';
import type { Bindings } from './processes/process-binding';
import type { QueueSpec } from './work-queue/job-handler';

/** What the command API opens once, for all contexts. */
export interface CommandAdapters extends CommandDeps {
  readonly log: Log;
  readonly warm: ExclusiveAggregates;
  readonly commandMetrics: CommandMetrics;
  readonly kms: Kms;
  /** Undefined without Postgres: nothing personal can be recorded then. */
  readonly vault: Vault | undefined;
  readonly pages: StreamReader;
  /** Aborted when the process drains. */
  readonly signal: AbortSignal;
}

export interface OpenedCommands {
  readonly routes: readonly BoundRoute[];
  /** What this context needs beside the log and the vault, by name, for `/healthz`. */
  readonly health?: () => Promise<{ readonly [part: string]: PartHealth }>;
  readonly close?: () => Promise<unknown>;
}

/** As the command API and documents use it. */
export interface CommandContext<Variables extends t.Props = t.Props> {
  readonly config: Variables;
  readonly open: (values: ConfigOf<Variables>, adapters: CommandAdapters) => OpenedCommands;
  /** The routes that each service answers, by the service's name, for documents that need no running service. */
  readonly routes: { readonly [service: string]: () => readonly BoundRoute[] };
}

interface DeclaredCommands<Variables extends t.Props, Deps> {
  /** Environment variables that only this context reads; in the command API. */
  readonly config: Variables;
  /** What its routes need; `'none'`: they are off. */
  readonly open: (
    values: ConfigOf<Variables>,
    adapters: CommandAdapters,
  ) => Omit<OpenedCommands, 'routes'> & { readonly deps: Deps | 'none' };
  /** The routes of the command API. */
  readonly routes: (deps: Deps) => readonly BoundRoute[];
}

/** Routes of other services, by the service's name, which opens them itself. */
interface RoutesOfServices {
  readonly services?: { readonly [service: string]: (deps: never) => readonly BoundRoute[] };
}

const describe = ({ services = {} }: RoutesOfServices): CommandContext['routes'] =>
  Object.fromEntries(Object.entries(services).map(([name, routes]) => [name, () => routes(describedOnly)]));

/** Lists each route once: it is opened with its dependencies, and described without. */
export const commandContext = <Variables extends t.Props, Deps>(
  context: DeclaredCommands<Variables, Deps> & RoutesOfServices,
): CommandContext => {
  const open: CommandContext<Variables>['open'] = (values, adapters) => {
    const { deps, ...opened } = context.open(values, adapters);
    return { ...opened, routes: deps === 'none' ? [] : context.routes(deps) };
  };
  const routes = { commands: () => context.routes(describedOnly), ...describe(context) };
  return { config: context.config, open, routes } as unknown as CommandContext;
};

/** Of a context without routes at the command API. */
export const serviceContext = (context: RoutesOfServices): CommandContext => ({
  config: {},
  open: () => ({ routes: [] }),
  routes: describe(context),
});

/** What a context brings to the processes service and to workers: `commands/<context>/processes.ts` exports one. */
export interface ProcessContext<Declared extends ContextProcesses = ContextProcesses> {
  readonly processes: Bindings<Declared>;
  readonly queues: readonly QueueSpec[];
  /** Runs until the signal aborts, in each of these services. */
  readonly background?: (deps: BackgroundDeps) => Promise<void>;
}

export interface BackgroundDeps {
  readonly store: EventStore;
  readonly pool: Pool;
  /** Undefined without Redis. */
  readonly redisUrl: string | undefined;
  readonly vault: Vault;
  readonly warm: ExclusiveAggregates;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly signal: AbortSignal;
}
