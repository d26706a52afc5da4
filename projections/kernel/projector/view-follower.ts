/** Keeps one generation of a view up with the log: first the past, then what comes. */
import { isLeft } from 'fp-ts/Either';
import type { EventStore, StoredEvent } from '../../../infra/ports/event-store';
import type { Tracer } from '../../../infra/ports/runtime/trace';
import type { ViewStatusStore } from '../../../infra/ports/views/view-status';
import type { Generation, ViewWriter } from '../../../infra/ports/views/view-store';
import type { ContentSource } from '../content';
import { type Projection, sourceOf } from '../projection';
import { type AdvanceOutcome, advance, replay } from './replay';
import type { SharedSubscription, ViewSubscription } from './shared-subscription';
import type { BatchStep, GenerationWriter } from './view-batch';
import { collectAllChanges, maxBatchEvents } from './view-batch';
import type { Tracker } from './view-status';
import { traceWrite } from './write-tracing';

export interface ProjectorContext {
  readonly store: EventStore;
  readonly writer: ViewWriter;
  readonly hub: SharedSubscription;
  readonly signal: AbortSignal;
  readonly tracker: Tracker;
  readonly ledger: ViewStatusStore | undefined;
  readonly code: string | undefined;
  readonly blobs?: ContentSource | undefined;
  readonly trace?: Tracer | undefined;
}

/** `reopen`: the generation or the log moved under us. `lost`: the rows are gone, and are to be built again. */
export type FollowEnd = 'reopen' | 'stopped' | 'drained' | 'lost';

/** Interval of writes without rows: only readers that wait for a position need them. */
const quietMilliseconds = 20;
/** Of a view that stays as it is, where clients follow its feed: they are notified that it is up to date. */
const feedMilliseconds = 1_000;

const replayingOf = (
  { tracker, ...around }: ProjectorContext,
  projection: Projection,
  generation: Generation,
): GenerationWriter => ({
  ...around,
  projection,
  cursor: { generation: generation.number, position: generation.position },
  waiting: (detail) => tracker.phase('waiting', detail),
  applied: ({ gathered: { changes, events, occurredAt }, whole }, position, seconds) => {
    const erasures = changes.filter(({ change }) => change.kind === 'erase').length;
    tracker.applied({ position, events, erasures, seconds, occurredAt: occurredAt(), whole });
  },
});

const endOf = ({ tracker }: ProjectorContext, advanced: Exclude<AdvanceOutcome, { kind: 'written' }>): FollowEnd => {
  switch (advanced.kind) {
    case 'moved':
      return 'reopen';
    case 'drained':
      return 'drained';
    case 'lost':
      return 'lost';
    case 'poisoned':
      tracker.poisoned(advanced.poison);
      return 'stopped';
    case 'refused':
      tracker.phase('stopped', advanced.detail);
      return 'stopped';
  }
};

const isAfter = (position: bigint, other: bigint | null): boolean => other === null || position > other;

interface Next extends BatchStep {
  readonly events: readonly StoredEvent[];
}

/** What is to be written now; undefined when there is nothing, or when a mere position can wait. */
const nextStep = (
  replaying: GenerationWriter,
  { hub }: ProjectorContext,
  attached: ViewSubscription,
): Next | 'overflown' => {
  const { cursor, projection } = replaying;
  const delivery = attached.mailbox.takeBatch(maxBatchEvents);
  if (delivery === undefined) return 'overflown';
  const events = delivery.events.filter(({ position }) => isAfter(position, cursor.position));
  const reached = delivery.position;
  const position = reached !== null && isAfter(reached, cursor.position) ? reached : cursor.position;
  const whole = hub.isLive() && attached.mailbox.isEmpty();
  return { gathered: collectAllChanges(projection, events), position, live: true, whole, events };
};

/** Reports an outage of the subscription, so that an idle view does not look up to date. */
const reportOutage = ({ hub, tracker }: ProjectorContext): void => {
  const trouble = hub.isLive() ? undefined : hub.outage();
  if (trouble !== undefined && tracker.status().phase === 'live') tracker.phase('waiting', trouble);
};

/** How often a view is verified to have its rows, and to be the one that serves. An index takes requests of its own for that. */
const verifyMilliseconds = 5_000;
const verifyIndexMilliseconds = 15_000;

/** All views at the same moments, so that a store can answer for them together. */
const nextVerification = ({ view }: Projection): number => {
  const milliseconds = view.store === 'elastic' ? verifyIndexMilliseconds : verifyMilliseconds;
  return (Math.floor(performance.now() / milliseconds) + 1) * milliseconds;
};

export const isLost = async (
  { writer }: Pick<ProjectorContext, 'writer'>,
  { view }: Projection,
  generation: number,
): Promise<boolean> => {
  const found = await writer.verify(view, generation);
  return isLeft(found) && found.left.code === 'view-lost';
};

type Verification = 'whole' | 'lost' | 'reopen' | 'unavailable';

const verifyView = async (
  { writer }: Pick<ProjectorContext, 'writer'>,
  { view }: Projection,
  generation: number,
): Promise<Verification> => {
  const found = await writer.verify(view, generation);
  if (!isLeft(found)) return 'whole';
  if (found.left.code === 'view-lost') return 'lost';
  return found.left.code === 'checkpoint-moved' ? 'reopen' : 'unavailable';
};

/** Undefined: what the view's verification does not find out, no write has to. */
const heartbeatMillisecondsOf = ({ view }: Projection): number | undefined => {
  if (view.store !== 'redis') return undefined;
  return view.feedMilliseconds === undefined ? verifyMilliseconds : feedMilliseconds;
};

const followLive = async (
  replaying: GenerationWriter,
  around: ProjectorContext,
  attached: ViewSubscription,
): Promise<FollowEnd> => {
  const { signal, trace } = around;
  const { cursor, projection } = replaying;
  const heartbeatMilliseconds = heartbeatMillisecondsOf(projection) ?? Number.POSITIVE_INFINITY;
  let writtenAt = 0;
  /** The last write recorded that the view has all of the log, and nothing has contradicted it since. */
  let isSettled = false;
  let verifyAt = nextVerification(projection);
  while (!signal.aborted) {
    if (performance.now() >= verifyAt) {
      verifyAt = nextVerification(projection);
      const verification = await verifyView(around, projection, cursor.generation);
      if (verification === 'lost' || verification === 'reopen') return verification;
      // A write waits for the store, and reports that.
      if (verification === 'unavailable') isSettled = false;
    }
    const step = nextStep(replaying, around, attached);
    if (step === 'overflown') return 'reopen';
    const isNews = step.gathered.events > 0 || step.gathered.poison !== undefined;
    reportOutage(around);
    if (around.tracker.status().phase !== 'live') isSettled = false;
    const isOver = step.position !== cursor.position || (step.whole && !isSettled);
    const due = writtenAt + (isOver ? quietMilliseconds : heartbeatMilliseconds);
    const now = performance.now();
    if (!isNews && now < due) {
      await attached.mailbox.waitForEvent(Math.max(0, Math.min(due, verifyAt) - now), signal);
      continue;
    }
    if (!isNews) writtenAt = now;
    const write = () => advance(replaying, step);
    const advanced = await traceWrite({ trace, view: projection.view.name, events: step.events }, write);
    if (advanced.kind !== 'written') return endOf(around, advanced);
    isSettled = step.whole;
    // No position to write: a view of an empty log has all there is.
    if (step.whole && cursor.position === null) around.tracker.noEventYet();
  }
  return 'drained';
};

export const followView = async (
  around: ProjectorContext,
  projection: Projection,
  generation: Generation,
): Promise<FollowEnd> => {
  const { hub, tracker } = around;
  const replaying = replayingOf(around, projection, generation);
  const attached = hub.subscribe((event) => sourceOf(projection, event) !== undefined);
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
