/** What a command comes to on what is known of its stream. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Decider } from '../../domain/kernel/decider';
import type { DomainEvent } from '../../domain/kernel/family';
import { reject } from '../../domain/kernel/rejection';
import type { LoadedAggregate } from '../../infra/aggregates/loaded-aggregate';
import type { HandleDeps, Handled, HandleRequest, Refusal } from './request';

export type Result<Event extends DomainEvent, Code extends string> = Either<Refusal<Code>, Handled<Event>>;

/** One command on its way. */
export interface Task<Command, State, Event extends DomainEvent, Code extends string> {
  readonly deps: HandleDeps;
  readonly decider: Decider<Command, State, Event, Code>;
  readonly request: HandleRequest<Command>;
  readonly hash: string;
}

type Verdict<Event extends DomainEvent, Code extends string> =
  | { readonly kind: 'append'; readonly events: readonly Event[] }
  /** `certain`: true whatever the stream has become since it was read. */
  | { readonly kind: 'answer'; readonly result: Result<Event, Code>; readonly certain: boolean };

const answer = <Event extends DomainEvent, Code extends string>(
  result: Result<Event, Code>,
  certain = false,
): Verdict<Event, Code> => ({ kind: 'answer', result, certain });

/** What was asked for then is forgotten: the command's id alone says that it is the same one. */
const forgottenHash = 'forgotten';

export const judge = <Command, State, Event extends DomainEvent, Code extends string>(
  { decider, request, hash }: Task<Command, State, Event, Code>,
  { state, revision, position, commands }: LoadedAggregate<State>,
): Verdict<Event, Code> => {
  const recorded = commands.get(request.commandId);
  if (recorded !== undefined && recorded.hash !== hash && recorded.hash !== forgottenHash)
    return answer(reject('idempotency-key-reused', 'The key was used before for another command.'), true);
  if (recorded !== undefined)
    return answer(
      right({ revision: recorded.revision, position: recorded.position, events: [], repeated: true }),
      true,
    );
  const { ifMatch } = request;
  if (ifMatch === 'any' ? revision < 0 : ifMatch !== undefined && ifMatch !== revision)
    return answer(reject('revision-differs', 'The resource is not at the revision given.'));
  const decision = decider.decide(request.command, state);
  if (isLeft(decision)) return answer(decision);
  if (decision.right.length === 0) return answer(right({ revision, position, events: [], repeated: false }));
  return { kind: 'append', events: decision.right };
};
