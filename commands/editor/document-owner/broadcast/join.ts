/** Answers a join: the client's id, its sequence, and what it needs to reach the committed version. */
import { type Either, right } from 'fp-ts/Either';
import type { ClientId, OperationId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import { parseClientSequence } from '../../../../domain/editor/operation-log/client-table';
import { type Rejection, reject } from '../../../../domain/kernel/rejection';
import { checkClientId } from '../client-id-rules';
import type { ClientHolder } from '../client-ids';
import type { CatchUp, CommittedSequences, JoinRequest, JoinResult, OperationFrame } from '../document-handle';
import type { OwnedDocument } from '../owned-document';

const issueUnusedId = ({ sequences, deps }: OwnedDocument, holder: ClientHolder): ClientId => {
  for (;;) {
    const id = deps.clientIds.issue(holder);
    if (sequences.of(id) === undefined) return id;
  }
};

export const issueClientId = (owned: OwnedDocument, principalId: string): ClientId => {
  owned.lifetime.touch();
  const clientId = issueUnusedId(owned, { documentKey: owned.documentKey, principalId });
  // This owner never issues an id twice.
  owned.sequences.settle(clientId, { principalId, lastClientSeq: 0 });
  return clientId;
};

/** Id of the operation that made a version; undefined if neither the backlog nor the client table has it. */
const operationIdAt = ({ broadcaster, content }: OwnedDocument, version: number): OperationId | undefined => {
  if (version < 1 || version > broadcaster.committedVersion()) return undefined;
  const [frame] = broadcaster.backlog.since(version - 1) ?? [];
  const [text] = frame?.operations ?? [];
  if (text !== undefined) return (JSON.parse(text) as Operation).opId;
  for (const [opId, known] of content.clients.recent) if (known.version === version) return opId;
  return undefined;
};

/** Lists only ids of the form `<clientId>-<clientSeq>`: any client may have chosen the others. */
const committedSequencesOf = (
  { content: { clients, noOps } }: OwnedDocument,
  clientId: ClientId,
  settledClientSeq: number,
): CommittedSequences => {
  const [oldest] = clients.recent.values();
  const clientSeqs: number[] = [];
  for (const opId of [...clients.recent.keys(), ...noOps.keys()]) {
    const clientSeq = parseClientSequence(opId, clientId);
    if (clientSeq !== undefined && clientSeq > settledClientSeq) clientSeqs.push(clientSeq);
  }
  return { since: (oldest?.version ?? 1) - 1, clientSeqs };
};

export const joinDocument = (
  owned: OwnedDocument,
  request: JoinRequest,
): Either<Rejection<'client-id-taken'>, JoinResult> => {
  owned.lifetime.touch();
  const { principalId, settledClientSeq, mayEdit } = request;
  const holder = { documentKey: owned.documentKey, principalId };
  const clientId = request.clientId ?? issueUnusedId(owned, holder);
  if (request.clientId !== undefined && checkClientId(owned, holder, clientId) !== undefined)
    return reject('client-id-taken', 'The client id was not issued to you; join without one.');
  const lastClientSeq = Math.max(owned.sequences.of(clientId)?.lastClientSeq ?? 0, settledClientSeq);
  if (mayEdit) owned.sequences.settle(clientId, { principalId, lastClientSeq });
  const committedClientSeq = owned.content.clients.known.get(clientId)?.lastClientSeq ?? 0;
  const last = operationIdAt(owned, owned.broadcaster.committedVersion());
  const there = operationIdAt(owned, request.knownVersion ?? 0);
  return right({
    clientId,
    lastClientSeq,
    committedClientSeq,
    settledVersion: owned.content.version,
    ...(lastClientSeq > settledClientSeq ? { came: committedSequencesOf(owned, clientId, settledClientSeq) } : {}),
    ...(last === undefined ? {} : { lastOpId: last }),
    ...(there === undefined ? {} : { opIdThere: there }),
  });
};

/** The backlog starts at or before the newest snapshot, so snapshot and frames are complete. */
const catchUpFromSnapshot = ({ content, broadcaster }: OwnedDocument, rebase: boolean): CatchUp => {
  const { snapshot } = content;
  const frames: readonly OperationFrame[] = broadcaster.backlog.since(snapshot?.version ?? 0) ?? [];
  return {
    rebase,
    frames,
    committedVersion: broadcaster.committedVersion(),
    ...(snapshot === undefined ? {} : { snapshot }),
  };
};

export const catchUpFrom = (owned: OwnedDocument, knownVersion: number): CatchUp => {
  if (knownVersion === 0) return catchUpFromSnapshot(owned, false);
  const frames = owned.broadcaster.backlog.since(knownVersion);
  if (frames === undefined) return catchUpFromSnapshot(owned, true);
  return { rebase: false, frames, committedVersion: owned.broadcaster.committedVersion() };
};
