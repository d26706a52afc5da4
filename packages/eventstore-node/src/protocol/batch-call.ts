/** The BatchAppend call: requests in as fast as their answers go out. */
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import { handleBatchAppend } from './batch-append';
import { type Calling, failing, type Node } from './calls';

type BatchCall = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;

const mostUnanswered = 512;
const mostUnansweredBytes = 16 * 1024 * 1024;

const bytesIn = (request: BatchAppendReq): number =>
  request
    .getProposedMessagesList()
    .reduce((sum, event) => sum + event.getData_asU8().length + event.getCustomMetadata_asU8().length, 0);

const serve = (call: BatchCall, calling: Calling, fail: (error: unknown) => void): void => {
  let unanswered = 0;
  let bytes = 0;
  const handler = handleBatchAppend(calling, (reply) => {
    if (!call.destroyed && !call.cancelled) call.write(reply);
  });
  // Requests wait in the client's flow-control window, not in our memory; and so do those of a client that reads no answers.
  const flow = (): void => {
    const full = unanswered >= mostUnanswered || bytes >= mostUnansweredBytes || call.writableNeedDrain;
    if (full) call.pause();
    else if (call.isPaused()) call.resume();
  };
  call.on('data', (request: BatchAppendReq) => {
    const size = bytesIn(request);
    unanswered += 1;
    bytes += size;
    const answered = (): void => {
      unanswered -= 1;
      bytes -= size;
      flow();
    };
    flow();
    handler.receive(request).catch(fail).finally(answered);
  });
  call.on('drain', flow);
  call.once('end', () => {
    handler.close();
    call.end();
  });
  call.once('cancelled', handler.close);
  call.on('error', handler.close);
};

export const batchAppend =
  (node: Node) =>
  (call: BatchCall): void => {
    const fail = failing(node, call);
    const over = (): void => void node.open.delete(fail);
    node.open.add(fail);
    call.once('end', over);
    call.once('cancelled', over);
    call.on('error', over);
    node.access.callerOf(call.metadata).then((caller) => serve(call, { node, caller }, fail), fail);
  };
