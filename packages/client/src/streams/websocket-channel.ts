/** One stream on a shared socket: its subscribe message, and the decoding of the server's messages. */

import { parseProblem } from '../http/problem-response';
import { checkShape, createUnexpectedError } from '../http/read-response';
import type { Shape } from '../shape';
import type { MessageBuffer } from './message-buffer';
import type { ConnectionEnd, StreamMessage } from './stream-message';
import { operation, type WireMessage } from './websocket-connection';

export interface WebSocketChannel {
  readonly stream: string;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly after: string | undefined;
  readonly shape: Shape;
  readonly buffer: MessageBuffer;
}

export const leftByClient: ConnectionEnd = { kind: 'ended', code: undefined, retryMilliseconds: undefined };
/** Reconnects at once, after the last message that the reader took. */
const fellBehind: ConnectionEnd = { kind: 'ended', code: 'behind', retryMilliseconds: 0 };

const socketResponse = { response: { status: 101, headers: new Headers() }, context: { operation } };

const textOrUndefined = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const decodeMessage = (
  { type, id, event, data }: WireMessage,
  { shape }: WebSocketChannel,
): StreamMessage | undefined => {
  if (type === 'ready' || type === 'checkpoint')
    return { kind: 'mark', isReady: type === 'ready', id: textOrUndefined(id) };
  if (type !== 'event') return undefined;
  return {
    kind: 'event',
    id: textOrUndefined(id) ?? '',
    event: textOrUndefined(event) ?? 'message',
    data: checkShape(shape, data, socketResponse),
  };
};

const toRefusalEnd = ({ problem }: WireMessage): ConnectionEnd => {
  if (problem === undefined) return leftByClient;
  const status = typeof problem === 'object' && problem !== null ? Number(Reflect.get(problem, 'status')) : 0;
  const context = {
    ...socketResponse,
    response: { ...socketResponse.response, status: Number.isInteger(status) ? status : 0 },
  };
  return {
    kind: 'failed',
    error:
      parseProblem(problem, context) ??
      createUnexpectedError(socketResponse, 'wrong-form', 'A refusal gives no reason.'),
  };
};

/** Delivers one message to its channel; false if the channel has ended. */
const deliver = (channel: WebSocketChannel, wireMessage: WireMessage, size: number): boolean => {
  const { buffer } = channel;
  if (wireMessage.type === 'refused' || wireMessage.type === 'unsubscribed') {
    buffer.finish(toRefusalEnd(wireMessage));
    return false;
  }
  try {
    const message = decodeMessage(wireMessage, channel);
    if (message === undefined || buffer.put(message, size)) return true;
    buffer.finish(fellBehind);
  } catch (error) {
    buffer.finish({ kind: 'failed', error });
  }
  return false;
};

export const createSubscribeMessage = (id: string, { stream, filter, after }: WebSocketChannel): WireMessage => ({
  type: 'subscribe',
  id,
  stream,
  filter,
  ...(after === undefined ? {} : { after }),
});

/** The channels of one socket by their subscription ids. */
export const createChannels = () => {
  const channels = new Map<string, WebSocketChannel>();
  let names = 0;
  return {
    add: (channel: WebSocketChannel): string => {
      names += 1;
      const id = `s${names}`;
      channels.set(id, channel);
      return id;
    },
    remove: (id: string): boolean => channels.delete(id),
    count: () => channels.size,
    subscribeMessages: (): readonly WireMessage[] =>
      [...channels].map(([id, channel]) => createSubscribeMessage(id, channel)),
    /** Returns the id of the channel if the message ended it. */
    dispatch: (message: WireMessage, size: number): string | undefined => {
      const id = String(message.subscription);
      const channel = channels.get(id);
      return channel === undefined || deliver(channel, message, size) ? undefined : id;
    },
    finish: (how: ConnectionEnd): void => {
      for (const { buffer } of channels.values()) buffer.finish(how);
      channels.clear();
    },
  };
};
