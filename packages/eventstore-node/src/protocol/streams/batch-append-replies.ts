/** Replies of BatchAppend to one append: success, or a `google.rpc.Status` with its details. */
import type { Code } from '@eventstore/db-client/generated/code_pb';
import {
  AccessDenied,
  AllStreamPosition,
  BadRequest,
  MaximumAppendSizeExceeded,
  StreamDeleted,
  StreamIdentifier,
  Timeout,
  Unknown,
  type UUID,
  WrongExpectedVersion,
} from '@eventstore/db-client/generated/shared_pb';
import { Status } from '@eventstore/db-client/generated/status_pb';
import { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { status } from '@grpc/grpc-js';
import type { Message } from 'google-protobuf';
import { Any } from 'google-protobuf/google/protobuf/any_pb';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { type ExpectedRevision, noStream } from '../../storage/write-events';
import type { WriteRefused } from '../../storage/writer';
import { maxAppendBytes, writeRefused } from '../errors';

export interface Failure {
  readonly code: number;
  readonly message: string;
  /** In package `event_store.client` unless the name includes another one. */
  readonly type: string;
  readonly detail: Message;
}

export const badRequest = (message: string): Failure => {
  const detail = new BadRequest();
  detail.setMessage(message);
  return { code: status.INVALID_ARGUMENT, message: 'BadRequest', type: 'BadRequest', detail };
};

export const tooLarge = (): Failure => {
  const detail = new MaximumAppendSizeExceeded();
  detail.setMaxappendsize(maxAppendBytes);
  return {
    code: status.INVALID_ARGUMENT,
    message: 'MaximumAppendSizeExceeded',
    type: 'MaximumAppendSizeExceeded',
    detail,
  };
};

export const timedOut = (): Failure => ({
  code: status.DEADLINE_EXCEEDED,
  message: 'Timeout',
  type: 'Timeout',
  detail: new Timeout(),
});
/** EventStoreDB has no such bound and no code for it. */
export const tooManyPending = (): Failure => ({
  code: status.RESOURCE_EXHAUSTED,
  message: 'Too many unfinished appends on one call.',
  type: 'Unknown',
  detail: new Unknown(),
});
export const accessDenied = (): Failure => ({
  code: status.PERMISSION_DENIED,
  message: 'AccessDenied',
  type: 'AccessDenied',
  detail: new AccessDenied(),
});
/**
 * The client drops the message where it knows the details, but keeps it for others and for a server that is not ready.
 */
export const writeFailed = ({ reason }: WriteRefused): Failure => ({
  code: status.UNAVAILABLE,
  message: writeRefused(reason).message,
  type: 'google.protobuf.Empty',
  detail: new Empty(),
});

const identifierOf = (stream: Buffer): StreamIdentifier => {
  const identifier = new StreamIdentifier();
  identifier.setStreamName(stream);
  return identifier;
};

export const streamDeleted = (stream: Buffer): Failure => {
  const detail = new StreamDeleted();
  detail.setStreamIdentifier(identifierOf(stream));
  return { code: status.NOT_FOUND, message: 'StreamDeleted', type: 'StreamDeleted', detail };
};

export const wrongVersion = (expected: ExpectedRevision, revision: number): Failure => {
  const detail = new WrongExpectedVersion();
  if (revision === noStream) detail.setCurrentNoStream(new Empty());
  else detail.setCurrentStreamRevision(String(revision));
  if (expected === 'any') detail.setExpectedAny(new Empty());
  else if (expected === 'exists') detail.setExpectedStreamExists(new Empty());
  else if (expected === noStream) detail.setExpectedNoStream(new Empty());
  else detail.setExpectedStreamPosition(String(expected));
  return { code: status.ALREADY_EXISTS, message: 'WrongExpectedVersion', type: 'WrongExpectedVersion', detail };
};

/** The append that a reply answers. */
export interface AppendIdentity {
  readonly correlationId: UUID;
  readonly stream: Buffer;
}

const replyTo = ({ correlationId, stream }: AppendIdentity): BatchAppendResp => {
  const reply = new BatchAppendResp();
  reply.setCorrelationId(correlationId);
  reply.setStreamIdentifier(identifierOf(stream));
  return reply;
};

export const failureReply = (append: AppendIdentity, { code, message, type, detail }: Failure): BatchAppendResp => {
  const error = new Status();
  error.setCode(code as unknown as Code);
  error.setMessage(message);
  const details = new Any();
  details.pack(detail.serializeBinary(), type.includes('.') ? type : `event_store.client.${type}`);
  error.setDetails(details);
  const reply = replyTo(append);
  reply.setError(error);
  return reply;
};

export const successReply = (append: AppendIdentity, revision: number, position: number): BatchAppendResp => {
  const success = new BatchAppendResp.Success();
  if (revision === noStream) success.setNoStream(new Empty());
  else success.setCurrentRevision(String(revision));
  const at = new AllStreamPosition();
  at.setCommitPosition(String(position));
  at.setPreparePosition(String(position));
  success.setPosition(at);
  const reply = replyTo(append);
  reply.setSuccess(success);
  return reply;
};
