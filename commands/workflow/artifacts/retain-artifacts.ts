/** Removes artifacts that have expired, were deleted, or were announced and never committed. Every copy of the service does it. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import type { ArtifactDefinition } from '../../../domain/workflow/artifact/state';
import type { IndexedArtifact } from '../../../infra/ports/workflow/artifact-index';
import type { Problem } from '../../../infra/server/http/problem';
import { pause } from '../../../infra/server/runtime/backoff';
import { trackOutage } from '../../../infra/server/runtime/outage';
import { artifactProblem } from '../../../infra/server/workflow/artifacts';
import type { WorkflowAdapters } from '../adapters';
import { commandArtifact, loadArtifact } from './artifact-command';
import { abortUploads, uploadSeconds } from './uploads';

const everyMilliseconds = 60_000;
/** As long as a signed upload may bring the bytes back. */
const signedMilliseconds = (uploadSeconds + 3_600) * 1_000;

const removeBytes = async (
  { blobs }: WorkflowAdapters,
  { storageKey }: ArtifactDefinition,
): Promise<Either<Problem, void>> => {
  const aborted = await abortUploads(blobs, storageKey);
  if (isLeft(aborted)) return aborted;
  const removed = await blobs.remove(storageKey);
  return isLeft(removed)
    ? { ...removed, left: artifactProblem('blob-store-unavailable', removed.left.detail) }
    : right(undefined);
};

/** Each step may be repeated: the row goes last. */
const retain = async (adapters: WorkflowAdapters, indexed: IndexedArtifact): Promise<Problem | undefined> => {
  const { artifacts, clock } = adapters;
  const { tenantId, runId, artifactId, addedAt } = indexed;
  const now = clock.now();
  const before = await loadArtifact(adapters, tenantId, artifactId);
  if (isLeft(before)) return before.left;
  if (before.right.kind !== 'none') {
    const decided = { type: 'ExpireArtifact', artifactId, at: now } as const;
    const of = { tenantId, runId, artifactId, decided, actor: 'workflow', parts: [now] };
    const refused = await commandArtifact(adapters, of);
    if (refused !== undefined) return refused;
  }
  const state = await loadArtifact(adapters, tenantId, artifactId);
  if (isLeft(state)) return state.left;
  if (state.right.kind === 'committed') {
    await artifacts.setDue(indexed, state.right.definition.expiresAt);
    return undefined;
  }
  if (state.right.kind !== 'none') {
    const removed = await removeBytes(adapters, state.right.definition);
    if (isLeft(removed)) return removed.left;
  }
  const signedUntil = Date.parse(addedAt) + signedMilliseconds;
  if (Date.parse(now) < signedUntil) await artifacts.setDue(indexed, new Date(signedUntil).toISOString() as Instant);
  else await artifacts.remove(indexed);
  return undefined;
};

const outageMessages = {
  failing: 'artifacts that are due could not be read',
  recovered: 'artifacts that are due are read again',
};

export const retainArtifactsOnce = async (
  adapters: WorkflowAdapters,
  outage = trackOutage(adapters.log, outageMessages),
): Promise<void> => {
  const { artifacts, log, signal } = adapters;
  while (!signal.aborted) {
    const due = await artifacts.claimDue();
    if (isLeft(due)) return outage.failed({ detail: due.left.detail });
    outage.recovered();
    if (due.right === undefined) return;
    const refused = await retain(adapters, due.right);
    // It is claimed for a while, and tried again after that.
    if (refused !== undefined) log.warn({ ...refused.problem }, 'an artifact could not be removed; it is tried again');
  }
};

export const retainArtifacts = async (adapters: WorkflowAdapters): Promise<void> => {
  const outage = trackOutage(adapters.log, outageMessages);
  while (!adapters.signal.aborted) {
    await retainArtifactsOnce(adapters, outage);
    await pause(everyMilliseconds, adapters.signal);
  }
};
