/** A process manager answers events with commands, timers and jobs. Pure: it remembers by state events in its instance's own stream. */
import type { Instant } from './codec';
import { type AggregateFamily, type DomainEvent, type Family, family } from './family';
import type { TenantId } from './ids';
import type { JobQueue } from './job-queue';

/** A command to an aggregate of the event's own tenant; `to` is the aggregate's category, `<context>.<aggregate>`. */
export interface Send<To extends string = string, Command = unknown> {
  readonly kind: 'send';
  readonly to: To;
  readonly id: string;
  readonly command: Command;
}

/** A later one under the same key takes the place of an earlier one. */
export interface Schedule<Sent extends Send = Send> {
  readonly kind: 'schedule';
  readonly key: string;
  readonly at: Instant;
  readonly send: Sent;
}

export interface Cancel {
  readonly kind: 'cancel';
  readonly key: string;
}

type NumbersBelow<Last extends number, Counted extends readonly number[] = []> = Counted['length'] extends Last
  ? Counted[number]
  : NumbersBelow<Last, readonly [...Counted, Counted['length']]>;

/** 1 to 100, as the codec of recorded actions has it: more would stop the process when it reacts. */
export type JobAttempts = Exclude<NumbersBelow<101>, 0>;

/** A slow job for the queue's handler; made by `enqueueJob`. */
export interface EnqueueJob {
  readonly kind: 'work';
  readonly queue: string;
  /** JSON, as the queue's codec encodes it. */
  readonly payload: unknown;
  /** What is to be done, among the jobs of its queue; the queue's name when left out. */
  readonly jobKind?: string;
  /** 0 when left out; a higher one is claimed first. */
  readonly priority?: number;
  readonly delaySeconds?: number;
  /** Not claimed earlier, nor before the delay is over. */
  readonly notBefore?: Instant;
  /** A job that is not done by then is a dead letter. */
  readonly deadline?: Instant;
  readonly mostAttempts?: JobAttempts;
}

export type Action<Sent extends Send = Send> = Sent | Schedule<Sent> | Cancel | EnqueueJob;

/** A recorded event as a process sees it. */
export interface TriggerEvent<Event extends DomainEvent = DomainEvent> {
  readonly id: string;
  readonly event: Event;
  readonly tenant: TenantId;
  /** The last part of its stream's name. */
  readonly entityId: string;
  readonly at: Instant;
  /** This very process caused it. */
  readonly isSelfCaused: boolean;
}

/** Aggregates whose streams are followed. Without what encodes: a process may follow several. */
export type SubscribedStreams<Event extends DomainEvent = DomainEvent> = Pick<
  AggregateFamily<Event>,
  'prefix' | 'decode'
>;

export interface Reaction<StateEvent extends DomainEvent = DomainEvent, Sent extends Send = Send> {
  readonly stateEvents?: readonly StateEvent[];
  readonly actions?: readonly Action<Sent>[];
}

export interface Process<State, StateEvent extends DomainEvent, Event extends DomainEvent, Sent extends Send> {
  /** `<verb>-on-<event>`; its instances' streams are named after it. */
  readonly name: string;
  readonly context: string;
  readonly subscribes: readonly SubscribedStreams<Event>[];
  /** `first-run`: what was recorded before the process first ran does not concern it. */
  readonly startFrom: 'first-event' | 'first-run';
  /** Which instance the event is for; undefined when it concerns none. Each event that has one leaves a mark there. */
  readonly key: (happened: TriggerEvent<Event>) => string | undefined;
  readonly stateEvents: Family<StateEvent>;
  readonly initial: State;
  readonly evolve: (state: State, event: StateEvent) => State;
  readonly react: (state: State, happened: TriggerEvent<Event>) => Reaction<StateEvent, Sent>;
}

export const send = <const To extends string, Command>(to: To, id: string, command: Command): Send<To, Command> => ({
  kind: 'send',
  to,
  id,
  command,
});

export const schedule = <Sent extends Send>(key: string, at: Instant, sent: Sent): Schedule<Sent> => ({
  kind: 'schedule',
  key,
  at,
  send: sent,
});

export const cancel = (key: string): Cancel => ({ kind: 'cancel', key });

export const enqueueJob = <Payload>(
  queue: JobQueue<Payload>,
  payload: NoInfer<Payload>,
  more: Partial<Omit<EnqueueJob, 'kind' | 'queue' | 'payload'>> = {},
): EnqueueJob => ({
  ...more,
  kind: 'work',
  queue: queue.name,
  payload: queue.payload.encode(payload),
});

type Policy<Event extends DomainEvent, Sent extends Send> = Omit<
  Process<undefined, never, Event, Sent>,
  'stateEvents' | 'initial' | 'evolve' | 'react'
> & { readonly answer: (happened: TriggerEvent<Event>) => readonly Action<Sent>[] };

/** A process that remembers nothing: each event is answered by itself. */
export const policy = <Event extends DomainEvent, Sent extends Send>({
  answer,
  ...rest
}: Policy<Event, Sent>): Process<undefined, never, Event, Sent> => ({
  ...rest,
  stateEvents: family(rest.context, {}) as unknown as Family<never>,
  initial: undefined,
  evolve: () => undefined,
  react: (_, happened) => ({ actions: answer(happened) }),
});
