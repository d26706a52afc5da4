/** The state of an aggregate before and after one of its events, folded from all events up to it; bounded. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import type { ExplorerEvent } from '../../../infra/ports/stream-pages';
import type { ViewFault } from '../../../infra/ports/views/view-store';
import type { Explorer } from '../explorer';
import { forgotten, loadRedactionContext, redactState, sealed } from './redaction';
import { changesBetween, type StateChange } from './state-diff';

/** More than that would keep others waiting. */
const maxFoldedEvents = 2_000;
const maxFoldedBytes = 16 * 1024 * 1024;
const maxStateBytes = 512 * 1024;
const maxChanges = 500;

export type StateAtEvent =
  | { readonly before: unknown; readonly after: unknown; readonly changes: readonly StateChange[] }
  /** Why there is none: a sentence. */
  | { readonly stateOmitted: string };

type Fault = EventStoreFault | ViewFault;

const omitted = (stateOmitted: string): Either<never, StateAtEvent> => right({ stateOmitted });

/** All of the stream's events up to the revision; left: why they are not to be had. */
const eventsUpTo = async (
  { pages }: Explorer,
  stream: string,
  revision: number,
): Promise<Either<Fault, Either<string, readonly ExplorerEvent[]>>> => {
  if (revision >= maxFoldedEvents)
    return right(
      left(`The state is made of the first ${maxFoldedEvents} events of a stream only; this is a later one.`),
    );
  const page = { stream, from: 0, direction: 'forwards', limit: revision + 1, mostBytes: maxFoldedBytes } as const;
  const read = await pages.stream(page);
  if (isLeft(read)) return read;
  const { events } = read.right;
  if (events[0]?.revision !== 0) return right(left('The stream has lost its first events to retention.'));
  if (events.at(-1)?.revision !== revision) return right(left('The events before this one are too large.'));
  return right(right(events));
};

const redactAround = (
  { before, after }: { readonly before: unknown; readonly after: unknown },
  secret: object,
): StateAtEvent => {
  const [was, is] = [redactState(before, secret), redactState(after, secret)];
  if (JSON.stringify([was, is]).length > maxStateBytes) return { stateOmitted: 'The state is too large to display.' };
  const changes = changesBetween(was, is);
  if (changes.length > maxChanges) return { stateOmitted: `The event changed more than ${maxChanges} values.` };
  return { before: was, after: is, changes };
};

/** Values in the state do not name their key, so a value counts as erased when all keys are erased. */
const secretOf = async (
  explorer: Explorer,
  audience: string,
  events: readonly ExplorerEvent[],
): Promise<Either<Fault, object>> => {
  const keys = events.flatMap(({ sealedWith }) => Object.values(sealedWith));
  const showing = await loadRedactionContext(explorer, audience, events);
  if (isLeft(showing)) return showing;
  return right(keys.every(showing.right.isForgotten) ? forgotten : sealed);
};

/** Secrets read as erased, because this process has no keys. */
const withoutSealedFields = ({ sealedWith, ...event }: ExplorerEvent) => {
  const fields = Object.keys(sealedWith);
  if (fields.length === 0) return event;
  const data = { ...(event.data as object), ...Object.fromEntries(fields.map((field) => [field, forgotten])) };
  return { ...event, data };
};

export const stateAtEvent = async (
  explorer: Explorer,
  audience: string,
  { stream, revision }: Pick<ExplorerEvent, 'stream' | 'revision'>,
): Promise<Either<Fault, StateAtEvent>> => {
  if (!explorer.states.has(stream)) return omitted('Streams of this kind have no state.');
  const read = await eventsUpTo(explorer, stream, revision);
  if (isLeft(read)) return read;
  if (isLeft(read.right)) return omitted(read.right.left);
  const events = read.right.right;
  const folded = explorer.states.stateAt(events.map(withoutSealedFields));
  if (isLeft(folded)) return omitted(folded.left);
  const secret = await secretOf(explorer, audience, events);
  if (isLeft(secret)) return secret;
  return right(redactAround(folded.right, secret.right));
};
