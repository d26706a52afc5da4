/** Sends the replies of a streaming call: waits while the client is not reading, and notices when it is gone. */
import type { ServerInterceptingCallInterface, ServerWritableStream } from '@grpc/grpc-js';

/** Enough for a page of events, and little for each of many slow subscribers. */
const maxUnsentBytes = 64 * 1024;

export interface MessageOutput {
  readonly hasRoom: () => boolean;
  readonly write: (message: Buffer) => void;
}

/**
 * Hands encoded messages to the connection as they come, so that those of one page share its writes. The call's own
 * stream hands over the next message only when the one before is written, which costs a turn of the event loop each.
 */
export const createMessageOutput = (call: object, onRoom: () => void): MessageOutput => {
  const { call: connection } = call as { readonly call: ServerInterceptingCallInterface };
  let unsent = 0;
  return {
    hasRoom: () => unsent < maxUnsentBytes,
    write: (message) => {
      unsent += message.length;
      connection.sendMessage(message, () => {
        unsent -= message.length;
        onRoom();
      });
    },
  };
};

export interface ResponseStream {
  /** The call ended, or its client is gone. */
  readonly isClosed: () => boolean;
  /** Called once, at once when it is closed already. */
  readonly onClose: (listener: () => void) => void;
  /** Resolves when there is room for more; at once when the client is gone. */
  readonly send: (replies: Iterable<Buffer>) => Promise<void>;
}

/** Replies are bytes; the serializer of the service definition passes them through. */
export const createResponseStream = <Request, Reply>(call: ServerWritableStream<Request, Reply>): ResponseStream => {
  const listeners: (() => void)[] = [];
  let closed = false;
  let resume: (() => void) | undefined;
  const output = createMessageOutput(call, () => {
    if (resume !== undefined && output.hasRoom()) resume();
  });
  const close = (): void => {
    if (closed) return;
    closed = true;
    resume?.();
    for (const listener of listeners.splice(0)) listener();
  };
  call.once('cancelled', close);
  call.once('close', close);
  call.once('error', close);
  return {
    isClosed: () => closed,
    onClose: (listener) => {
      if (closed) listener();
      else listeners.push(listener);
    },
    send: async (replies) => {
      for (const reply of replies) {
        if (closed) return;
        output.write(reply);
      }
      if (!closed && !output.hasRoom()) await new Promise<void>((resolve) => (resume = resolve));
      resume = undefined;
    },
  };
};
