/** One way for every command: read, look for the command itself, fold, decide, append at the revision read. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Decider } from '../../domain/kernel/decider';
import type { DomainEvent } from '../../domain/kernel/family';
import { reject } from '../../domain/kernel/rejection';
import {
  applyEvents,
  applyStoredEvents,
  emptyAggregate,
  type LoadedAggregate,
} from '../../infra/aggregates/loaded-aggregate';
import type { EventStoreFault, WrongRevision } from '../../infra/ports/event-store';
import { commandHash } from './derive';
import { nameOf } from './figures';
import { judge, type Result, type Task } from './judge';
import { again, observed, tracedBy } from './observed';
import { propose } from './proposal';
import { type HandleDeps, type Handled, type HandleRequest, metadataOf, type Refusal } from './request';

const mostConflicts = 3;
const longestPauseMilliseconds = 20;

/** `read`: the store was asked during this command; otherwise it may have grown. */
interface Sight<State> {
  readonly loaded: LoadedAggregate<State>;
  readonly read: boolean;
}

const grown = async <Command, State, Event extends DomainEvent, Code extends string>(
  { deps, decider, request }: Task<Command, State, Event, Code>,
  loaded: LoadedAggregate<State>,
): Promise<Either<EventStoreFault, Sight<State>>> => {
  const tail = await deps.store.read(request.stream, loaded.revision + 1);
  if (isLeft(tail)) return tail;
  const now = applyStoredEvents(decider, loaded, tail.right);
  deps.warm?.set(decider, request.stream, now);
  return right({ loaded: now, read: true });
};

const firstSight = async <Command, State, Event extends DomainEvent, Code extends string>(
  task: Task<Command, State, Event, Code>,
): Promise<Either<EventStoreFault, Sight<State>>> => {
  const { deps, decider, request } = task;
  const warm = deps.warm?.find(decider, request.stream);
  if (warm !== undefined) return right({ loaded: warm, read: false });
  const nothing = emptyAggregate(decider);
  return request.fresh === true ? right({ loaded: nothing, read: false }) : grown(task, nothing);
};

type Written<Event extends DomainEvent> = Either<EventStoreFault | WrongRevision, Handled<Event>>;

const write = async <Command, State, Event extends DomainEvent, Code extends string>(
  { deps, decider, request, hash }: Task<Command, State, Event, Code>,
  loaded: LoadedAggregate<State>,
  events: readonly Event[],
): Promise<Written<Event>> => {
  const { stream, commandId } = request;
  const metadata = { ...metadataOf(request, hash, deps.clock.now()), ...tracedBy(deps) };
  const proposal = propose(decider.family, stream, [events, metadata]);
  if (isLeft(proposal)) return proposal;
  const expected = loaded.revision < 0 ? 'no-stream' : loaded.revision;
  const appended = await deps.store.append(stream, expected, proposal.right.stored);
  if (isLeft(appended)) return appended;
  const { revision, position } = appended.right;
  const marks = [[commandId, { hash, revision, position }]] as const;
  // Another revision than the next: the store numbers a stream that was ended once on from there.
  if (revision !== loaded.revision + events.length) deps.warm?.delete(stream);
  else deps.warm?.set(decider, stream, applyEvents(decider, loaded, { events: proposal.right.events, marks }));
  return right({ revision, position, events, repeated: false });
};

/** Looks again after an append that did not succeed. */
const lookAgain = async <Command, State, Event extends DomainEvent, Code extends string>(
  task: Task<Command, State, Event, Code>,
  { loaded, read }: Sight<State>,
  failure: EventStoreFault | WrongRevision,
): Promise<Either<EventStoreFault, Sight<State>>> => {
  if (failure.kind === 'wrong-revision' || failure.code === 'event-store-ambiguous') again(task, failure);
  if (failure.kind === 'wrong-revision') {
    if (read) await sleep(Math.random() * longestPauseMilliseconds);
    const shorter = failure.revision === null || failure.revision < loaded.revision;
    return grown(task, shorter ? emptyAggregate(task.decider) : loaded);
  }
  if (failure.code !== 'event-store-ambiguous') return left(failure);
  const seen = await grown(task, loaded);
  // It may be written: that must not turn into the milder fault of a read.
  return isLeft(seen) ? left(failure) : seen;
};

const exhausted = <Code extends string>(failure: EventStoreFault | WrongRevision): Either<Refusal<Code>, never> =>
  failure.kind === 'fault' ? left(failure) : reject('conflict', 'The resource keeps changing; try again.');

const run = async <Command, State, Event extends DomainEvent, Code extends string>(
  task: Task<Command, State, Event, Code>,
): Promise<Result<Event, Code>> => {
  let sight = await firstSight(task);
  let conflicts = 0;
  while (!isLeft(sight)) {
    const { loaded, read } = sight.right;
    const verdict = judge(task, loaded);
    if (verdict.kind === 'answer') {
      if (verdict.certain || read) return verdict.result;
      sight = await grown(task, loaded);
      continue;
    }
    const written: Written<Event> = await write(task, loaded, verdict.events);
    if (!isLeft(written)) return written;
    // State that was merely out of date costs a look, not one of the tries.
    if (read || written.left.kind === 'fault') conflicts += 1;
    if (conflicts > mostConflicts) return exhausted(written.left);
    sight = await lookAgain(task, sight.right, written.left);
  }
  return sight;
};

/** `request.commandId` said twice has one effect and one answer, from any number of processes at once. */
export const handle = <Command, State, Event extends DomainEvent, Code extends string>(
  deps: HandleDeps,
  decider: Decider<Command, State, Event, Code>,
  request: HandleRequest<Command>,
): Promise<Result<Event, Code>> => {
  const task = { deps, decider, request, hash: commandHash(request.fingerprint ?? request.command) };
  const go = () => (deps.warm === undefined ? run(task) : deps.warm.inTurn(request.stream, () => run(task)));
  return observed(deps, nameOf(decider.family.context, request.command), go);
};
