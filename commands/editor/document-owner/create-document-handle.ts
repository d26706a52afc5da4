/** The handle by which sessions and routes use an owned document. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ClientId, OperationId } from '../../../domain/editor/ids';
import type { Operation } from '../../../domain/editor/operation';
import { currentSchemaVersion } from '../../../domain/editor/schema-versions';
import { type Rejection, reject } from '../../../domain/kernel/rejection';
import { catchUpFrom, issueClientId, joinDocument } from './broadcast/join';
import { derivedClientId } from './client-id-rules';
import type { BatchRefusal, Broadcast, DocumentHandle, RestoreRequest, SubmitResult } from './document-handle';
import type { OwnedDocument } from './owned-document';

const subscribe = (
  { broadcaster, lifetime }: OwnedDocument,
  listener: (broadcast: Broadcast) => void,
): (() => void) => {
  lifetime.touch();
  const unsubscribe = broadcaster.subscribe(listener);
  return () => {
    lifetime.touch();
    unsubscribe();
  };
};

type RestoreResult = Either<BatchRefusal | Rejection<'version-unknown' | 'forbidden'>, SubmitResult>;

/** Each restore request is a client of its own with one operation, so a retried request is found as a duplicate. */
const restoreOperation = (owned: OwnedDocument, request: RestoreRequest): Operation & { readonly by: ClientId } => {
  const { documentKey, deps } = owned;
  const { principalId, commandId, version } = request;
  const ids = deps.clientIds.ofCommand({ documentKey, principalId }, `restore ${version} ${commandId}`);
  const by = derivedClientId(owned, ids);
  return {
    by,
    opId: `${by}-1` as OperationId,
    documentId: owned.documentKey.documentId,
    actorId: request.principalId,
    clientSeq: 1,
    baseVersion: owned.broadcaster.committedVersion(),
    type: 'restoreVersion',
    targetIds: [],
    payload: { version: request.version },
    createdAt: owned.deps.clock.now(),
  };
};

const restore = async (owned: OwnedDocument, request: RestoreRequest): Promise<RestoreResult> => {
  const { by: clientId, ...operation } = restoreOperation(owned, request);
  const { principalId, actor = principalId, correlationId } = request;
  const correlation = correlationId === undefined ? {} : { correlationId };
  const done = await owned.commitLoop.submit({
    clientId,
    principalId,
    actor,
    schema: currentSchemaVersion,
    operations: [operation],
    isOnce: true,
    ...correlation,
  });
  if (isLeft(done)) return done;
  const { results, committedVersion } = done.right;
  const [outcome] = results;
  if (outcome?.reason === 'forbidden') return reject('forbidden', 'Only editors and owners can restore a version.');
  if (outcome?.status === 'rejected') return reject('version-unknown', 'The document has no such version.');
  // A retried request returns the version of its first execution.
  return right({ results, committedVersion: outcome?.version ?? committedVersion });
};

export const createDocumentHandle = (owned: OwnedDocument): DocumentHandle => ({
  ...owned.documentKey,
  epoch: owned.epoch,
  committedVersion: owned.broadcaster.committedVersion,
  issueClientId: (principalId) => issueClientId(owned, principalId),
  requestClientId: (principalId) =>
    derivedClientId(owned, owned.deps.clientIds.ofRequests({ documentKey: owned.documentKey, principalId })),
  join: (joining) => joinDocument(owned, joining),
  submit: owned.commitLoop.submit,
  restore: (request) => restore(owned, request),
  subscribe: (listener) => subscribe(owned, listener),
  catchUp: (knownVersion) => catchUpFrom(owned, knownVersion),
  framesAfter: (version) => owned.broadcaster.backlog.since(version),
  snapshot: () => owned.content.snapshot,
  scene: () => owned.content.scene,
  ended: owned.lifetime.ended,
});
