/** Binds a process to the deciders of its commands, and decodes stored events for it. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { ContextProcesses } from '../../../domain/kernel/aggregate';
import { decodeStored } from '../../../domain/kernel/codec';
import type { Decider } from '../../../domain/kernel/decider';
import type { DomainEvent } from '../../../domain/kernel/family';
import { idOf, parseStreamName, type TenantId } from '../../../domain/kernel/ids';
import { EventMetadata } from '../../../domain/kernel/metadata';
import type { Process, Send, SubscribedStreams, TriggerEvent } from '../../../domain/kernel/process';
import type { AnyProcess } from '../../../domain/kernel/process-instance';
import type { StoredEvent } from '../../../infra/ports/event-store';
import { handle } from '../handle';
import type { HandleDeps, HandledCommand, HandleRequest, Refusal } from '../handle-request';
import { type Instance, instanceOf } from './process-instance';

/** Handler of the commands of one aggregate. */
export type CommandTarget<Command> = (
  deps: HandleDeps,
  request: HandleRequest<Command>,
) => Promise<Either<Refusal<string>, HandledCommand<DomainEvent>>>;

export const commandTarget =
  <Command, State, Event extends DomainEvent, Code extends string>(
    decider: Decider<Command, State, Event, Code>,
  ): CommandTarget<Command> =>
  (deps, request) =>
    handle(deps, decider, request);

export type CommandTargets = { readonly [category: string]: CommandTarget<never> };

/** Every category that the process sends to has a decider that takes what it sends. */
type TargetsOf<Sent extends Send> = {
  readonly [To in Sent['to']]: CommandTarget<Extract<Sent, { to: To }>['command']>;
};

/** One event on its way to one instance. */
export interface EventDelivery extends DecodedEvent {
  readonly instance: string;
  readonly tenant: TenantId;
}

export interface BoundProcess {
  readonly name: string;
  readonly startFrom: 'first-event' | 'first-run';
  readonly actor: string;
  /** Category of its instances' streams, `<context>.<aggregate>`. */
  readonly category: string;
  /** Prefixes of the subscribed streams. */
  readonly prefixes: readonly string[];
  readonly instance: Instance;
  readonly targets: CommandTargets;
  /** Undefined when the event concerns no instance. */
  readonly deliveryOf: (stored: StoredEvent) => Either<UndeliverableEvent, EventDelivery | undefined>;
}

const InstanceKey = idOf('InstanceKey');
const nameShape = /^[a-z]+(-[a-z]+)*$/;

const createDelivery =
  (process: AnyProcess, { family }: Instance, actor: string): BoundProcess['deliveryOf'] =>
  (stored) => {
    const cause = decodeForProcess(process.subscribes, stored, actor);
    if (cause._tag === 'Left') return cause;
    const { happened } = cause.right;
    try {
      const key = process.key(happened);
      if (key === undefined) return right(undefined);
      if (!InstanceKey.is(key)) return left({ stored, reason: 'The key of the instance is not a valid id.' });
      return right({ ...cause.right, instance: family.stream(happened.tenant, key), tenant: happened.tenant });
    } catch (error) {
      return left({ stored, reason: `The process is defective: ${error instanceof Error ? error.name : 'it threw'}.` });
    }
  };

export const bindProcess = <State, StateEvent extends DomainEvent, Event extends DomainEvent, Sent extends Send>(
  declared: Process<State, StateEvent, Event, Sent>,
  targets: TargetsOf<Sent>,
): BoundProcess => {
  const process = declared as unknown as AnyProcess;
  if (!nameShape.test(process.name)) throw new Error(`${process.name} is not a name of a process`);
  const actor = `system:${process.name}`;
  const instance = instanceOf(process);
  return {
    name: process.name,
    startFrom: process.startFrom,
    actor,
    category: instance.family.category,
    prefixes: process.subscribes.map(({ prefix }) => prefix),
    instance,
    targets: targets as CommandTargets,
    deliveryOf: createDelivery(process, instance, actor),
  };
};

type SentBy<Declared> =
  Declared extends Process<infer _State, infer _StateEvent, infer _Event, infer Sent> ? Sent : never;

/** One for each process that the context declares. */
export type Bindings<Declared extends ContextProcesses> = { readonly [Name in keyof Declared]: BoundProcess };

export const bindProcesses = <Declared extends ContextProcesses>(
  declared: Declared,
  targets: { readonly [Name in keyof Declared]: TargetsOf<SentBy<Declared[Name]>> },
): Bindings<Declared> => {
  const bound = Object.entries(declared).map(([name, process]) => [
    name,
    bindProcess(process as AnyProcess, targets[name as keyof Declared] as never),
  ]);
  return Object.fromEntries(bound) as Bindings<Declared>;
};

/** An event that a process cannot handle. The process stops there, because later events may depend on it. */
export interface UndeliverableEvent {
  readonly stored: StoredEvent;
  readonly reason: string;
}

export interface DecodedEvent {
  readonly happened: TriggerEvent;
  readonly position: bigint;
  readonly correlationId: string;
  readonly depth: number;
  readonly jobDepth: number;
  /** Of the span that recorded the event. */
  readonly traceparent: string | undefined;
}

const decodeForProcess = (
  follows: readonly SubscribedStreams[],
  stored: StoredEvent,
  actor: string,
): Either<UndeliverableEvent, DecodedEvent> => {
  const named = parseStreamName(stored.stream);
  const followed = follows.find(({ prefix }) => stored.stream.startsWith(prefix));
  if (named === undefined || followed === undefined)
    return left({ stored, reason: 'The name of its stream has no tenant.' });
  const metadata = decodeStored(EventMetadata, stored.metadata);
  if (isLeft(metadata)) return left({ stored, reason: 'Its metadata cannot be read.' });
  const event = followed.decode(stored.type, stored.data);
  if (isLeft(event)) return left({ stored, reason: 'Its data cannot be read.' });
  const { tenant, at, actor: by, $correlationId: correlationId, depth = 0, jobDepth = 0, traceparent } = metadata.right;
  if (tenant !== named.tenant) return left({ stored, reason: 'Stream and metadata name different tenants.' });
  const happened = { id: stored.id, event: event.right, tenant, entityId: named.id, at, isSelfCaused: by === actor };
  return right({ happened, position: stored.position, correlationId, depth, jobDepth, traceparent });
};
