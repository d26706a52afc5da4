/** The first thing an owner does: from here on nobody who was before can append, whatever it believes. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { epochOf, log } from '../../../domain/editor/log/events';
import { type DocumentKey, logStream } from '../../../domain/editor/streams';
import { fault } from '../../../domain/kernel/rejection';
import type { StoredEvent } from '../../../infra/ports/event-store';
import { appendSurely } from './append';
import type { OwnerDeps } from './deps';
import { recorded, systemActor } from './recorded';
import type { Unavailable } from './types';

export interface Ownership {
  readonly epoch: number;
  /** Of the event that says so: everything before it is the document. */
  readonly revision: number;
}

/** Others may be doing the same at the same moment. */
const mostTries = 10;

const unavailable = (detail: string): Either<Unavailable, never> => left(fault('service-unavailable', detail));

const epochIn = (stored: StoredEvent): number | undefined => {
  const event = log.decode(stored.type, stored.data);
  return isLeft(event) ? undefined : epochOf(event.right);
};

interface End {
  readonly epoch: number;
  readonly revision: number;
}

const endOf = async ({ pages }: OwnerDeps, stream: string): Promise<Either<Unavailable, End>> => {
  const page = await pages({ stream, direction: 'backwards', limit: 1, mostBytes: 1 });
  if (isLeft(page)) return unavailable('The log cannot be read right now.');
  const [last] = page.right.events;
  if (last === undefined) return right({ epoch: 0, revision: -1 });
  const epoch = epochIn(last);
  return epoch === undefined
    ? unavailable('The document cannot be read by this version.')
    : right({ epoch, revision: last.revision });
};

const take = (deps: OwnerDeps, place: DocumentKey, [stream, end]: [string, End]) => {
  const epoch = end.epoch + 1;
  const data = { documentId: place.documentId, epoch, ownerProcessId: deps.processId };
  const commandId = `own-${deps.random.uuid()}`;
  const recording = { stream, tenant: place.tenant, actor: systemActor, commandId, at: deps.clock.now() };
  const event = recorded({ type: 'OwnershipTaken', data }, recording, JSON.stringify(data));
  return appendSurely(deps, { stream, after: end.revision, events: [event] });
};

export const takeOver = async (deps: OwnerDeps, place: DocumentKey): Promise<Either<Unavailable, Ownership>> => {
  const stream = logStream(place.tenant, place.documentId);
  for (let tries = 0; tries < mostTries; tries += 1) {
    const end = await endOf(deps, stream);
    if (isLeft(end)) return end;
    const taken = await take(deps, place, [stream, end.right]);
    if (taken.kind === 'written') return right({ epoch: end.right.epoch + 1, revision: taken.revision });
    if (taken.kind === 'unknown') return unavailable('The log cannot be written to right now.');
  }
  return unavailable('The document keeps changing hands; try again.');
};
