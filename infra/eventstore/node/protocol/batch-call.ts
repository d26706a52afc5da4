/** The BatchAppend call: requests in as fast as their answers go out. */
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import { handleBatchAppend } from './batch-append';
import { failing, type Node } from './calls';

const mostUnanswered = 512;

export const batchAppend =
  (node: Node) =>
  (call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>): void => {
    const fail = failing(node, call);
    node.open.add(fail);
    let unanswered = 0;
    const handler = handleBatchAppend(node.writer, (reply) => {
      if (!call.destroyed && !call.cancelled) call.write(reply);
    });
    const resume = (): void => {
      unanswered -= 1;
      if (unanswered < mostUnanswered && call.isPaused()) call.resume();
    };
    call.on('data', (request: BatchAppendReq) => {
      unanswered += 1;
      // Requests wait in the client's flow-control window, not in our memory.
      if (unanswered >= mostUnanswered) call.pause();
      handler.receive(request).catch(fail).finally(resume);
    });
    const over = (): void => {
      node.open.delete(fail);
      handler.close();
    };
    call.once('end', () => {
      over();
      call.end();
    });
    call.once('cancelled', over);
    call.on('error', over);
  };
