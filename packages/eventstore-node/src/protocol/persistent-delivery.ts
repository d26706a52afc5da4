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

/** The message as it is sent; undefined when it is not for this consumer, or not any more. */
const encoder =
  (recipient: Recipient, connection: Connection) =>
  (message: Message): Buffer | undefined => {
    const record = connection.load(message);
    if (record === undefined) return undefined;
    if (isVisible(recipient, record)) return replyTo(recipient, message, record, connection.resolveLinks);
    connection.pass(message);
    return undefined;
  };

/** What cannot be read or may not be seen any more ends the call. */
const guarded =
  (encode: (message: Message) => Buffer | undefined, fail: (error: unknown) => void) =>
  (message: Message): Buffer | undefined => {
    try {
      return encode(message);
    } catch (error) {
      fail(error);
      return undefined;
    }
  };

/** Messages are counted by the call, whatever they weigh. */
const mostUnsentBytes = 256 * 1024;

/** Writes while there is room, and calls when there is more of it. */
const createOutlet = (call: ReadCall, roomAgain: () => void) => {
  let unsent = 0;
  call.on('drain', roomAgain);
  return {
    hasRoom: (): boolean => !call.destroyed && !call.writableNeedDrain && unsent < mostUnsentBytes,
    write: (bytes: Buffer): void => {
      unsent += bytes.length;
      call.write(bytes as unknown as ReadResp, () => {
        unsent -= bytes.length;
        roomAgain();
      });
    },
  };
};

export const createDelivery = (call: ReadCall, recipient: Recipient): Delivery => {
  const queue: Message[] = [];
  let encode: ((message: Message) => Buffer | undefined) | undefined;
  let pumping = false;
  const pump = (): void => {
    // Encoding may make room in the group, which sends more: that waits for the loop below.
    if (encode === undefined || pumping) return;
    pumping = true;
    while (outlet.hasRoom()) {
      const message = queue.shift();
      if (message === undefined) break;
      const bytes = encode(message);
      if (bytes !== undefined) outlet.write(bytes);
    }
    pumping = false;
  };
  const outlet = createOutlet(call, pump);
  return {
    send: (message) => {
      queue.push(message);
      pump();
    },
    begin: (connection, fail) => {
      encode = guarded(encoder(recipient, connection), fail);
      pump();
    },
  };
};
