/**
 * Sends messages of a call. They are queued as places in the log and encoded only when the client has room for them.
 */
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/persistent_pb';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import { isSystemStream } from '../../access/acl';
import type { ConsumerConnection } from '../../persistent-subscriptions/consumer-connections';
import type { Message } from '../../persistent-subscriptions/group/messages';
import { type StoredRecord, streamOf } from '../../storage/records/record-format';
import type { Storage } from '../../storage/storage';
import { resolveLink } from '../../storage/streams/resolve-links';
import { createMessageOutput } from '../response-stream';
import type { ReadAccess } from '../streams/read-options';
import { eventReply, type IdForm } from '../streams/read-replies';

type ReadCall = ServerDuplexStream<ReadReq, ReadResp>;

export interface Delivery {
  readonly send: (message: Message) => void;
  /** Begins to send; messages queued before wait for this. */
  readonly start: (connection: ConsumerConnection, fail: (error: unknown) => void) => void;
}

export interface Recipient {
  readonly storage: Storage;
  readonly access: ReadAccess;
  /** Undefined: `$all`. */
  readonly stream: Buffer | undefined;
  readonly idForm: IdForm;
}

/** Access lists of system streams hide events even from readers of the whole log. */
const isVisible = ({ access, stream }: Recipient, { bytes }: StoredRecord): boolean => {
  if (access.isAdministrator) return true;
  access.check(stream);
  const from = streamOf(bytes);
  return stream !== undefined || !isSystemStream(from) || access.mayRead(from);
};

const encodeReply = ({ storage, access, idForm }: Recipient, message: Message, record: StoredRecord, links: boolean) =>
  eventReply(
    links || message.replayed ? resolveLink(storage, record, access.mayRead) : { event: record },
    idForm,
    message.retries,
  );

/** The encoded message; undefined when this consumer may not see it or no longer has it. */
const createEncoder =
  (recipient: Recipient, connection: ConsumerConnection) =>
  (message: Message): Buffer | undefined => {
    const record = connection.load(message);
    if (record === undefined) return undefined;
    if (isVisible(recipient, record)) return encodeReply(recipient, message, record, connection.resolveLinks);
    connection.skip(message);
    return undefined;
  };

/** Corrupt data or a withdrawn right ends the call. */
const failOnError =
  (encode: (message: Message) => Buffer | undefined, fail: (error: unknown) => void) =>
  (message: Message): Buffer | undefined => {
    try {
      return encode(message);
    } catch (error) {
      fail(error);
      return undefined;
    }
  };

export const createDelivery = (call: ReadCall, recipient: Recipient): Delivery => {
  const queue: Message[] = [];
  let encode: ((message: Message) => Buffer | undefined) | undefined;
  let pumping = false;
  const pump = (): void => {
    // Encoding may free room in the group, which then sends more: the loop below handles that.
    if (encode === undefined || pumping) return;
    pumping = true;
    while (!call.destroyed && outlet.hasRoom()) {
      const message = queue.shift();
      if (message === undefined) break;
      const bytes = encode(message);
      if (bytes !== undefined) outlet.write(bytes);
    }
    pumping = false;
  };
  const outlet = createMessageOutput(call, pump);
  return {
    send: (message) => {
      queue.push(message);
      pump();
    },
    start: (connection, fail) => {
      encode = failOnError(createEncoder(recipient, connection), fail);
      pump();
    },
  };
};
