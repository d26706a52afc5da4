/** Binds the handlers to the protocol's service definitions, which the official client carries. */
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb';
import type {
  AppendReq,
  AppendResp,
  DeleteReq,
  DeleteResp,
  ReadReq,
  ReadResp,
  TombstoneReq,
  TombstoneResp,
} from '@eventstore/db-client/generated/streams_pb';
import type {
  Server,
  ServerReadableStream,
  ServerWritableStream,
  sendUnaryData,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { handleAppend } from './append';
import { batchAppend } from './batch-call';
import { answer, failing, type Node, unary } from './calls';
import { handleDelete, handleTombstone } from './delete';
import { readOptionsOf } from './options';
import { type Outgoing, outgoing } from './outgoing';
import { readAll, readStream } from './read';
import { clusterOf, supportedMethods } from './server-features';
import { subscribeToAll, subscribeToStream } from './subscribe';

const readOrFollow = ({ storage, bell }: Node, request: ReadReq, out: Outgoing): Promise<void> => {
  const options = readOptionsOf(request);
  const { stream, count } = options;
  if (count === undefined)
    return stream === undefined
      ? subscribeToAll({ storage, bell }, options, out)
      : subscribeToStream({ storage, bell }, stream, options, out);
  return stream === undefined ? readAll(storage, options, out) : readStream(storage, stream, options, out);
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
