/** Append: a stream of requests (options, then events), one reply. */
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { type AppendReq, AppendResp } from '@eventstore/db-client/generated/streams_pb';
import { type Metadata, status } from '@grpc/grpc-js';
import { append } from '../../storage/append';
import { fieldLength, writeField } from '../../storage/records/binary-encoding';
import type { NewRecord } from '../../storage/records/record-format';
import { type AppendOutcome, type ExpectedRevision, noStream } from '../../storage/write-events';
import type { Node } from '../call-context';
import {
  appendTooLarge,
  CallError,
  handlerFailed,
  invalidArgument,
  maxAppendBytes,
  streamDeleted,
  writeRefused,
} from '../errors';
import {
  decodeExpectedRevision,
  decodeProposedEvent,
  decodeStreamName,
  maxRecordBytes,
  weightOf,
} from './proposed-events';

const successReply = (revision: number, position: number): AppendResp => {
  const answer = new AppendResp.Success();
  if (revision === noStream) answer.setNoStream(new Empty());
  else answer.setCurrentRevision(String(revision));
  const at = new AppendResp.Position();
  at.setCommitPosition(String(position));
  at.setPreparePosition(String(position));
  answer.setPosition(at);
  const reply = new AppendResp();
  reply.setSuccess(answer);
  return reply;
};

const setExpected = (answer: AppendResp.WrongExpectedVersion, expected: ExpectedRevision): void => {
  if (expected === 'any') {
    answer.setExpectedAny(new Empty());
    answer.setAny2060(new Empty());
  } else if (expected === 'exists') {
    answer.setExpectedStreamExists(new Empty());
    answer.setStreamExists2060(new Empty());
  } else if (expected === noStream) {
    answer.setExpectedNoStream(new Empty());
  } else {
    answer.setExpectedRevision(String(expected));
    answer.setExpectedRevision2060(expected);
  }
};

/** `expected_revision_20_6_0` for no stream is 2^64 - 1, which the generated code cannot encode. */
const noStreamBefore2060 = Buffer.from([0x18, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);

const wrongExpectedVersion = (expected: ExpectedRevision, revision: number): Buffer => {
  const answer = new AppendResp.WrongExpectedVersion();
  if (revision === noStream) {
    answer.setCurrentNoStream(new Empty());
    answer.setNoStream2060(new Empty());
  } else {
    answer.setCurrentRevision(String(revision));
    answer.setCurrentRevision2060(revision);
  }
  setExpected(answer, expected);
  const fields = Buffer.concat([
    answer.serializeBinary(),
    expected === noStream ? noStreamBefore2060 : Buffer.alloc(0),
  ]);
  const reply = Buffer.allocUnsafe(fieldLength(fields.length));
  writeField(reply, 0, 0x12, fields);
  return reply;
};

/** The requests that one call has sent so far. */
interface ReceivedAppend {
  readonly options: AppendReq.Options;
  readonly events: NewRecord[];
  size: number;
  weight: number;
}

const receiveAppend = async (requests: AsyncIterable<AppendReq>): Promise<ReceivedAppend> => {
  let received: ReceivedAppend | undefined;
  for await (const request of requests) {
    const options = request.getOptions();
    const message = request.getProposedMessage();
    if (options !== undefined) received = { options, events: [], size: 0, weight: 0 };
    else if (message === undefined) throw invalidArgument("'None' is not a valid ContentOneofCase");
    else if (received === undefined) throw invalidArgument("'ProposedMessage' is not a valid ContentOneofCase");
    else {
      received.size += message.getData_asU8().length;
      const record = decodeProposedEvent(message);
      received.weight += weightOf(record);
      if (received.size > maxAppendBytes || received.weight > maxRecordBytes) throw appendTooLarge();
      received.events.push(record);
    }
  }
  if (received === undefined) throw invalidArgument("'None' is not a valid ContentOneofCase");
  return received;
};

const replyOf = (stream: Buffer, expected: ExpectedRevision, outcome: AppendOutcome): AppendResp | Buffer => {
  switch (outcome.kind) {
    case 'appended':
      return successReply(outcome.revision, outcome.position);
    case 'wrong-revision':
      return wrongExpectedVersion(expected, outcome.revision);
    case 'stream-deleted':
      throw streamDeleted(stream);
  }
};

/** The requests of one call, in order. */
interface AppendCall extends AsyncIterable<AppendReq> {
  readonly metadata: Metadata;
  readonly cancelled: boolean;
}

const callCancelled = (): CallError => new CallError(status.CANCELLED, 'Call canceled');

export const handleAppend = async ({ access, writer }: Node, call: AppendCall): Promise<AppendResp | Buffer> => {
  const caller = await access.callerFromMetadata(call.metadata);
  const { options, events } = await receiveAppend(call).catch((error: unknown) => {
    throw call.cancelled ? callCancelled() : error;
  });
  const stream = decodeStreamName(options);
  if (stream.length === 0) throw handlerFailed();
  access.allow(caller, 'write', stream);
  const expected = decodeExpectedRevision(options);
  // The caller is gone.
  if (call.cancelled) throw callCancelled();
  const outcome = await writer.write(append({ stream, expected, events }));
  if (outcome.kind === 'refused') throw writeRefused(outcome.reason);
  return replyOf(stream, expected, outcome);
};
