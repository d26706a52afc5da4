/** Messages on their way out of a call: kept as places, turned into bytes only when the client has room for them. */
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/persistent_pb';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import { isSystemStream } from '../access/acl';
import type { Connection } from '../persistent/connection';
import type { Message } from '../persistent/message';
import { resolve } from '../storage/links';
import { type StoredRecord, streamOf } from '../storage/record';
import type { Storage } from '../storage/storage';
import type { ReadAccess } from './options';
import { eventReply, type IdForm } from './wire';

type ReadCall = ServerDuplexStream<ReadReq, ReadResp>;

export interface Delivery {
  readonly send: (message: Message) => void;
  /** Whatever was to be sent before waits for this. */
  readonly begin: (connection: Connection, fail: (error: unknown) => void) => void;
}

export interface Recipient {
  readonly storage: Storage;
  readonly access: ReadAccess;
  /** Undefined: `$all`. */
  readonly stream: Buffer | undefined;
  readonly idForm: IdForm;
}

/** Who may read the log may not see in it what the system's streams hide. */
const isVisible = ({ access, stream }: Recipient, { bytes }: StoredRecord): boolean => {
  if (access.isAdministrator) return true;
  access.check(stream);
  const from = streamOf(bytes);
  return stream !== undefined || !isSystemStream(from) || access.mayRead(from);
};

const replyTo = ({ storage, access, idForm }: Recipient, message: Message, record: StoredRecord, links: boolean) =>
  eventReply(
    links || message.replayed ? resolve(storage, record, access.mayRead) : { event: record },
    idForm,
    message.retries,
  );

/** Answers whether the client has room for more. */
const writer =
  (call: ReadCall, recipient: Recipient, connection: Connection) =>
  (message: Message): boolean => {
    const record = connection.load(message);
    if (record === undefined) return true;
    if (!isVisible(recipient, record)) {
      connection.pass(message);
      return true;
    }
    return call.write(replyTo(recipient, message, record, connection.resolveLinks) as unknown as ReadResp);
  };

export const createDelivery = (call: ReadCall, recipient: Recipient): Delivery => {
  const queue: Message[] = [];
  let write: ((message: Message) => boolean) | undefined;
  let full = false;
  let pumping = false;
  const pump = (): void => {
    // Writing may make room in the group, which sends more: that waits for the loop below.
    if (write === undefined || pumping || full) return;
    pumping = true;
    for (let message = queue.shift(); message !== undefined; message = full ? undefined : queue.shift())
      full = !call.destroyed && !write(message);
    pumping = false;
    if (full) call.once('drain', drained);
  };
  const drained = (): void => {
    full = false;
    pump();
  };
  return {
    send: (message) => {
      queue.push(message);
      pump();
    },
    begin: (connection, fail) => {
      const send = writer(call, recipient, connection);
      write = (message) => {
        try {
          return send(message);
        } catch (error) {
          fail(error);
          return false;
        }
      };
      pump();
    },
  };
};
