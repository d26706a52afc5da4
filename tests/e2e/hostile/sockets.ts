/** WebSockets and event streams in the hands of strangers. */
import assert from 'node:assert/strict';
import { deflateRawSync } from 'node:zlib';
import { handshake, openRawSocket, rawFrame, textFrame } from '../../support/http/raw-socket';
import { raw, type Stage, statusesIn } from './fixture';

const path = '/v1/streams';
const bomb = deflateRawSync(Buffer.alloc(32 * 1024 * 1024, 0x20));
const pieces = Array.from({ length: 100 }, () => rawFrame({ opcode: 0, payload: Buffer.from('x'), last: false }));

const attacks: readonly (readonly [string, Buffer, number])[] = [
  ['a huge message', rawFrame({ opcode: 1, payload: Buffer.alloc(1_000_000, 0x20) }), 1009],
  ['a frame of four exbibytes', rawFrame({ opcode: 1, length: 2 ** 52 }), 1009],
  ['a message without end', Buffer.concat([rawFrame({ opcode: 1, last: false }), ...pieces]), 1008],
  ['invalid UTF-8', rawFrame({ opcode: 1, payload: Buffer.from([0xed, 0xa0, 0x80]) }), 1007],
  ['a frame without a mask', rawFrame({ opcode: 1, payload: Buffer.from('{}'), masked: false }), 1002],
  ['a compressed bomb', rawFrame({ opcode: 1, payload: bomb, reserved: 0x40 }), 1002],
  ['the other reserved bits', rawFrame({ opcode: 1, payload: Buffer.from('{}'), reserved: 0x30 }), 1002],
  ['a reserved opcode', rawFrame({ opcode: 0xb }), 1002],
  ['a close frame with half a code', rawFrame({ opcode: 8, payload: Buffer.from([3]) }), 1002],
  ['a close frame with a code for nobody', rawFrame({ opcode: 8, payload: Buffer.from([0x03, 0xed]) }), 1002],
  ['a large ping', rawFrame({ opcode: 9, payload: Buffer.alloc(200) }), 1002],
  ['a flood of pings', Buffer.concat(Array.from({ length: 400 }, () => rawFrame({ opcode: 9 }))), 4429],
  ['a flood of subscriptions', Buffer.concat(Array.from({ length: 400 }, () => textFrame('{"type":"ping"}'))), 4429],
  ['deep JSON', textFrame('['.repeat(30_000)), 4400],
  ['a key that is there twice', textFrame('{"type":"ping","type":"subscribe"}'), 4400],
  ['a message named by a prototype', textFrame('{"__proto__":{"type":"ping"}}'), 4400],
  ['bytes', rawFrame({ opcode: 2, payload: Buffer.alloc(100) }), 1003],
];

const handshakes: readonly (readonly [string, Record<string, string>, number])[] = [
  ['a page of another site', { Origin: 'https://evil.test' }, 403],
  ['a page without an origin', { Origin: 'null' }, 403],
  ['no token', { Authorization: '' }, 401],
  ['another protocol', { 'Sec-WebSocket-Protocol': 'chat' }, 400],
  [
    'a forged ticket',
    { Authorization: '', 'Sec-WebSocket-Protocol': 'septet.streams.v1, septet.ticket.v1.e30.x' },
    401,
  ],
  ['an old version', { 'Sec-WebSocket-Version': '0' }, 400],
  ['half a key', { 'Sec-WebSocket-Key': 'abc' }, 400],
];

const positions = [
  '-1',
  '0x10',
  '1e9',
  '9'.repeat(40),
  'null',
  '*',
  '../0',
  '0'.repeat(4_000),
  '\xff\xfe',
  '{"a":1}',
  'v1.e30.x',
];

export const sockets = (stage: () => Stage): void => {
  const authorized = (): Record<string, string> => ({ Authorization: `Bearer ${stage().admin.token()}` });

  for (const [name, bytes, code] of attacks)
    it(`closes ${name} with ${code}`, async () => {
      const { send, closeCode } = await openRawSocket(stage().port, handshake(path, authorized()));
      send(bytes);
      assert.equal(await closeCode, code);
    });
  for (const [name, headers, status] of handshakes)
    it(`opens no socket for ${name}`, async () => {
      const all = Object.entries({ ...authorized(), ...headers }).filter(([, value]) => value !== '');
      assert.deepEqual(statusesIn(await raw(stage().port, handshake(path, Object.fromEntries(all)))), [status]);
    });
  for (const position of positions)
    it(`begins no stream behind ${JSON.stringify(position.slice(0, 20))}`, async () => {
      const lines = `Authorization: Bearer ${stage().admin.token()}\r\nConnection: close\r\nHost: x`;
      const line = `GET /v1/security/events/stream HTTP/1.1\r\n${lines}\r\nLast-Event-ID: ${position}\r\n\r\n`;
      const answer = await raw(stage().port, line);
      assert.deepEqual(statusesIn(answer), [400]);
      assert.match(answer, /"code":"invalid-input"/);
    });
};
