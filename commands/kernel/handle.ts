/** One way for every command: read, look for the command itself, fold, decide, append at the revision read. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Decider } from '../../domain/kernel/decider';
import type { DomainEvent } from '../../domain/kernel/family';
import { reject } from '../../domain/kernel/rejection';
import type { EventStoreFault, WrongRevision } from '../../infra/ports/event-store';
import {
  applyEvents,
  applyStoredEvents,
  emptyAggregate,
  type LoadedAggregate,
} from '../../infra/server/aggregates/loaded-aggregate';
import { commandNameOf } from './command-metrics';
import { currentTraceparent, recordRetry, traceCommand } from './command-tracing';
import { commandHash } from './deterministic-ids';
import { encodeEvents } from './encode-events';
import { type HandleDeps, type HandledCommand, type HandleRequest, metadataOf, type Refusal } from './handle-request';

const maxConflicts = 3;
const maxPauseMilliseconds = 20;

/** `read`: this command read the stream from the store. Cached state may be outdated. */
interface LoadedState<State> {
  readonly loaded: LoadedAggregate<State>;
  readonly read: boolean;
}

const readTail = async <Command, State, Event extends DomainEvent, Code extends string>(
  { deps, decider, request }: CommandExecution<Command, State, Event, Code>,
  loaded: LoadedAggregate<State>,
): Promise<Either<EventStoreFault, LoadedState<State>>> => {
  const tail = await deps.store.read(request.stream, loaded.revision + 1);
  if (isLeft(tail)) return tail;
  const now = applyStoredEvents(decider, loaded, tail.right);
  deps.warm?.set(decider, request.stream, now);
  return right({ loaded: now, read: true });
};

const loadState = async <Command, State, Event extends DomainEvent, Code extends string>(
  execution: CommandExecution<Command, State, Event, Code>,
): Promise<Either<EventStoreFault, LoadedState<State>>> => {
  const { deps, decider, request } = execution;
  const cached = deps.warm?.find(decider, request.stream);
  if (cached !== undefined) return right({ loaded: cached, read: false });
  const empty = emptyAggregate(decider);
  return request.fresh === true ? right({ loaded: empty, read: false }) : readTail(execution, empty);
};

type WriteResult<Event extends DomainEvent> = Either<EventStoreFault | WrongRevision, HandledCommand<Event>>;

const write = async <Command, State, Event extends DomainEvent, Code extends string>(
  { deps, decider, request, hash }: CommandExecution<Command, State, Event, Code>,
  loaded: LoadedAggregate<State>,
  events: readonly Event[],
): Promise<WriteResult<Event>> => {
  const { stream, commandId } = request;
  const metadata = { ...metadataOf(request, hash, deps.clock.now()), ...currentTraceparent(deps) };
  const encoded = encodeEvents(decider.family, stream, { decided: events, metadata });
  if (isLeft(encoded)) return encoded;
  const expected = loaded.revision < 0 ? 'no-stream' : loaded.revision;
  const appended = await deps.store.append(stream, expected, encoded.right.stored);
  if (isLeft(appended)) return appended;
  const { revision, position } = appended.right;
  const marks = [{ commandId, recorded: { hash, revision, position } }];
  // After a deletion the store continues the stream's numbering, so the cached state no longer fits.
  if (revision !== loaded.revision + events.length) deps.warm?.delete(stream);
  else deps.warm?.set(decider, stream, applyEvents(decider, loaded, { events: encoded.right.events, marks }));
  return right({ revision, position, events, repeated: false });
};

/** Reads the stream again after a failed append. */
const reloadAfterFailure = async <Command, State, Event extends DomainEvent, Code extends string>(
  execution: CommandExecution<Command, State, Event, Code>,
  { loaded, read }: LoadedState<State>,
  failure: EventStoreFault | WrongRevision,
): Promise<Either<EventStoreFault, LoadedState<State>>> => {
  if (failure.kind === 'wrong-revision' || failure.code === 'event-store-ambiguous') recordRetry(execution, failure);
  if (failure.kind === 'wrong-revision') {
    if (read) await sleep(Math.random() * maxPauseMilliseconds);
    const shorter = failure.revision === null || failure.revision < loaded.revision;
    return readTail(execution, shorter ? emptyAggregate(execution.decider) : loaded);
  }
  if (failure.code !== 'event-store-ambiguous') return left(failure);
  const seen = await readTail(execution, loaded);
  // The append may have succeeded: report it as ambiguous, not as a failed read.
  return isLeft(seen) ? left(failure) : seen;
};

const exhausted = <Code extends string>(failure: EventStoreFault | WrongRevision): Either<Refusal<Code>, never> =>
  failure.kind === 'fault' ? left(failure) : reject('conflict', 'The resource keeps changing; try again.');

const executeCommand = async <Command, State, Event extends DomainEvent, Code extends string>(
  execution: CommandExecution<Command, State, Event, Code>,
): Promise<CommandResult<Event, Code>> => {
  let current = await loadState(execution);
  let conflicts = 0;
  /** Of an append that may still reach the stream at the revision that was read. */
  let unknown: EventStoreFault | undefined;
  while (!isLeft(current)) {
    const { loaded, read } = current.right;
    const evaluation = evaluateCommand(execution, loaded);
    if (evaluation.kind === 'answer') {
      if (evaluation.certain || read) return evaluation.result;
      current = await readTail(execution, loaded);
      continue;
    }
    const written: WriteResult<Event> = await write(execution, loaded, evaluation.events);
    if (!isLeft(written)) return written;
    // Outdated cached state does not count as a conflict.
    if (read || written.left.kind === 'fault') conflicts += 1;
    if (written.left.kind === 'fault' && written.left.code === 'event-store-ambiguous') unknown = written.left;
    if (conflicts > maxConflicts) return unknown === undefined ? exhausted(written.left) : left(unknown);
    const reloaded = await reloadAfterFailure(execution, current.right, written.left);
    if (isLeft(reloaded)) return left(unknown ?? reloaded.left);
    // The stream has grown beyond that revision.
    if (written.left.kind === 'wrong-revision') unknown = undefined;
    current = reloaded;
  }
  return current;
};

/** Handles a command. Repeated `commandId`s have one effect and one answer, also across concurrent processes. */
export const handle = <Command, State, Event extends DomainEvent, Code extends string>(
  deps: HandleDeps,
  decider: Decider<Command, State, Event, Code>,
  request: HandleRequest<Command>,
): Promise<CommandResult<Event, Code>> => {
  const execution = { deps, decider, request, hash: commandHash(request.fingerprint ?? request.command) };
  const go = () =>
    deps.warm === undefined
      ? executeCommand(execution)
      : deps.warm.runExclusive(request.stream, () => executeCommand(execution));
  return traceCommand(deps, commandNameOf(decider.family.context, request.command), go);
};

export type CommandResult<Event extends DomainEvent, Code extends string> = Either<
  Refusal<Code>,
  HandledCommand<Event>
>;

export interface CommandExecution<Command, State, Event extends DomainEvent, Code extends string> {
  readonly deps: HandleDeps;
  readonly decider: Decider<Command, State, Event, Code>;
  readonly request: HandleRequest<Command>;
  readonly hash: string;
}

type Evaluation<Event extends DomainEvent, Code extends string> =
  | { readonly kind: 'append'; readonly events: readonly Event[] }
  /** `certain`: holds even if the stream has grown since it was read. */
  | { readonly kind: 'answer'; readonly result: CommandResult<Event, Code>; readonly certain: boolean };

const answerOnly = <Event extends DomainEvent, Code extends string>(
  result: CommandResult<Event, Code>,
  certain = false,
): Evaluation<Event, Code> => ({ kind: 'answer', result, certain });

/** Hash of commands whose input was erased: the command's id alone identifies them. */
const erasedHash = 'forgotten';

const evaluateCommand = <Command, State, Event extends DomainEvent, Code extends string>(
  { decider, request, hash }: CommandExecution<Command, State, Event, Code>,
  { state, revision, position, commands }: LoadedAggregate<State>,
): Evaluation<Event, Code> => {
  const recorded = commands.get(request.commandId);
  if (recorded !== undefined && recorded.hash !== hash && recorded.hash !== erasedHash)
    return answerOnly(reject('idempotency-key-reused', 'The key was used before for another command.'), true);
  if (recorded !== undefined)
    return answerOnly(
      right({ revision: recorded.revision, position: recorded.position, events: [], repeated: true }),
      true,
    );
  const { ifMatch } = request;
  if (ifMatch === 'any' ? revision < 0 : ifMatch !== undefined && ifMatch !== revision)
    return answerOnly(reject('revision-differs', 'The resource is not at the expected revision.'));
  const decision = decider.decide(request.command, state);
  if (isLeft(decision)) return answerOnly(decision);
  if (decision.right.length === 0) return answerOnly(right({ revision, position, events: [], repeated: false }));
  return { kind: 'append', events: decision.right };
};
