/** Delete and Tombstone. */
import {
  type DeleteReq,
  DeleteResp,
  type TombstoneReq,
  TombstoneResp,
} from '@eventstore/db-client/generated/streams_pb';
import type { Caller } from '../../access/caller';
import { type DeleteOutcome, type DeleteRequest, softDelete, tombstone } from '../../storage/delete';
import type { WriteRefused } from '../../storage/writer';
import type { Node } from '../call-context';
import { handlerFailed, invalidArgument, streamDeleted, writeRefused, wrongExpectedVersion } from '../errors';
import { decodeExpectedRevision, decodeStreamName, expectedNumber } from './proposed-events';

/** Deleting `$$x` changes the metadata of `x`. */
const decodeDeleteRequest = (
  { access }: Node,
  caller: Caller,
  options: DeleteReq.Options | TombstoneReq.Options | undefined,
): DeleteRequest => {
  if (options === undefined) throw invalidArgument("'None' is not a valid options");
  const stream = decodeStreamName(options);
  if (stream.length === 0) throw handlerFailed();
  access.allow(caller, 'delete', stream);
  return { stream, expected: decodeExpectedRevision(options) };
};

const positionOrThrow = ({ stream, expected }: DeleteRequest, outcome: DeleteOutcome | WriteRefused): string => {
  switch (outcome.kind) {
    case 'deleted':
      return String(outcome.position);
    case 'wrong-revision':
      throw wrongExpectedVersion(stream, expectedNumber(expected), outcome.revision);
    case 'stream-deleted':
      throw streamDeleted(stream);
    case 'refused':
      throw writeRefused(outcome.reason);
  }
};

export const handleDelete = async (node: Node, request: DeleteReq, caller: Caller): Promise<DeleteResp> => {
  const deleteRequest = decodeDeleteRequest(node, caller, request.getOptions());
  const commit = positionOrThrow(deleteRequest, await node.writer.write(softDelete(deleteRequest)));
  const position = new DeleteResp.Position();
  position.setCommitPosition(commit);
  position.setPreparePosition(commit);
  const reply = new DeleteResp();
  reply.setPosition(position);
  return reply;
};

export const handleTombstone = async (node: Node, request: TombstoneReq, caller: Caller): Promise<TombstoneResp> => {
  const deleteRequest = decodeDeleteRequest(node, caller, request.getOptions());
  const commit = positionOrThrow(deleteRequest, await node.writer.write(tombstone(deleteRequest)));
  const position = new TombstoneResp.Position();
  position.setCommitPosition(commit);
  position.setPreparePosition(commit);
  const reply = new TombstoneResp();
  reply.setPosition(position);
  return reply;
};
