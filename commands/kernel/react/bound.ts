/** A process with the deciders that its commands go to. */
import { type Either, left, right } from 'fp-ts/Either';
import type { Decider } from '../../../domain/kernel/decider';
import type { DomainEvent } from '../../../domain/kernel/family';
import { idOf, streamName, type TenantId } from '../../../domain/kernel/ids';
import type { Process, Send } from '../../../domain/kernel/process';
import type { StoredEvent } from '../../../infra/ports/event-store';
import { handle } from '../handle';
import type { HandleDeps, Handled, HandleRequest, Refusal } from '../request';
import { type AnyProcess, type Instance, instanceOf } from './instance';
import { type Cause, causeOf, type Defect } from './recorded';

/** What takes commands of one kind, whatever they make. */
export type Target<Command> = (
  deps: HandleDeps,
  request: HandleRequest<Command>,
) => Promise<Either<Refusal<string>, Handled<DomainEvent>>>;

export const target =
  <Command, State, Event extends DomainEvent, Code extends string>(
    decider: Decider<Command, State, Event, Code>,
  ): Target<Command> =>
  (deps, request) =>
    handle(deps, decider, request);

export type AnyTargets = { readonly [category: string]: Target<never> };

/** Every category that the process sends to has a decider that takes what it sends. */
type TargetsOf<Sent extends Send> = { readonly [To in Sent['to']]: Target<Extract<Sent, { to: To }>['command']> };

/** One event on its way to one instance. */
export interface Arrival extends Cause {
  readonly instance: string;
  readonly tenant: TenantId;
}

export interface BoundProcess {
  readonly name: string;
  readonly begins: 'first-event' | 'first-run';
  readonly actor: string;
  /** How the names of the streams that it follows begin. */
  readonly prefixes: readonly string[];
  readonly instance: Instance;
  readonly targets: AnyTargets;
  /** Undefined when the event concerns no instance. */
  readonly arrival: (stored: StoredEvent) => Either<Defect, Arrival | undefined>;
}

const InstanceKey = idOf('InstanceKey');
const nameShape = /^[a-z]+(-[a-z]+)*$/;
const camelCase = (name: string): string => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

const arrivalOf =
  (process: AnyProcess, actor: string): BoundProcess['arrival'] =>
  (stored) => {
    const cause = causeOf(process.follows, stored, actor);
    if (cause._tag === 'Left') return cause;
    const { happened } = cause.right;
    try {
      const key = process.key(happened);
      if (key === undefined) return right(undefined);
      if (!InstanceKey.is(key)) return left({ stored, reason: 'The key of its instance is no id.' });
      const { context, name } = process;
      const instance = streamName({ context, aggregate: camelCase(name), tenant: happened.tenant, id: key });
      return right({ ...cause.right, instance, tenant: happened.tenant });
    } catch (error) {
      return left({ stored, reason: `The process is defective: ${error instanceof Error ? error.name : 'it threw'}.` });
    }
  };

export const bindProcess = <State, Note extends DomainEvent, Event extends DomainEvent, Sent extends Send>(
  given: Process<State, Note, Event, Sent>,
  targets: TargetsOf<Sent>,
): BoundProcess => {
  const process = given as unknown as AnyProcess;
  if (!nameShape.test(process.name)) throw new Error(`${process.name} is no name of a process`);
  const actor = `system:${process.name}`;
  return {
    name: process.name,
    begins: process.begins,
    actor,
    prefixes: process.follows.map(({ family, aggregate }) => `${family.context}.${aggregate}-`),
    instance: instanceOf(process),
    targets: targets as AnyTargets,
    arrival: arrivalOf(process, actor),
  };
};
