/** How calls are answered and ended, whatever they ask. */
import type { EventEmitter } from 'node:events';
import type { handleUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import type { Bell } from '../bell';
import type { Storage } from '../storage/storage';
import type { Writer } from '../storage/writer';
import { CallEnded, serviceErrorOf } from './errors';
import type { Member } from './server-features';

export interface Node {
  readonly storage: Storage;
  readonly writer: Writer;
  readonly bell: Bell;
  readonly member: () => Member;
  /** Calls that stay open until the node closes. */
  readonly open: Set<(reason: CallEnded) => void>;
  /** A defect or damage, for the node's log. */
  readonly report: (error: unknown) => void;
}

export const answer = <Reply>(node: Node, reply: Promise<Reply>, callback: sendUnaryData<Reply>): void => {
  reply.then(
    (value) => callback(null, value),
    (error: unknown) => {
      if (!(error instanceof CallEnded)) node.report(error);
      callback(serviceErrorOf(error));
    },
  );
};

export const unary =
  <Request, Reply>(node: Node, handle: (request: Request) => Promise<Reply>): handleUnaryCall<Request, Reply> =>
  (call, callback) =>
    answer(node, handle(call.request), callback);

/** Ends a streaming call with the error's status. */
export const failing =
  (node: Node, call: EventEmitter) =>
  (error: unknown): void => {
    if (!(error instanceof CallEnded)) node.report(error);
    call.emit('error', serviceErrorOf(error));
  };
