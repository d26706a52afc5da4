/** Delete and Tombstone. */
import {
  type DeleteReq,
  DeleteResp,
  type TombstoneReq,
  TombstoneResp,
} from '@eventstore/db-client/generated/streams_pb';
import { type DeleteOutcome, type DeleteRequest, softDelete, tombstone } from '../storage/delete';
import type { Refused, Writer } from '../storage/writer';
import { handlerThrew, invalidArgument, streamDeleted, writeRefused, wrongExpectedVersion } from './errors';
import { expectedIn, expectedNumber, streamNameIn } from './proposed';

const requestOf = (options: DeleteReq.Options | TombstoneReq.Options | undefined): DeleteRequest => {
  if (options === undefined) throw invalidArgument("'None' is not a valid options");
  const stream = streamNameIn(options);
  if (stream.length === 0) throw handlerThrew();
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

export const handleDelete = async (writer: Writer, request: DeleteReq): Promise<DeleteResp> => {
  const wanted = requestOf(request.getOptions());
  const commit = positionOf(wanted, await writer.write(softDelete(wanted)));
  const position = new DeleteResp.Position();
  position.setCommitPosition(commit);
  position.setPreparePosition(commit);
  const reply = new DeleteResp();
  reply.setPosition(position);
  return reply;
};

export const handleTombstone = async (writer: Writer, request: TombstoneReq): Promise<TombstoneResp> => {
  const wanted = requestOf(request.getOptions());
  const commit = positionOf(wanted, await writer.write(tombstone(wanted)));
  const position = new TombstoneResp.Position();
  position.setCommitPosition(commit);
  position.setPreparePosition(commit);
  const reply = new TombstoneResp();
  reply.setPosition(position);
  return reply;
};
