/** The context of gRPC calls, and how calls end. */
import type { EventEmitter } from 'node:events';
import type { handleUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import type { Access } from '../access/access';
import type { Caller } from '../access/caller';
import type { CommitNotifier } from '../server/commit-notifier';
import type { Storage } from '../storage/storage';
import type { Writer } from '../storage/writer';
import type { Users } from '../users/users';
import { CallError, toServiceError } from './errors';

/** The id of this node in its cluster of one. */
export interface ClusterMember {
  readonly instanceId: string;
  readonly host: string;
  readonly port: number;
}

export interface Node {
  readonly storage: Storage;
  readonly writer: Writer;
  readonly commitNotifier: CommitNotifier;
  readonly access: Access;
  readonly users: Users;
  readonly member: () => ClusterMember;
  /** Calls that stay open until the node closes. */
  readonly openCalls: Set<(reason: CallError) => void>;
  /** Reports a defect or corrupt data to the node's log. */
  readonly report: (error: unknown) => void;
}

/** A call's context and its caller. */
export interface CallContext {
  readonly node: Node;
  readonly caller: Caller;
}

export const sendReply = <Reply>(node: Node, reply: Promise<Reply>, callback: sendUnaryData<Reply>): void => {
  reply.then(
    (value) => callback(null, value),
    (error: unknown) => {
      if (!(error instanceof CallError)) node.report(error);
      callback(toServiceError(error));
    },
  );
};

export const unary =
  <Request, Reply>(
    node: Node,
    handle: (request: Request, caller: Caller) => Promise<Reply>,
  ): handleUnaryCall<Request, Reply> =>
  (call, callback) => {
    const run = async (): Promise<Reply> => handle(call.request, await node.access.callerFromMetadata(call.metadata));
    sendReply(node, run(), callback);
  };

/** Ends a streaming call with the error's status. */
export const createFail =
  (node: Node, call: EventEmitter) =>
  (error: unknown): void => {
    if (!(error instanceof CallError)) node.report(error);
    call.emit('error', toServiceError(error));
  };
