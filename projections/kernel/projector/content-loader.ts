/** Loads the content that events name, verifies it, and makes their rows of it. */
import { createHash } from 'node:crypto';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { BlobContent } from '../../../infra/ports/blob-store';
import type { Batch } from '../../../infra/ports/views/view-store';
import { backoff } from '../../../infra/server/runtime/backoff';
import { type ContentReference, type ContentSource, isContent } from '../content';
import { type PoisonEvent, poisonEvent } from '../recorded-event';
import type { BatchStep, CollectedChange, ContentChange, GenerationWriter } from './view-batch';

/** Of one event. What is larger is to be several events. */
const maxEventBytes = 32 * 1024 * 1024;
/** Of one write: what is in memory at once, beside the rows that are made of it. */
const maxBatchBytes = 16 * 1024 * 1024;

/** A step without content to load. */
export interface LoadedStep extends BatchStep {
  readonly gathered: BatchStep['gathered'] & { readonly changes: Batch['changes'] };
}

const sizeOf = ({ change }: CollectedChange): number =>
  isContent(change) ? change.references.reduce((sum, { size }) => sum + size, 0) : 0;

const eventCount = (changes: readonly CollectedChange[]): number =>
  new Set(changes.map(({ position }) => position)).size;

/** Several writes of one step, cut between events, so that the content of each is small. */
export const splitByContent = (step: BatchStep): readonly BatchStep[] => {
  const { gathered } = step;
  if (!gathered.changes.some(({ change }) => isContent(change))) return [step];
  const parts: CollectedChange[][] = [[]];
  let bytes = 0;
  for (const one of gathered.changes) {
    const part = parts.at(-1) as CollectedChange[];
    const size = sizeOf(one);
    const isNextEvent = part.length > 0 && part.at(-1)?.position !== one.position;
    if (isNextEvent && bytes + size > maxBatchBytes) {
      parts.push([one]);
      bytes = size;
    } else {
      part.push(one);
      bytes += size;
    }
  }
  const last = parts.pop() ?? [];
  let events = gathered.events;
  const earlier = parts.map((changes): BatchStep => {
    const position = changes.at(-1)?.position ?? null;
    events -= eventCount(changes);
    const part = { ...gathered, changes, events: eventCount(changes), position, poison: undefined };
    return { gathered: part, position, live: step.live, whole: false };
  });
  return [...earlier, { ...step, gathered: { ...gathered, changes: last, events } }];
};

/** Without content; undefined when the process drains before all of it is there. */
export const loadContent = async (replaying: GenerationWriter, step: BatchStep): Promise<LoadedStep | undefined> => {
  const changes: Batch['changes'][number][] = [];
  for (const { position, change, event } of step.gathered.changes) {
    if (!isContent(change)) {
      changes.push({ position, change });
      continue;
    }
    const rows = await rowsOf(replaying, { position, change, event } as ContentChange);
    if (rows === undefined) return undefined;
    if (isLeft(rows)) return upTo(step, changes, rows.left);
    for (const row of rows.right) changes.push({ position, change: row });
  }
  return { ...step, gathered: { ...step.gathered, changes } };
};

/** The events before the poison event. */
const upTo = (step: BatchStep, loaded: Batch['changes'], poison: PoisonEvent): LoadedStep => {
  const changes = loaded.filter(({ position }) => position < poison.position);
  const position = changes.at(-1)?.position ?? null;
  return {
    ...step,
    whole: false,
    gathered: { ...step.gathered, changes, events: eventCount(changes), position, poison },
  };
};

type Loaded =
  | { readonly kind: 'loaded'; readonly bytes: Buffer }
  | { readonly kind: 'missing' }
  /** Waiting does not help. */
  | { readonly kind: 'altered'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly detail: string };

type Rows = Either<PoisonEvent, readonly Batch['changes'][number]['change'][]>;

const rowsOf = async (replaying: GenerationWriter, { change, event }: ContentChange): Promise<Rows | undefined> => {
  const total = change.references.reduce((sum, { size }) => sum + size, 0);
  if (total > maxEventBytes) return poisonEvent(event, `Content: ${total} bytes are more than ${maxEventBytes}.`);
  const contents: Buffer[] = [];
  for (const reference of change.references) {
    const loaded = await loadUntilAvailable(replaying, reference);
    if (loaded === undefined) return undefined;
    if (loaded.kind === 'altered') return poisonEvent(event, `Content ${reference.key}: ${loaded.reason}.`);
    if (loaded.kind === 'loaded') contents.push(loaded.bytes);
    else if (change.missing !== undefined) return right(change.missing);
    else return poisonEvent(event, `Content ${reference.key}: it is not there.`);
  }
  const rows = change.rows(contents);
  return isLeft(rows) ? poisonEvent(event, `Content ${change.references[0]?.key}: ${rows.left}.`) : rows;
};

const loadUntilAvailable = async (
  { blobs, signal, waiting }: GenerationWriter,
  reference: ContentReference,
): Promise<Exclude<Loaded, { kind: 'unavailable' }> | undefined> => {
  let isSecondLook = false;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const loaded = await load(blobs, reference, signal);
    // A transfer can fail as well: bytes that differ twice were altered.
    if (loaded.kind === 'altered' && !isSecondLook) {
      isSecondLook = true;
      continue;
    }
    if (loaded.kind !== 'unavailable') return loaded;
    waiting(loaded.detail);
    await backoff(attempt, signal);
  }
  return undefined;
};

const load = async (
  blobs: ContentSource | undefined,
  reference: ContentReference,
  signal: AbortSignal,
): Promise<Loaded> => {
  if (blobs === undefined) return { kind: 'unavailable', detail: 'No object storage is configured for projections.' };
  const found = await blobs.get({ key: reference.key, signal });
  if (!isLeft(found)) return read(found.right, reference);
  const { code, detail } = found.left;
  if (code === 'blob-unknown') return { kind: 'missing' };
  if (code === 'blob-damaged') return { kind: 'altered', reason: 'it is damaged' };
  return code === 'blob-key-refused'
    ? { kind: 'altered', reason: 'no blob has such a key' }
    : { kind: 'unavailable', detail };
};

const differs: Loaded = { kind: 'altered', reason: 'it is not what the event names' };

/** Never more bytes than the event names. */
const read = async ({ body, length }: BlobContent, { sha256, size }: ContentReference): Promise<Loaded> => {
  if (length !== size) {
    body.destroy();
    return differs;
  }
  const hash = createHash('sha256');
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > size) return differs;
      hash.update(chunk);
      chunks.push(chunk);
    }
  } catch (error) {
    const isDamaged = (error as { readonly code?: unknown }).code === 'blob-damaged';
    return isDamaged ? differs : { kind: 'unavailable', detail: 'Object storage ended an answer too early.' };
  }
  return bytes === size && hash.digest('hex') === sha256 ? { kind: 'loaded', bytes: Buffer.concat(chunks) } : differs;
};
