/** How calls are answered and ended, whatever they ask. */
import type { EventEmitter } from 'node:events';
import type { handleUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import type { Access } from '../access/access';
import type { Caller } from '../access/caller';
import type { Bell } from '../bell';
import type { Storage } from '../storage/storage';
import type { Writer } from '../storage/writer';
import type { Users } from '../users/users';
import { CallEnded, serviceErrorOf } from './errors';

/** This node, as its cluster knows it. */
export interface Member {
  readonly instanceId: string;
  readonly host: string;
  readonly port: number;
}

export interface Node {
  readonly storage: Storage;
  readonly writer: Writer;
  readonly bell: Bell;
  readonly access: Access;
  readonly users: Users;
  readonly member: () => Member;
  /** Calls that stay open until the node closes. */
  readonly open: Set<(reason: CallEnded) => void>;
  /** A defect or damage, for the node's log. */
  readonly report: (error: unknown) => void;
}

/** A call's node and who makes it. */
export interface Calling {
  readonly node: Node;
  readonly caller: Caller;
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
  <Request, Reply>(
    node: Node,
    handle: (request: Request, caller: Caller) => Promise<Reply>,
  ): handleUnaryCall<Request, Reply> =>
  (call, callback) => {
    const run = async (): Promise<Reply> => handle(call.request, await node.access.callerOf(call.metadata));
    answer(node, run(), callback);
  };

/** Ends a streaming call with the error's status. */
export const failing =
  (node: Node, call: EventEmitter) =>
  (error: unknown): void => {
    if (!(error instanceof CallEnded)) node.report(error);
    call.emit('error', serviceErrorOf(error));
  };
