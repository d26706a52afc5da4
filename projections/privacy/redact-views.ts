/** Rebuilds personal views after an erasure, beside the live ones (blue/green), without the erased data. */
import { randomUUID } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import { subjects } from '../../domain/privacy/subject/events';
import type { EventStore, StoredEvent } from '../../infra/ports/event-store';
import type { Log } from '../../infra/ports/runtime/log';
import type { ScrubTable, Vault } from '../../infra/ports/vault';
import type { ViewStatusStore } from '../../infra/ports/views/view-status';
import type { ViewWriter } from '../../infra/ports/views/view-store';
import { backoff, pause } from '../../infra/runtime/backoff';
import type { ContentSource } from '../kernel/content';
import type { Projection } from '../kernel/projection';
import { rebuildRecorded } from '../kernel/rebuild/recorded-rebuild';

export interface RedactionDeps {
  readonly store: EventStore;
  readonly vault: Vault;
  readonly scrubs: ScrubTable;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Projections with personal fields. */
  readonly projections: readonly Projection[];
  readonly writerOf: (projection: Projection) => ViewWriter | undefined;
  /** Where content is that rows are made of. */
  readonly blobs?: ContentSource | undefined;
  /** Ledger of rebuilds. */
  readonly ledger?: ViewStatusStore | undefined;
}

interface Progress {
  /** Position of the latest erasure whose keys are erased. */
  erased: bigint | null;
}

const streams = [`${subjects.context}.subject-`];
const pollMilliseconds = 200;
const readMilliseconds = 1_000;

const keyIdsOf = (stored: StoredEvent): readonly string[] => {
  const event = subjects.decode(stored.type, stored.data);
  if (isLeft(event)) throw new Error(`${stored.stream} cannot be decoded at revision ${stored.revision}`);
  return event.right.data.keys;
};

/** Erases keys itself, in case the command side has not yet: no row may contain erased data. */
const followForgotten = async ({ store, vault, signal }: RedactionDeps, progress: Progress): Promise<void> => {
  let waiting: StoredEvent[] = [];
  let isLive = false;
  for await (const notification of store.subscribeAll({ after: progress.erased, filter: { streams }, signal })) {
    if (notification.kind === 'event') waiting.push(notification.event);
    isLive ||= notification.kind === 'caught-up';
    if (waiting.length === 0 || !isLive) continue;
    const keys = waiting.flatMap(keyIdsOf);
    vault.drop(keys);
    const erased = await vault.erase(keys);
    if (isLeft(erased)) throw new Error(erased.left.detail);
    progress.erased = waiting.at(-1)?.position ?? progress.erased;
    waiting = [];
  }
};

/** Undefined: unavailable. */
const isRedacted = async (
  { scrubs }: RedactionDeps,
  { view }: Projection,
  upTo: bigint,
): Promise<boolean | undefined> => {
  const done = await scrubs.position(view.name);
  return isLeft(done) ? undefined : done.right !== null && done.right >= upTo;
};

/** False: to be tried again. */
const rebuildView = async (scrubbing: RedactionDeps, projection: Projection, writer: ViewWriter): Promise<boolean> => {
  const { store, signal, log, blobs } = scrubbing;
  const { view } = projection;
  const request = { store, writer, blobs, signal, projection, acceptDifferences: true, progress: () => undefined };
  const rebuilt = await rebuildRecorded(request, {
    ledger: scrubbing.ledger,
    by: 'system:forgetting',
    id: randomUUID(),
  });
  // Lets running reads of the old view finish.
  if (!isLeft(rebuilt)) await pause(readMilliseconds, signal);
  const done = isLeft(rebuilt) ? rebuilt : await writer.sweep(view, 0);
  if (isLeft(done))
    log.warn({ view: view.name, fault: done.left }, 'a personal view still has a forgotten person; it is tried again');
  else log.info({ view: view.name }, 'personal view rebuilt without forgotten people');
  return !isLeft(done);
};

/** False: to be tried again. */
const redactView = async (scrubbing: RedactionDeps, projection: Projection, upTo: bigint): Promise<boolean> => {
  const { scrubs, signal, vault } = scrubbing;
  const writer = scrubbing.writerOf(projection);
  if (writer === undefined || (await isRedacted(scrubbing, projection, upTo)) === true) return true;
  // Other processes may use a cached key until then and write decrypted data into the live view.
  await pause(vault.heldMilliseconds, signal);
  const done = await isRedacted(scrubbing, projection, upTo);
  if (done !== false || signal.aborted) return done === true;
  if (!(await rebuildView(scrubbing, projection, writer))) return false;
  return !isLeft(await scrubs.done(projection.view.name, upTo));
};

/** Sequential, because each is a full replay. */
const redactViews = async (scrubbing: RedactionDeps, progress: Progress): Promise<void> => {
  const { projections, signal } = scrubbing;
  let reached: bigint | null = null;
  for (let failures = 0; !signal.aborted; ) {
    const upTo = progress.erased;
    if (upTo === null || upTo === reached) {
      await pause(pollMilliseconds, signal);
      continue;
    }
    let clean = true;
    for (const projection of projections) clean = (await redactView(scrubbing, projection, upTo)) && clean;
    if (clean) reached = upTo;
    failures = clean ? 0 : failures + 1;
    if (!clean) await backoff(failures, signal);
  }
};

const followForever = async (scrubbing: RedactionDeps, progress: Progress): Promise<void> => {
  const { log, signal } = scrubbing;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    await followForgotten(scrubbing, progress).catch((error: unknown) =>
      log.warn({ error }, 'requests to forget cannot be read right now; it is tried again'),
    );
    await backoff(attempt, signal);
  }
};

/** Runs until the signal aborts. */
export const runViewRedaction = async (scrubbing: RedactionDeps): Promise<void> => {
  const progress: Progress = { erased: null };
  await Promise.all([followForever(scrubbing, progress), redactViews(scrubbing, progress)]);
};
