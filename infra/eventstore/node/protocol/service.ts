/** Binds the handlers to the protocol's service definitions, which the official client carries. */
import type { EventEmitter } from 'node:events';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb';
import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
  DeleteReq,
  DeleteResp,
  ReadReq,
  ReadResp,
  TombstoneReq,
  TombstoneResp,
} from '@eventstore/db-client/generated/streams_pb';
import type {
  handleUnaryCall,
  Server,
  ServerDuplexStream,
  ServerReadableStream,
  ServerWritableStream,
  sendUnaryData,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { Bell } from '../bell';
import type { Storage } from '../storage/storage';
import type { Writer } from '../storage/writer';
import { handleAppend } from './append';
import { handleBatchAppend } from './batch-append';
import { handleDelete, handleTombstone } from './delete';
import { CallEnded, serviceErrorOf } from './errors';
import { readOptionsOf } from './options';
import { type Outgoing, outgoing } from './outgoing';
import { readAll, readStream } from './read';
import { clusterOf, type Member, supportedMethods } from './server-features';
import { subscribeToAll, subscribeToStream } from './subscribe';

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

const answer = <Reply>(node: Node, reply: Promise<Reply>, callback: sendUnaryData<Reply>): void => {
  reply.then(
    (value) => callback(null, value),
    (error: unknown) => {
      if (!(error instanceof CallEnded)) node.report(error);
      callback(serviceErrorOf(error));
    },
  );
};

const unary =
  <Request, Reply>(node: Node, handle: (request: Request) => Promise<Reply>): handleUnaryCall<Request, Reply> =>
  (call, callback) =>
    answer(node, handle(call.request), callback);

const readOrFollow = ({ storage, bell }: Node, request: ReadReq, out: Outgoing): Promise<void> => {
  const options = readOptionsOf(request);
  const { stream, count } = options;
  if (count === undefined)
    return stream === undefined
      ? subscribeToAll({ storage, bell }, options, out)
      : subscribeToStream({ storage, bell }, stream, options, out);
  return stream === undefined ? readAll(storage, options, out) : readStream(storage, stream, options, out);
};

/** Ends a streaming call with the error's status. */
const failing =
  (node: Node, call: EventEmitter) =>
  (error: unknown): void => {
    if (!(error instanceof CallEnded)) node.report(error);
    call.emit('error', serviceErrorOf(error));
  };

const read =
  (node: Node) =>
  (call: ServerWritableStream<ReadReq, ReadResp>): void => {
    const fail = failing(node, call);
    node.open.add(fail);
    const out = outgoing(call);
    out.signal.addEventListener('abort', () => node.open.delete(fail));
    const run = async (): Promise<void> => {
      await readOrFollow(node, call.request, out);
      node.open.delete(fail);
      if (!out.signal.aborted) call.end();
    };
    run().catch(fail);
  };

const batchAppend =
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

const mostUnanswered = 512;

const passBytes = (reply: { serializeBinary(): Uint8Array } | Buffer): Buffer =>
  Buffer.isBuffer(reply) ? reply : Buffer.from(reply.serializeBinary());

export const addServices = (server: Server, node: Node): void => {
  const streams = {
    ...StreamsService,
    read: { ...StreamsService.read, responseSerialize: passBytes },
    append: { ...StreamsService.append, responseSerialize: passBytes },
  };
  const implementation = {
    read: read(node),
    append: (call: ServerReadableStream<AppendReq, AppendResp>, callback: sendUnaryData<AppendResp | Buffer>) =>
      answer(node, handleAppend(node.writer, call), callback),
    batchAppend: batchAppend(node),
    delete: unary<DeleteReq, DeleteResp>(node, (request) => handleDelete(node.writer, request)),
    tombstone: unary<TombstoneReq, TombstoneResp>(node, (request) => handleTombstone(node.writer, request)),
  };
  server.addService(streams, implementation as unknown as UntypedServiceImplementation);
  server.addService(ServerFeaturesService, {
    getSupportedMethods: unary(node, () => Promise.resolve(supportedMethods())),
  } as UntypedServiceImplementation);
  server.addService(GossipService, {
    read: unary(node, () => Promise.resolve(clusterOf(node.member()))),
  } as UntypedServiceImplementation);
};
