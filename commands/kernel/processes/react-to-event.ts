/** Decides the reaction to an event once, records it, and performs it until it is done. */
import { isLeft } from 'fp-ts/Either';
import { type ProcessEvent, processEvents, type RecordedAction } from '../../../domain/kernel/process-events';
import type { EventStore } from '../../../infra/ports/event-store';
import { derivedId } from '../deterministic-ids';
import { handle } from '../handle';
import { performAction } from './perform-actions';
import type { EventDelivery } from './process-binding';
import { originOf, type ReactionContext, type ReactionOrigin, requestFor } from './send-command';

/** `again`: temporary failure. `impossible`: the reaction exceeds the log's size limit. */
export type ReactionOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'again' | 'impossible'; readonly detail: string };

const decideReaction = ({ deps, process }: ReactionContext, { happened }: EventDelivery, owner: ReactionOrigin) =>
  handle(deps, process.instance, {
    ...requestFor(process, owner),
    command: { type: 'React', happened },
    commandId: derivedId('reaction', process.name, happened.id),
    fingerprint: happened.id,
  });

interface DecidedReaction {
  readonly actions: readonly RecordedAction[];
  /** Ids of commands whose refusal is recorded; they are not sent again. */
  readonly refused: ReadonlySet<string>;
}

const unavailable = { kind: 'again', detail: 'The log cannot be read right now.' } as const;

/** The recorded reaction, even if the process would now decide otherwise. */
const readRecordedReaction = async (
  store: EventStore,
  stream: string,
  revision: number,
): Promise<DecidedReaction | undefined> => {
  const tail = await store.read(stream, revision);
  if (isLeft(tail)) return undefined;
  const events = tail.right.flatMap(({ type, data }) => {
    const event = processEvents.decode(type, data);
    return isLeft(event) ? [] : [event.right];
  });
  const refused = events.flatMap((event) => (event.type === 'CommandRefused' ? [event.data.commandId] : []));
  const [reacted] = events;
  if (reacted?.type !== 'Reacted') throw new Error(`${stream} holds no answer at revision ${revision}`);
  return { actions: reacted.data.actions, refused: new Set(refused) };
};

const newReaction = (events: readonly { readonly type: string }[]): DecidedReaction => {
  const reacted = events.at(-1) as ProcessEvent | undefined;
  if (reacted?.type !== 'Reacted') throw new Error('an answer was recorded without its mark');
  return { actions: reacted.data.actions, refused: new Set() };
};

export const reactToEvent = async (context: ReactionContext, arrival: EventDelivery): Promise<ReactionOutcome> => {
  const { deps, process } = context;
  const owner = originOf(arrival);
  const handled = await decideReaction(context, arrival, owner);
  if (isLeft(handled))
    return { kind: handled.left.code === 'event-refused' ? 'impossible' : 'again', detail: handled.left.detail };
  const { repeated, revision, events } = handled.right;
  const decided = repeated ? await readRecordedReaction(deps.store, owner.instance, revision) : newReaction(events);
  if (decided === undefined) return unavailable;
  for (const [ordinal, action] of decided.actions.entries()) {
    if (decided.refused.has(derivedId('command', process.name, owner.eventId, ordinal))) continue;
    const outcome = await performAction(context, { arrival, owner, ordinal }, action);
    if (outcome.kind === 'again') return outcome;
  }
  return { kind: 'done' };
};
