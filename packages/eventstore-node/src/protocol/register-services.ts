/** Binds the handlers to the service definitions of the official client's package. */
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb';
import { OperationsService } from '@eventstore/db-client/generated/operations_grpc_pb';
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
import { UsersService } from '@eventstore/db-client/generated/users_grpc_pb';
import type {
  Server,
  ServerReadableStream,
  ServerWritableStream,
  ServiceDefinition,
  sendUnaryData,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { createFail, type Node, sendReply, unary } from './call-context';
import { gossipMethods } from './gossip';
import { monitoringMethods, monitoringService } from './monitoring';
import { operationsMethods } from './operations';
import { persistentSubscriptions } from './persistent-subscriptions/service';
import { createResponseStream, type ResponseStream } from './response-stream';
import { type ServiceRegistration, supportedMethods } from './server-features';
import { handleAppend } from './streams/append';
import { batchAppend } from './streams/batch-append';
import { handleDelete, handleTombstone } from './streams/delete';
import { createReadAccess, readAll, readStream } from './streams/read';
import { decodeReadOptions, type ReadOptions } from './streams/read-options';
import { subscribeToAll, subscribeToStream } from './streams/subscribe';
import { usersMethods } from './users';

const readOrSubscribe = (node: Node, options: ReadOptions, out: ResponseStream): Promise<void> => {
  const { stream, count } = options;
  if (count === undefined)
    return stream === undefined ? subscribeToAll(node, options, out) : subscribeToStream(node, stream, options, out);
  return stream === undefined ? readAll(node.storage, options, out) : readStream(node.storage, stream, options, out);
};

const read =
  (node: Node) =>
  (call: ServerWritableStream<ReadReq, ReadResp>): void => {
    const fail = createFail(node, call);
    node.openCalls.add(fail);
    const out = createResponseStream(call);
    out.onClose(() => node.openCalls.delete(fail));
    const run = async (): Promise<void> => {
      const caller = await node.access.callerFromMetadata(call.metadata);
      await readOrSubscribe(node, decodeReadOptions(call.request, createReadAccess(node, caller)), out);
      node.openCalls.delete(fail);
      if (!out.isClosed()) call.end();
    };
    run().catch(fail);
  };

const passBytes = (reply: { serializeBinary(): Uint8Array } | Buffer): Buffer =>
  Buffer.isBuffer(reply) ? reply : Buffer.from(reply.serializeBinary());

/** Replies of appends and reads are bytes already. */
const streamsService = {
  ...StreamsService,
  read: { ...StreamsService.read, responseSerialize: passBytes },
  append: { ...StreamsService.append, responseSerialize: passBytes },
  batchAppend: { ...StreamsService.batchAppend, responseSerialize: passBytes },
};

const streams = (node: Node) => ({
  read: read(node),
  append: (call: ServerReadableStream<AppendReq, AppendResp>, callback: sendUnaryData<AppendResp | Buffer>) =>
    sendReply(node, handleAppend(node, call), callback),
  batchAppend: batchAppend(node),
  delete: unary<DeleteReq, DeleteResp>(node, (request, caller) => handleDelete(node, request, caller)),
  tombstone: unary<TombstoneReq, TombstoneResp>(node, (request, caller) => handleTombstone(node, request, caller)),
});

/** Methods without a handler answer `UNIMPLEMENTED`. */
const servicesOf = (node: Node): readonly ServiceRegistration[] => [
  {
    definition: streamsService,
    implementation: streams(node),
    features: { read: ['position', 'events'], batchAppend: ['deadline_duration'] },
  },
  { definition: GossipService, implementation: gossipMethods(node) },
  persistentSubscriptions(node),
  { definition: OperationsService, implementation: operationsMethods(node) },
  { definition: UsersService, implementation: usersMethods(node) },
  { definition: monitoringService, implementation: monitoringMethods(node) },
];

export const registerServices = (server: Server, node: Node): void => {
  const services = servicesOf(node);
  for (const { definition, implementation } of services)
    server.addService(
      definition as unknown as ServiceDefinition,
      implementation as unknown as UntypedServiceImplementation,
    );
  server.addService(ServerFeaturesService, {
    getSupportedMethods: unary(node, () => Promise.resolve(supportedMethods(services))),
  } as UntypedServiceImplementation);
};
