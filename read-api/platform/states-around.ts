/** What an aggregate was before one of its events and is after it, by reading all of its events up to there; bounded. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { EventStoreFault } from '../../infra/ports/event-store';
import type { SeenEvent } from '../../infra/ports/stream-pages';
import type { ViewFault } from '../../infra/ports/view-store';
import { changesBetween, type StateChange } from './changes';
import type { Explorer } from './explorer';
import { showingOf } from './showing';
import { forgotten, sealed } from './shown-event';
import { shownState } from './shown-state';

/** More than that would keep others waiting. */
const mostFolded = 2_000;
const mostFoldedBytes = 16 * 1024 * 1024;
const mostStateBytes = 512 * 1024;
const mostChanges = 500;

export type Around =
  | { readonly before: unknown; readonly after: unknown; readonly changes: readonly StateChange[] }
  /** Why there is none: a sentence. */
  | { readonly stateOmitted: string };

type Fault = EventStoreFault | ViewFault;

const omitted = (stateOmitted: string): Either<never, Around> => right({ stateOmitted });

/** All of the stream's events up to the revision; left: why they are not to be had. */
const eventsUpTo = async (
  { pages }: Explorer,
  stream: string,
  revision: number,
): Promise<Either<Fault, Either<string, readonly SeenEvent[]>>> => {
  if (revision >= mostFolded)
    return right(left(`The state is made of the first ${mostFolded} events of a stream only; this is a later one.`));
  const page = { stream, from: 0, direction: 'forwards', limit: revision + 1, mostBytes: mostFoldedBytes } as const;
  const read = await pages.stream(page);
  if (isLeft(read)) return read;
  const { events } = read.right;
  if (events[0]?.revision !== 0) return right(left('The stream has lost its first events to retention.'));
  if (events.at(-1)?.revision !== revision) return right(left('The events before this one are too large.'));
  return right(right(events));
};

const shownAround = (
  { before, after }: { readonly before: unknown; readonly after: unknown },
  secret: object,
): Around => {
  const [was, is] = [shownState(before, secret), shownState(after, secret)];
  if (JSON.stringify([was, is]).length > mostStateBytes) return { stateOmitted: 'The state is too large to be shown.' };
  const changes = changesBetween(was, is);
  if (changes.length > mostChanges) return { stateOmitted: `The event changed more than ${mostChanges} values.` };
  return { before: was, after: is, changes };
};

/** Without keys nobody can tell which of them a value in the state had: it counts as forgotten when all of them are. */
const secretOf = async (
  explorer: Explorer,
  audience: string,
  events: readonly SeenEvent[],
): Promise<Either<Fault, object>> => {
  const keys = events.flatMap(({ sealedWith }) => Object.values(sealedWith));
  const showing = await showingOf(explorer, audience, events);
  if (isLeft(showing)) return showing;
  return right(keys.every(showing.right.isForgotten) ? forgotten : sealed);
};

/** Secrets read as forgotten, whoever is asked: there is no key here. */
const blind = ({ sealedWith, ...event }: SeenEvent) => {
  const fields = Object.keys(sealedWith);
  if (fields.length === 0) return event;
  const data = { ...(event.data as object), ...Object.fromEntries(fields.map((field) => [field, forgotten])) };
  return { ...event, data };
};

export const stateAround = async (
  explorer: Explorer,
  audience: string,
  { stream, revision }: Pick<SeenEvent, 'stream' | 'revision'>,
): Promise<Either<Fault, Around>> => {
  if (!explorer.states.has(stream)) return omitted('Nothing keeps a state of such streams.');
  const read = await eventsUpTo(explorer, stream, revision);
  if (isLeft(read)) return read;
  if (isLeft(read.right)) return omitted(read.right.left);
  const events = read.right.right;
  const folded = explorer.states.around(events.map(blind));
  if (isLeft(folded)) return omitted(folded.left);
  const secret = await secretOf(explorer, audience, events);
  if (isLeft(secret)) return secret;
  return right(shownAround(folded.right, secret.right));
};
