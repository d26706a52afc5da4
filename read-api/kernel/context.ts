/** What a context brings to the query side: `read-api/<context>/context.ts` exports a `QueryContext`. */
import type * as t from 'io-ts';
import type { EventStore } from '../../infra/ports/event-store';
import type { SecurityKnowledge } from '../../infra/ports/identity/security-state';
import type { Clock } from '../../infra/ports/runtime/clock';
import type { Log } from '../../infra/ports/runtime/log';
import type { IndexQueries } from '../../infra/ports/views/index-query';
import { type BoundRoute, describedOnly } from '../../infra/server/http/routing/route';
import type { ConfigOf } from '../../infra/server/runtime/config';
import type { CursorLog } from './pagination';
import type { QueryDeps } from './row-queries';
import type { Stream } from './streams/stream-definition';
import type { StreamService } from './streams/stream-service';

/** What the query API opens once, for all contexts. */
export interface QueryAdapters {
  readonly reading: QueryDeps;
  /** Searches of index views; always of the caller's tenant. */
  readonly indexes: IndexQueries;
  readonly streaming: StreamService;
  /** The log, personal fields left out. */
  readonly store: EventStore;
  /** The log as it is stored, personal fields sealed. */
  readonly readAll: EventStore['readAll'];
  readonly clock: Clock;
  readonly log: Log;
  /** The tenant whose principals operate the platform. */
  readonly operators: string;
  readonly security: SecurityKnowledge;
  /** The log that positions are of; undefined while it is not known. */
  readonly logIdentity: () => CursorLog | undefined;
  /** Aborted when the process drains. */
  readonly signal: AbortSignal;
}

export interface OpenedQueries {
  readonly routes: readonly BoundRoute[];
  /** What clients can follow over WebSockets as well. */
  readonly streams?: readonly Stream[];
  readonly close?: () => Promise<unknown>;
}

/** As the query API and documents use it. */
export interface QueryContext<Variables extends t.Props = t.Props> {
  readonly config: Variables;
  readonly open: (values: ConfigOf<Variables>, adapters: QueryAdapters) => OpenedQueries;
  /** The routes that each service answers, by the service's name, for documents that need no running service. */
  readonly routes: { readonly [service: string]: () => readonly BoundRoute[] };
}

interface DeclaredQueries<Variables extends t.Props, Deps> {
  /** Environment variables that this context reads; in the query API. */
  readonly config: Variables;
  readonly open: (
    values: ConfigOf<Variables>,
    adapters: QueryAdapters,
  ) => Omit<OpenedQueries, 'routes'> & { readonly deps: Deps };
  /** The routes of the query API. */
  readonly routes: (deps: Deps) => readonly BoundRoute[];
  /** Routes of services on the query side that the manifest declares, by the service's name, which opens them itself. */
  readonly services?: { readonly [service: string]: (deps: never) => readonly BoundRoute[] };
}

/** Lists each route once: it is opened with its dependencies, and described without. */
export const queryContext = <Variables extends t.Props, Deps>({
  config,
  open,
  routes,
  services = {},
}: DeclaredQueries<Variables, Deps>): QueryContext => {
  const opened: QueryContext<Variables>['open'] = (values, adapters) => {
    const { deps, ...rest } = open(values, adapters);
    return { ...rest, routes: routes(deps) };
  };
  const all = Object.entries({ 'read-api': routes, ...services } as NonNullable<typeof services>);
  const described = Object.fromEntries(all.map(([name, one]) => [name, () => one(describedOnly)]));
  return { config, open: opened, routes: described } as unknown as QueryContext;
};
