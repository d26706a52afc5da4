/** A WebSocket by hand, to send what no client sends. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawFrame {
  readonly opcode: number;
  readonly payload?: Buffer;
  readonly last?: boolean;
  readonly masked?: boolean;
  readonly reserved?: number;
  /** What the header claims, when it is not the payload's length. */
  readonly length?: number;
}

const lengthOf = (length: number): Buffer => {
  if (length < 126) return Buffer.from([length]);
  const bytes = Buffer.alloc(length < 65_536 ? 3 : 9);
  bytes[0] = length < 65_536 ? 126 : 127;
  if (length < 65_536) bytes.writeUInt16BE(length, 1);
  else bytes.writeBigUInt64BE(BigInt(length), 1);
  return bytes;
};

export const rawFrame = (frame: RawFrame): Buffer => {
  const {
    opcode,
    payload = Buffer.alloc(0),
    last = true,
    masked = true,
    reserved = 0,
    length = payload.length,
  } = frame;
  const size = lengthOf(length);
  size[0] = (size[0] as number) | (masked ? 0x80 : 0);
  const mask = masked ? randomBytes(4) : Buffer.alloc(0);
  const body = masked ? payload.map((byte, at) => byte ^ (mask[at % 4] as number)) : payload;
  return Buffer.concat([Buffer.from([(last ? 0x80 : 0) | reserved | opcode]), size, mask, body]);
};

export const textFrame = (text: string): Buffer => rawFrame({ opcode: 1, payload: Buffer.from(text) });

export const handshake = (path: string, headers: Record<string, string>): string => {
  const all = {
    Host: 'x',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    'Sec-WebSocket-Protocol': 'septet.streams.v1',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
};

/** The code of the close frame that the server ends with; undefined when it just ends the connection. */
const closeCodeIn = (bytes: Buffer): number | undefined => {
  for (let at = bytes.indexOf('\r\n\r\n') + 4; at + 2 <= bytes.length; ) {
    const short = (bytes[at + 1] as number) & 0x7f;
    const [length, header] = short < 126 ? [short, 2] : [bytes.readUInt16BE(at + 2), 4];
    if (((bytes[at] as number) & 0x0f) === 8) return bytes.readUInt16BE(at + header);
    at += header + length;
  }
  return undefined;
};

export interface RawSocket {
  readonly socket: Socket;
  readonly send: (bytes: Buffer) => void;
  readonly closeCode: Promise<number | undefined>;
}

export const openRawSocket = async (port: number, head: string): Promise<RawSocket> => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closeCode = once(socket, 'close').then(() => closeCodeIn(Buffer.concat(chunks)));
  socket.write(head);
  await once(socket, 'data');
  return { socket, send: (bytes) => void socket.write(bytes), closeCode };
};
