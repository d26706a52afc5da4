/** An owned document as others have it. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ClientId, OperationId } from '../../../domain/editor/ids';
import type { Operation } from '../../../domain/editor/operation';
import { presentSchema } from '../../../domain/editor/schemas';
import { type Rejection, reject } from '../../../domain/kernel/rejection';
import { joinTo, resumeAt } from './joining';
import type { Owned } from './owned';
import { submitTo } from './submitting';
import type { Told } from './told';
import type { BatchRefusal, Committed, OpenDocument, Restoring } from './types';

const follow = (owned: Owned, listener: (told: Told) => void): (() => void) => {
  // One function may follow twice.
  const told = (said: Told): void => listener(said);
  owned.usedAt = performance.now();
  owned.listeners.add(told);
  return () => {
    owned.usedAt = performance.now();
    owned.listeners.delete(told);
  };
};

type Restored = Either<BatchRefusal | Rejection<'version-unknown' | 'forbidden'>, Committed>;

/** A client of its own for each time it is asked, with this as its only operation: asked again, it is found to be settled. */
const restoring = (owned: Owned, asked: Restoring): Operation & { readonly by: ClientId } => {
  const { place, deps } = owned;
  const { principalId, commandId, version } = asked;
  const by = deps.clientIds.ofCommand({ place, principalId }, `restore ${version} ${commandId}`);
  return {
    by,
    opId: `${by}-1` as OperationId,
    documentId: owned.place.documentId,
    actorId: asked.principalId,
    clientSeq: 1,
    baseVersion: owned.committedVersion,
    type: 'restoreVersion',
    targetIds: [],
    payload: { version: asked.version },
    createdAt: owned.deps.clock.now(),
  };
};

const restore = async (owned: Owned, asked: Restoring): Promise<Restored> => {
  const { by: clientId, ...operation } = restoring(owned, asked);
  const { principalId, correlationId } = asked;
  const said = correlationId === undefined ? {} : { correlationId };
  const done = await submitTo(owned, {
    clientId,
    principalId,
    schema: presentSchema,
    operations: [operation],
    isOnce: true,
    ...said,
  });
  if (isLeft(done)) return done;
  const { results, committedVersion } = done.right;
  const [outcome] = results;
  if (outcome?.reason === 'forbidden') return reject('forbidden', 'Only who may edit may put a version back.');
  if (outcome?.status === 'rejected') return reject('version-unknown', 'The document has no such version.');
  // Asked again, it became the version that it became then.
  return right({ results, committedVersion: outcome?.version ?? committedVersion });
};

export const documentOf = (owned: Owned): OpenDocument => ({
  ...owned.place,
  epoch: owned.epoch,
  committedVersion: () => owned.committedVersion,
  join: (joining) => joinTo(owned, joining),
  submit: (submission) => submitTo(owned, submission),
  restore: (asked) => restore(owned, asked),
  follow: (listener) => follow(owned, listener),
  resume: (knownVersion) => resumeAt(owned, knownVersion),
  since: (version) => owned.ring.since(version),
  snapshot: () => owned.content.snapshot,
  scene: () => owned.content.scene,
  ended: owned.end.signal,
});
