/** Who comes, and what they need to be where the document is. */
import { type Either, right } from 'fp-ts/Either';
import type { ClientId, OperationId } from '../../../domain/editor/ids';
import { sequenceIn } from '../../../domain/editor/log/clients';
import type { Operation } from '../../../domain/editor/operation';
import { type Rejection, reject } from '../../../domain/kernel/rejection';
import type { ClientHolder } from './client-ids';
import { isTheirs } from './known-clients';
import type { Owned } from './owned';
import type { Frame, Resumption } from './told';
import type { Came, Joined, Joining } from './types';

const unused = ({ seats, deps }: Owned, holder: ClientHolder): ClientId => {
  for (;;) {
    const id = deps.clientIds.issue(holder);
    if (seats.of(id) === undefined) return id;
  }
};

/** Of the committed version, or one before it; undefined where only the log knows. */
const operationAt = ({ ring, content, committedVersion }: Owned, version: number): OperationId | undefined => {
  if (version < 1 || version > committedVersion) return undefined;
  const [frame] = ring.since(version - 1) ?? [];
  const [text] = frame?.operations ?? [];
  if (text !== undefined) return (JSON.parse(text) as Operation).opId;
  for (const [opId, known] of content.clients.recent) if (known.version === version) return opId;
  return undefined;
};

/** Ids are the client's name and a number where it is an engine; others are not told, for anybody may have made them. */
const cameOf = ({ content: { clients, needless } }: Owned, clientId: ClientId, settledClientSeq: number): Came => {
  const [oldest] = clients.recent.values();
  const clientSeqs: number[] = [];
  for (const opId of [...clients.recent.keys(), ...needless]) {
    const clientSeq = sequenceIn(opId, clientId);
    if (clientSeq !== undefined && clientSeq > settledClientSeq) clientSeqs.push(clientSeq);
  }
  return { since: (oldest?.version ?? 1) - 1, clientSeqs };
};

export const joinTo = (owned: Owned, joining: Joining): Either<Rejection<'client-id-taken'>, Joined> => {
  owned.usedAt = performance.now();
  const { principalId, settledClientSeq, mayEdit } = joining;
  const holder = { place: owned.place, principalId };
  const clientId = joining.clientId ?? unused(owned, holder);
  if (joining.clientId !== undefined && !isTheirs(owned, holder, clientId))
    return reject('client-id-taken', 'The client id was not issued to you; join without one.');
  const lastClientSeq = Math.max(owned.seats.of(clientId)?.lastClientSeq ?? 0, settledClientSeq);
  if (mayEdit) owned.seats.settle(clientId, { principalId, lastClientSeq });
  const committedClientSeq = owned.content.clients.known.get(clientId)?.lastClientSeq ?? 0;
  const [last, there] = [operationAt(owned, owned.committedVersion), operationAt(owned, joining.knownVersion ?? 0)];
  return right({
    ...{ clientId, lastClientSeq, committedClientSeq, settledVersion: owned.content.version },
    ...(lastClientSeq > settledClientSeq ? { came: cameOf(owned, clientId, settledClientSeq) } : {}),
    ...(last === undefined ? {} : { lastOpId: last }),
    ...(there === undefined ? {} : { opIdThere: there }),
  });
};

/** Where a snapshot can be had, the ring begins no later than it. */
const afterSnapshot = ({ content, ring, committedVersion }: Owned, rebase: boolean): Resumption => {
  const { snapshot } = content;
  const frames: readonly Frame[] = ring.since(snapshot?.version ?? 0) ?? [];
  return { rebase, frames, committedVersion, ...(snapshot === undefined ? {} : { snapshot }) };
};

export const resumeAt = (owned: Owned, knownVersion: number): Resumption => {
  const { ring, committedVersion } = owned;
  if (knownVersion === 0) return afterSnapshot(owned, false);
  const frames = ring.since(knownVersion);
  return frames === undefined ? afterSnapshot(owned, true) : { rebase: false, frames, committedVersion };
};
