/**
 * Read of a persistent subscription: sends messages as the client reads them, takes acknowledgements as they arrive.
 */
import { ReadReq, type ReadResp } from '@eventstore/db-client/generated/persistent_pb';
import type { UUID } from '@eventstore/db-client/generated/shared_pb';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { ConsumerConnection } from '../../persistent-subscriptions/consumer-connections';
import type { NackAction } from '../../persistent-subscriptions/group/messages';
import { allStreamName, groupKeyOf } from '../../persistent-subscriptions/group-configuration';
import { type CallContext, createFail, type Node } from '../call-context';
import { invalidArgument } from '../errors';
import { uuidText } from '../streams/proposed-events';
import { createReadAccess } from '../streams/read';
import { confirmationReply } from '../streams/read-replies';
import type { AcknowledgedIds } from './ack-decoder';
import { createDelivery } from './delivery';
import { groupFull, groupMissing } from './errors';
import { groupsOf } from './groups';
import { callerNameOf, decodeTarget } from './manage';

type ReadCall = ServerDuplexStream<ReadReq, ReadResp>;

const idsOf = (uuids: readonly UUID[]): readonly string[] =>
  uuids.map((uuid) => {
    const id = uuidText(uuid);
    if (id === undefined) throw invalidArgument('An id is not a UUID.');
    return id;
  });

const actions: Readonly<Partial<Record<number, NackAction>>> = {
  [ReadReq.Nack.Action.UNKNOWN]: 'unknown',
  [ReadReq.Nack.Action.PARK]: 'park',
  [ReadReq.Nack.Action.RETRY]: 'retry',
  [ReadReq.Nack.Action.SKIP]: 'skip',
  [ReadReq.Nack.Action.STOP]: 'stop',
};

const acknowledgeRequest = (connection: ConsumerConnection, request: ReadReq | AcknowledgedIds): void => {
  if (!(request instanceof ReadReq)) {
    connection.ack(request);
    return;
  }
  const ack = request.getAck();
  const nack = request.getNack();
  if (ack !== undefined) connection.ack(idsOf(ack.getIdsList()));
  else if (nack !== undefined)
    // An unknown action counts as none.
    connection.nack(idsOf(nack.getIdsList()), actions[nack.getAction()] ?? 'unknown', nack.getReason());
  else throw invalidArgument("'Options' is not a valid ContentOneofCase");
};

const connectionName = (call: ReadCall): string => call.metadata.get('connection-name')[0]?.toString() ?? '<unknown>';

interface ConnectOptions {
  readonly calling: CallContext;
  readonly fail: (error: unknown) => void;
  readonly options: ReadReq.Options;
}

const connect = async (call: ReadCall, { calling, fail, options }: ConnectOptions): Promise<ConsumerConnection> => {
  const { node, caller } = calling;
  const target = decodeTarget(options);
  node.access.allow(caller, 'read', Buffer.from(target.stream));
  const running = await groupsOf(node).find(target);
  if (running === undefined) throw groupMissing(target);
  const { maxSubscriberCount } = running.definition.settings;
  if (maxSubscriberCount > 0 && running.peers.size >= maxSubscriberCount) throw groupFull(target);
  const idForm = options.getUuidOption()?.hasString() ? 'text' : 'structured';
  call.write(confirmationReply(groupKeyOf(target)) as unknown as ReadResp);
  const stream = target.stream === allStreamName ? undefined : Buffer.from(target.stream);
  const { storage } = node;
  const delivery = createDelivery(call, { storage, access: createReadAccess(node, caller), stream, idForm });
  const slots = options.getBufferSize();
  const peer = { userName: callerNameOf(caller), connectionName: connectionName(call), slots };
  const connection = running.connect(peer, { send: delivery.send, drop: fail });
  delivery.start(connection, fail);
  return connection;
};

/** The first request names the group; all later ones concern delivered messages. */
const serveConsumer = (call: ReadCall, calling: CallContext, fail: (error: unknown) => void): void => {
  let connection: ConsumerConnection | undefined;
  let over = false;
  const leave = (): void => {
    over = true;
    connection?.leave();
  };
  const open = async (options: ReadReq.Options | undefined): Promise<void> => {
    if (options === undefined) throw invalidArgument("'Options' is the only valid ContentOneofCase at first");
    call.pause();
    connection = await connect(call, { calling, fail, options });
    if (over) leave();
    call.resume();
  };
  call.on('data', (request: ReadReq | AcknowledgedIds) => {
    try {
      if (over) return;
      if (connection !== undefined) acknowledgeRequest(connection, request);
      else open(request instanceof ReadReq ? request.getOptions() : undefined).catch(fail);
    } catch (error) {
      fail(error);
    }
  });
  // A client that sends no more acknowledgements may still read.
  call.once('end', () => {
    if (connection === undefined) call.end();
  });
  call.once('cancelled', leave);
  call.once('close', leave);
  call.on('error', leave);
};

export const readGroup =
  (node: Node) =>
  (call: ReadCall): void => {
    const fail = createFail(node, call);
    const over = (): void => void node.openCalls.delete(fail);
    node.openCalls.add(fail);
    call.once('cancelled', over);
    call.once('close', over);
    call.on('error', over);
    node.access.callerFromMetadata(call.metadata).then((caller) => serveConsumer(call, { node, caller }, fail), fail);
  };
