/** Delete and Tombstone. */
import {
  type DeleteReq,
  DeleteResp,
  type TombstoneReq,
  TombstoneResp,
} from '@eventstore/db-client/generated/streams_pb';
import type { Caller } from '../access/caller';
import { type DeleteOutcome, type DeleteRequest, softDelete, tombstone } from '../storage/delete';
import type { Refused } from '../storage/writer';
import type { Node } from './calls';
import { handlerThrew, invalidArgument, streamDeleted, writeRefused, wrongExpectedVersion } from './errors';
import { expectedIn, expectedNumber, streamNameIn } from './proposed';

/** Deleting `$$x` is changing the metadata of `x`. */
const requestOf = (
  { access }: Node,
  caller: Caller,
  options: DeleteReq.Options | TombstoneReq.Options | undefined,
): DeleteRequest => {
  if (options === undefined) throw invalidArgument("'None' is not a valid options");
  const stream = streamNameIn(options);
  if (stream.length === 0) throw handlerThrew();
  access.allow(caller, 'delete', stream);
  return { stream, expected: expectedIn(options) };
};

const positionOf = ({ stream, expected }: DeleteRequest, outcome: DeleteOutcome | Refused): string => {
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
  const wanted = requestOf(node, caller, request.getOptions());
  const commit = positionOf(wanted, await node.writer.write(softDelete(wanted)));
  const position = new DeleteResp.Position();
  position.setCommitPosition(commit);
  position.setPreparePosition(commit);
  const reply = new DeleteResp();
  reply.setPosition(position);
  return reply;
};

export const handleTombstone = async (node: Node, request: TombstoneReq, caller: Caller): Promise<TombstoneResp> => {
  const wanted = requestOf(node, caller, request.getOptions());
  const commit = positionOf(wanted, await node.writer.write(tombstone(wanted)));
  const position = new TombstoneResp.Position();
  position.setCommitPosition(commit);
  position.setPreparePosition(commit);
  const reply = new TombstoneResp();
  reply.setPosition(position);
  return reply;
};
