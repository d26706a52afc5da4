/** A client that streams, stalls and breaks off. */
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { TransferSystem } from './system';

const chunk = Buffer.alloc(65_536, 0x62);

export interface TransferRequest {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  readonly headers?: Record<string, string | number>;
}

export const openRequest = (
  { port, token }: Pick<TransferSystem, 'port' | 'token'>,
  { method, path, headers = {} }: TransferRequest,
): ClientRequest =>
  request({
    host: '127.0.0.1',
    port,
    method,
    path,
    agent: false,
    headers: { authorization: `Bearer ${token()}`, ...headers },
  }).on('error', () => undefined);

/** Until there is room, or the connection is gone. */
const drained = (sent: ClientRequest): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      sent.off('drain', done).off('close', done);
      resolve();
    };
    sent.on('drain', done).on('close', done);
  });

/** Writes as fast as the other side takes; ends early when the connection is gone. */
export const writeBytes = async (sent: ClientRequest, size: number): Promise<void> => {
  for (let left = size; left > 0 && !sent.destroyed; ) {
    const part = left < chunk.length ? chunk.subarray(0, left) : chunk;
    left -= part.length;
    if (!sent.write(part)) await drained(sent);
  }
};

export interface Received {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly code: string | undefined;
  readonly body: Record<string, unknown>;
}

export const receive = async (answer: IncomingMessage): Promise<Received> => {
  let text = '';
  for await (const part of answer) text += String(part);
  const body = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: answer.statusCode ?? 0, headers: answer.headers, code: body.code as string | undefined, body };
};

/** Rejects when the connection ends without an answer. */
export const answerTo = async (sent: ClientRequest): Promise<IncomingMessage> => {
  const [answer] = (await Promise.race([
    once(sent, 'response'),
    once(sent, 'close').then(() => Promise.reject(new Error('the connection ended without an answer'))),
  ])) as [IncomingMessage];
  return answer;
};

export const upload = async (system: TransferSystem, transfer: TransferRequest, size: number): Promise<Received> => {
  const sent = openRequest(system, transfer);
  const answered = answerTo(sent);
  await Promise.race([writeBytes(sent, size).then(() => sent.end()), answered]);
  return receive(await answered);
};

/** The number of bytes that arrive; rejects when the body breaks off. */
export const download = async (system: TransferSystem, path: string): Promise<number> => {
  const sent = openRequest(system, { method: 'GET', path });
  sent.end();
  const answer = await answerTo(sent);
  let size = 0;
  for await (const part of answer as AsyncIterable<Buffer>) size += part.length;
  return size;
};
