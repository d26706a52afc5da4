/** The floor: a server of the same protocol that answers at once and stores nothing. Reads stream one canned event. */

import { once } from 'node:events';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb';
import { AllStreamPosition } from '@eventstore/db-client/generated/shared_pb';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb';
import {
  type BatchAppendReq,
  BatchAppendResp,
  type ReadReq,
  type ReadResp,
} from '@eventstore/db-client/generated/streams_pb';
import {
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerWritableStream,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { supportedMethods } from '../../../packages/eventstore-node/src/protocol/server-features';
import {
  caughtUpReply,
  confirmationReply,
  eventReply,
} from '../../../packages/eventstore-node/src/protocol/streams/read-replies';
import { cannedPosition, cannedRecord } from './events';

const canned = eventReply({ event: { position: cannedPosition, bytes: cannedRecord } }, 'text');

const pageEvents = 256;

const read = async (call: ServerWritableStream<ReadReq, ReadResp>): Promise<void> => {
  const options = call.request.getOptions();
  const subscription = options?.hasSubscription() === true;
  const count = subscription ? Number(process.env.FLOOR_EVENTS) : Number(options?.getCount());
  if (subscription) call.write(confirmationReply('floor') as unknown as ReadResp);
  // In pages, as a server that reads from a store would: waiting at every message would make the floor slower than it.
  for (let sent = 0; sent < count && !call.cancelled; sent += pageEvents) {
    let room = true;
    for (let index = sent; index < Math.min(sent + pageEvents, count); index += 1)
      room = call.write(canned as unknown as ReadResp);
    if (!room) await once(call, 'drain');
  }
  if (!subscription) call.end();
  else call.write(caughtUpReply() as unknown as ReadResp);
};

const batchAppend = (call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>): void => {
  call.on('data', (request: BatchAppendReq) => {
    if (!request.getIsFinal()) return;
    const position = new AllStreamPosition();
    position.setCommitPosition('1000000');
    position.setPreparePosition('1000000');
    const success = new BatchAppendResp.Success();
    success.setCurrentRevision('1');
    success.setPosition(position);
    const reply = new BatchAppendResp();
    reply.setCorrelationId(request.getCorrelationId());
    reply.setSuccess(success);
    call.write(reply);
  });
  call.once('end', () => call.end());
};

const served = { definition: StreamsService, implementation: { read, batchAppend } };
const server = new Server();
const passBytes = (reply: unknown): Buffer => reply as Buffer;
server.addService({ ...StreamsService, read: { ...StreamsService.read, responseSerialize: passBytes } }, {
  read: (call: ServerWritableStream<ReadReq, ReadResp>) => void read(call),
  batchAppend,
} as unknown as UntypedServiceImplementation);
server.addService(ServerFeaturesService, {
  getSupportedMethods: (_: unknown, callback: (error: null, reply: unknown) => void) =>
    callback(null, supportedMethods([served])),
} as unknown as UntypedServiceImplementation);
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  console.log(JSON.stringify({ listening: `127.0.0.1:${port}` }));
});
