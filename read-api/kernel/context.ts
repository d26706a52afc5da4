/** What a context brings to the query side: `read-api/<context>/context.ts` exports a `QueryContext`. */
import type * as t from 'io-ts';
import type { ConfigOf } from '../../infra/config';
import type { BoundRoute } from '../../infra/http/route';
import type { Clock } from '../../infra/ports/clock';
import type { EventStore } from '../../infra/ports/event-store';
import type { SecurityKnowledge } from '../../infra/ports/security-state';
import type { Reading } from './query';
import type { Stream } from './stream';
import type { Streaming } from './streaming';

/** What the query API opens once, for all contexts. */
export interface QueryPlatform {
  readonly reading: Reading;
  readonly streaming: Streaming;
  /** The log, personal fields left out. */
  readonly store: EventStore;
  /** The log as it is stored, personal fields sealed. */
  readonly readAll: EventStore['readAll'];
  readonly clock: Clock;
  /** The tenant whose principals operate the platform. */
  readonly operators: string;
  readonly security: SecurityKnowledge;
}

export interface OpenedQueries {
  readonly routes: readonly BoundRoute[];
  /** What clients can follow over WebSockets as well. */
  readonly streams?: readonly Stream[];
  readonly close?: () => Promise<unknown>;
}

export interface QueryContext<Variables extends t.Props = t.Props> {
  /** Environment variables that this context reads; in the query API. */
  readonly config: Variables;
  readonly open: (values: ConfigOf<Variables>, platform: QueryPlatform) => OpenedQueries;
  /** Its routes as documents describe them; nothing is opened. */
  readonly routes: () => readonly BoundRoute[];
}

/** Infers the variables' types. */
export const queryContext = <Variables extends t.Props>(context: QueryContext<Variables>): QueryContext =>
  context as unknown as QueryContext;
