/** Request, dependencies and result of `handle`. */
import type { Instant } from '../../domain/kernel/codec';
import type { DomainEvent } from '../../domain/kernel/family';
import type { TenantId } from '../../domain/kernel/ids';
import type { EventMetadata } from '../../domain/kernel/metadata';
import type { Rejection } from '../../domain/kernel/rejection';
import type { EventStore, EventStoreFault } from '../../infra/ports/event-store';
import type { Clock } from '../../infra/ports/runtime/clock';
import type { Log } from '../../infra/ports/runtime/log';
import type { Tracer } from '../../infra/ports/runtime/trace';
import type { Identity } from '../../infra/server/http/routing/route';
import type { CommandMetrics } from './command-metrics';
import type { ExclusiveAggregates } from './exclusive-aggregates';

export interface HandleDeps {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly log?: Log;
  readonly warm?: ExclusiveAggregates;
  readonly commandMetrics: CommandMetrics;
  readonly trace?: Tracer | undefined;
}

type CallerMetadata = Pick<
  EventMetadata,
  'onBehalfOf' | 'delegationId' | 'taskId' | 'authenticatedAt' | 'methods' | 'authContext'
>;

/** The caller of a route, with its delegation and its authentication. */
interface Caller {
  readonly principalId: string;
  readonly metadata: CallerMetadata;
}

/** Who acts: the caller of a route, a person at a page, a client, or `system:<part>`. The `principalId` of an `Identity` is none: see `callerOf`. */
export type Actor = Caller | (string & { readonly __role?: 'actor' });

const delegationOf = ({ delegation }: Pick<Identity, 'delegation'>): CallerMetadata => {
  if (delegation === undefined) return {};
  const { onBehalfOf, delegationId, taskId } = delegation;
  return { onBehalfOf, delegationId, taskId };
};

const signInOf = ({ authenticatedAt, methods = [] }: Pick<Identity, 'authenticatedAt' | 'methods'>): CallerMetadata =>
  authenticatedAt === undefined
    ? {}
    : { authenticatedAt: new Date(authenticatedAt).toISOString() as Instant, methods: [...methods] };

type CallerIdentity = Pick<Identity, 'principalId' | 'delegation' | 'authenticatedAt' | 'methods' | 'authContext'>;

export const callerOf = (identity: CallerIdentity): Caller => {
  const { principalId, authContext } = identity;
  const context = authContext === undefined ? {} : { authContext: [...authContext] };
  return { principalId, metadata: { ...delegationOf(identity), ...signInOf(identity), ...context } };
};

const actorFields = (actor: Actor): Pick<EventMetadata, 'actor'> & CallerMetadata =>
  typeof actor === 'string' ? { actor } : { actor: actor.principalId, ...actor.metadata };

export interface HandleRequest<Command> {
  readonly stream: string;
  readonly command: Command;
  /** Identifies the command among all of its caller's. A repetition gets the first answer. */
  readonly commandId: string;
  readonly tenant: TenantId;
  readonly actor: Actor;
  readonly correlationId: string;
  /** The event that caused it; the command itself when absent. */
  readonly causationId?: string;
  /** How many processes' commands led to it since the last job, this one included; none when left out. */
  readonly depth?: number;
  /** How many jobs led to it; none when left out. */
  readonly jobDepth?: number;
  /** The revision that the caller knows; `any`: whichever, but the stream must exist. */
  readonly ifMatch?: number | 'any';
  /** The stream's id derives from the command's, so the stream is new unless the command is a retry. */
  readonly fresh?: boolean;
  /** The caller's input, where the command also holds values of the server: a retry must have the same hash. */
  readonly fingerprint?: unknown;
}

export type HandleRejection<Code extends string> = Rejection<
  Code | 'conflict' | 'revision-differs' | 'idempotency-key-reused'
>;

export type Refusal<Code extends string> = HandleRejection<Code> | EventStoreFault;

export interface HandledCommand<Event extends DomainEvent> {
  /** Of the command's last event; the stream's when it made none; -1 when there is no stream. */
  readonly revision: number;
  /** 0 when there is no stream. */
  readonly position: bigint;
  /** Those written now: none when there was nothing to do, or the command is repeated. */
  readonly events: readonly Event[];
  /** The command was recorded before. */
  readonly repeated: boolean;
}

type MetadataSource = Omit<HandleRequest<unknown>, 'stream' | 'command' | 'ifMatch' | 'fresh' | 'fingerprint'>;

export const metadataOf = (request: MetadataSource, commandHash: string, at: Instant): EventMetadata => ({
  $correlationId: request.correlationId,
  $causationId: request.causationId ?? request.commandId,
  commandId: request.commandId,
  commandHash,
  tenant: request.tenant,
  ...actorFields(request.actor),
  at,
  ...(request.depth === undefined ? {} : { depth: request.depth }),
  ...(request.jobDepth === undefined ? {} : { jobDepth: request.jobDepth }),
});
