/** Keeps one generation of a view up with the log: first the past, then what comes. */
import type { EventStore, StoredEvent } from '../../infra/ports/event-store';
import type { Tracer } from '../../infra/ports/trace';
import type { ViewLedger } from '../../infra/ports/view-ledger';
import type { Generation, ViewWriter } from '../../infra/ports/view-store';
import { gatherAll, mostEvents } from './batch';
import type { Attached, Hub } from './hub';
import { type Projection, sourceOf } from './projection';
import { type Advanced, advance, replay } from './replay';
import type { Replaying, Step } from './replaying';
import type { Tracker } from './status';
import { traced } from './traced';

export interface Around {
  readonly store: EventStore;
  readonly writer: ViewWriter;
  readonly hub: Hub;
  readonly signal: AbortSignal;
  readonly tracker: Tracker;
  readonly ledger: ViewLedger | undefined;
  readonly code: string | undefined;
  readonly trace?: Tracer | undefined;
}

/** `reopen`: the generation or the log moved under us. */
export type End = 'reopen' | 'stopped' | 'drained';

/** Positions alone are written this rarely: they matter to nobody but those who wait for one. */
const quietMilliseconds = 20;
const beatMilliseconds = 1_000;

const replayingOf = ({ tracker, ...around }: Around, projection: Projection, generation: Generation): Replaying => ({
  ...around,
  projection,
  cursor: { generation: generation.number, position: generation.position },
  waiting: (detail) => tracker.phase('waiting', detail),
  applied: ({ gathered: { events, occurredAt }, whole }, position, seconds) =>
    tracker.applied({ position, events, seconds, occurredAt: occurredAt(), whole }),
});

const endOf = ({ tracker }: Around, advanced: Exclude<Advanced, { kind: 'written' }>): End => {
  switch (advanced.kind) {
    case 'moved':
      return 'reopen';
    case 'drained':
      return 'drained';
    case 'poisoned':
      tracker.poisoned(advanced.poison);
      return 'stopped';
    case 'refused':
      tracker.phase('stopped', advanced.detail);
      return 'stopped';
  }
};

const isAfter = (position: bigint, other: bigint | null): boolean => other === null || position > other;

interface Next extends Step {
  readonly events: readonly StoredEvent[];
}

/** What is to be written now; undefined when there is nothing, or when a mere position can wait. */
const nextStep = (replaying: Replaying, { hub }: Around, attached: Attached): Next | 'overflown' => {
  const { cursor, projection } = replaying;
  const delivery = attached.mailbox.take(mostEvents);
  if (delivery === undefined) return 'overflown';
  const events = delivery.events.filter(({ position }) => isAfter(position, cursor.position));
  const reached = delivery.position;
  const position = reached !== null && isAfter(reached, cursor.position) ? reached : cursor.position;
  const whole = hub.isLive() && attached.mailbox.isEmpty();
  return { gathered: gatherAll(projection, events), position, live: true, whole, events };
};

/** Nothing comes, and that is not because there is nothing: who looks must not take the view to be up to date. */
const tellSilence = ({ hub, tracker }: Around): void => {
  const trouble = hub.isLive() ? undefined : hub.trouble();
  if (trouble !== undefined && tracker.status().phase === 'live') tracker.phase('waiting', trouble);
};

const followLive = async (replaying: Replaying, around: Around, attached: Attached): Promise<End> => {
  const { signal, trace } = around;
  let quietSince = 0;
  while (!signal.aborted) {
    const step = nextStep(replaying, around, attached);
    if (step === 'overflown') return 'reopen';
    const isNews = step.gathered.events > 0 || step.gathered.poison !== undefined;
    const pause = step.position === replaying.cursor.position ? beatMilliseconds : quietMilliseconds;
    const waited = performance.now() - quietSince;
    if (!isNews && waited < pause) {
      tellSilence(around);
      await attached.mailbox.arrival(pause - waited, signal);
      continue;
    }
    if (!isNews) quietSince = performance.now();
    const write = () => advance(replaying, step);
    const advanced = await traced({ trace, view: replaying.projection.view.name, events: step.events }, write);
    if (advanced.kind !== 'written') return endOf(around, advanced);
    // No position to write: a view of an empty log has all there is.
    if (step.whole && replaying.cursor.position === null) around.tracker.nothingYet();
  }
  return 'drained';
};

export const follow = async (around: Around, projection: Projection, generation: Generation): Promise<End> => {
  const { hub, tracker } = around;
  const replaying = replayingOf(around, projection, generation);
  const attached = hub.attach((event) => sourceOf(projection, event) !== undefined);
  const isBehind = attached.position !== null && isAfter(attached.position, replaying.cursor.position);
  tracker.attached(attached.mailbox.arrived, isBehind);
  try {
    if (attached.position !== null && isBehind) {
      tracker.phase('catching-up');
      const caughtUp = await replay(replaying, attached.position);
      if (caughtUp.kind !== 'written') return endOf(around, caughtUp);
      tracker.caughtUp();
    }
    return await followLive(replaying, around, attached);
  } finally {
    attached.detach();
  }
};
