/** Opens a document here: acquires the lease, appends `OwnershipTaken`, and loads the content. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { DocumentKey } from '../../../../domain/editor/ids';
import { epochOf, logStream, operationLog } from '../../../../domain/editor/operation-log/events';
import { fault, reject } from '../../../../domain/kernel/rejection';
import type { StoredEvent } from '../../../../infra/ports/event-store';
import { appendWithRetry, systemActor, toNewEvent } from '../commit/log-writer';
import type { OwnerDeps } from '../dependencies';
import type { OpenFailure, Unavailable } from '../document-handle';
import { createOwnedDocument, type OwnedDocument } from '../owned-document';
import { loadDocument } from './load-document';

const checkExists = async ({ access }: OwnerDeps, documentKey: DocumentKey): Promise<Either<OpenFailure, void>> => {
  const found = await access.read(documentKey);
  if (isLeft(found)) return left(fault('service-unavailable', 'Documents cannot be looked up right now.'));
  const { state } = found.right;
  if (state === 'active') return right(undefined);
  return state === 'trashed'
    ? reject('trashed', 'The document is in the trash.')
    : reject('not-found', 'There is no such document.');
};

/** Without the lease service, the log alone separates owners: slower, and as safe. */
const acquireLease = async ({ leases, settings, log }: OwnerDeps, name: string): Promise<Either<OpenFailure, void>> => {
  const acquired = await leases.acquire(name, settings.leaseMilliseconds);
  if (isLeft(acquired)) {
    log.warn({ document: name }, 'a document is opened without a lease, because leases are unavailable');
    return right(undefined);
  }
  return acquired.right.isHeld ? right(undefined) : left({ kind: 'elsewhere', address: acquired.right.address });
};

const claimAndLoad = async (deps: OwnerDeps, documentKey: DocumentKey): Promise<Either<OpenFailure, OwnedDocument>> => {
  const ownership = await claimOwnership(deps, documentKey);
  if (isLeft(ownership)) return ownership;
  const { epoch, revision } = ownership.right;
  const loaded = await loadDocument(deps, documentKey, revision);
  return isLeft(loaded) ? loaded : right(createOwnedDocument(deps, documentKey, { epoch, loaded: loaded.right }));
};

export const openDocument = async (
  deps: OwnerDeps,
  documentKey: DocumentKey,
  name: string,
): Promise<Either<OpenFailure, OwnedDocument>> => {
  const began = performance.now();
  const exists = await checkExists(deps, documentKey);
  if (isLeft(exists)) return exists;
  const lease = await acquireLease(deps, name);
  if (isLeft(lease)) return lease;
  const owned = await claimAndLoad(deps, documentKey);
  if (isLeft(owned)) await deps.leases.release([name]);
  else deps.metrics.loaded((performance.now() - began) / 1_000);
  return owned;
};

/** Appends `OwnershipTaken` with the next epoch. Earlier owners can no longer append. */

export interface Ownership {
  readonly epoch: number;
  /** Revision of that event; all earlier events are the document. */
  readonly revision: number;
}

/** Several processes may try at once. */
const maxAttempts = 10;

const unavailable = (detail: string): Either<Unavailable, never> => left(fault('service-unavailable', detail));

const epochOfStored = (stored: StoredEvent): number | undefined => {
  const event = operationLog.decode(stored.type, stored.data);
  return isLeft(event) ? undefined : epochOf(event.right);
};

interface LogEnd {
  readonly epoch: number;
  readonly revision: number;
}

const readLogEnd = async ({ pages }: OwnerDeps, stream: string): Promise<Either<Unavailable, LogEnd>> => {
  const page = await pages({ stream, direction: 'backwards', limit: 1, mostBytes: 1 });
  if (isLeft(page)) return unavailable('The log cannot be read right now.');
  const [last] = page.right.events;
  if (last === undefined) return right({ epoch: 0, revision: -1 });
  const epoch = epochOfStored(last);
  return epoch === undefined
    ? unavailable('The document cannot be read by this version.')
    : right({ epoch, revision: last.revision });
};

const appendOwnership = (deps: OwnerDeps, documentKey: DocumentKey, end: LogEnd) => {
  const stream = logStream(documentKey.tenant, documentKey.documentId);
  const epoch = end.epoch + 1;
  const data = { documentId: documentKey.documentId, epoch, ownerProcessId: deps.processId };
  const commandId = `own-${deps.random.uuid()}`;
  const recording = { stream, tenant: documentKey.tenant, actor: systemActor, commandId, at: deps.clock.now() };
  const event = toNewEvent({ type: 'OwnershipTaken', data }, recording, JSON.stringify(data));
  return appendWithRetry(deps, { stream, after: end.revision, events: [event] });
};

const claimOwnership = async (deps: OwnerDeps, documentKey: DocumentKey): Promise<Either<Unavailable, Ownership>> => {
  const stream = logStream(documentKey.tenant, documentKey.documentId);
  for (let tries = 0; tries < maxAttempts; tries += 1) {
    const end = await readLogEnd(deps, stream);
    if (isLeft(end)) return end;
    const taken = await appendOwnership(deps, documentKey, end.right);
    if (taken.kind === 'written') return right({ epoch: end.right.epoch + 1, revision: taken.revision });
    if (taken.kind === 'unknown') return unavailable('The log cannot be written to right now.');
  }
  return unavailable('The document’s owner keeps changing; try again.');
};
