import assert from 'node:assert/strict';
import { sendRawRequest } from '../../../support/http/http-service';
import { handshake, openRawSocket, type RawFrame, rawFrame, textFrame } from '../../../support/http/raw-socket';
import { openSocketClient, type SocketClient } from '../../../support/http/socket-client';
import { startStreams } from '../../../support/http/stream-fixture';

const path = '/v1/streams';
const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
const fragments = (count: number): Buffer =>
  Buffer.concat([
    rawFrame({ opcode: 1, payload: Buffer.from('"'), last: false }),
    ...Array.from({ length: count }, () => rawFrame({ opcode: 0, payload: Buffer.from('x'), last: false })),
  ]);

const attacks: readonly (readonly [string, Buffer, number])[] = [
  ['a huge message', rawFrame({ opcode: 1, payload: Buffer.alloc(65_537, 0x20) }), 1009],
  ['a frame that claims to be endless', rawFrame({ opcode: 1, length: 2 ** 52 }), 1009],
  ['a message in too many pieces', fragments(100), 1008],
  ['invalid UTF-8', rawFrame({ opcode: 1, payload: Buffer.from([0x22, 0xc3, 0x28, 0x22]) }), 1007],
  ['a frame without a mask', rawFrame({ opcode: 1, payload: Buffer.from('{}'), masked: false }), 1002],
  ['reserved bits', rawFrame({ opcode: 1, payload: Buffer.from('{}'), reserved: 0x40 }), 1002],
  ['an unknown opcode', rawFrame({ opcode: 3 }), 1002],
  ['a continuation of nothing', rawFrame({ opcode: 0 }), 1002],
  ['a control frame in pieces', rawFrame({ opcode: 9, last: false }), 1002],
  ['a large ping', rawFrame({ opcode: 9, payload: Buffer.alloc(126) }), 1002],
  ['bytes', rawFrame({ opcode: 2, payload: Buffer.from('{}') }), 1003],
  ['no JSON', textFrame('{"type":'), 4400],
  ['deep JSON', textFrame(deep), 4400],
  ['JSON that is no message', textFrame('[1]'), 4400],
  ['an unknown message', textFrame('{"type":"shutdown"}'), 4400],
  ['a message named by a prototype', textFrame('{"type":"__proto__"}'), 4400],
  ['a name that would break out', textFrame('{"type":"subscribe","id":"a\\",\\"x\\":\\"","stream":"things"}'), 4400],
  ['a flood of messages', Buffer.concat(Array.from({ length: 300 }, () => textFrame('{"type":"ping"}'))), 4429],
  ['a flood of pings', Buffer.concat(Array.from({ length: 300 }, () => rawFrame({ opcode: 9 }))), 4429],
];

describe('hostile WebSockets', () => {
  let all: Awaited<ReturnType<typeof startStreams>>;
  let neighbour: SocketClient;
  before(async () => {
    all = await startStreams();
    neighbour = await openSocketClient(all.url, { headers: all.authorized({ sub: 'p-2' }) });
    neighbour.sendJson({ type: 'subscribe', id: 'n', stream: 'things' });
    for (const type of ['welcome', 'subscribed', 'ready']) assert.equal((await neighbour.next()).type, type);
  });
  after(() => all.close());

  const raw = () => openRawSocket(all.gateway.port, handshake(path, all.authorized()));
  const undisturbed = async (): Promise<void> => {
    await all.service.append();
    assert.equal((await neighbour.next()).event, 'Thing');
  };

  for (const [name, bytes, code] of attacks)
    it(`closes ${name} with ${code}, without affecting other sockets`, async () => {
      const { send, closeCode } = await raw();
      send(bytes);
      assert.equal(await closeCode, code);
      await undisturbed();
    });

  it('answers what is sent right behind the handshake', async () => {
    const attack: RawFrame = { opcode: 3 };
    const { closeCode } = await openRawSocket(
      all.gateway.port,
      `${handshake(path, all.authorized())}${rawFrame(attack).toString('latin1')}`,
    );
    assert.equal(await closeCode, 1002);
  });

  const refusals: readonly (readonly [string, Record<string, string>, RegExp])[] = [
    ['another version', { 'Sec-WebSocket-Version': '8' }, /^HTTP\/1.1 400 /],
    ['no key', { 'Sec-WebSocket-Key': 'short' }, /^HTTP\/1.1 400 /],
    ['a body', { 'Content-Length': '4' }, /^HTTP\/1.1 400 /],
    [
      'two protocols of one name',
      { 'Sec-WebSocket-Protocol': 'septet.streams.v1, septet.streams.v1' },
      /^HTTP\/1.1 400 /,
    ],
    [
      'an identity of its own making',
      { 'Septet-Identity': 'v1.e30.x', authorization: 'Bearer none' },
      /^HTTP\/1.1 401 /,
    ],
    ['an origin that only looks like ours', { Origin: 'http://septet.test.evil.test' }, /^HTTP\/1.1 403 /],
  ];
  for (const [name, headers, answer] of refusals)
    it(`refuses a handshake with ${name}`, async () => {
      const refused = await sendRawRequest(all.gateway.port, handshake(path, { ...all.authorized(), ...headers }));
      assert.match(refused, answer);
      assert.ok(!refused.includes('Bearer ey'));
    });

  it('serves a request that asks for another upgrade as if it had not', async () => {
    const head = handshake('/healthz', { Upgrade: 'h2c' });
    assert.match(await sendRawRequest(all.gateway.port, head), /^HTTP\/1.1 200 OK/);
  });

  it('keeps tickets and tokens from the service behind, and extensions off', async () => {
    const head = handshake(path, { ...all.authorized(), 'Sec-WebSocket-Extensions': 'permessage-deflate' });
    const { socket, closeCode } = await openRawSocket(all.gateway.port, head);
    socket.end(rawFrame({ opcode: 8, payload: Buffer.from([0x03, 0xe8]) }));
    assert.equal(await closeCode, 1000);
    await undisturbed();
  });
});

describe('a handshake that never ends', () => {
  it('is cut off', async () => {
    const all = await startStreams({ limits: { headersMilliseconds: 200 } as never });
    const begun = handshake(path, all.authorized()).slice(0, -4);
    assert.match(await sendRawRequest(all.gateway.port, begun), /^HTTP\/1.1 408 /);
    await all.close();
  });
});

describe('a socket that says nothing', () => {
  it('is closed when it follows nothing', async () => {
    const all = await startStreams({ idleMilliseconds: 30 });
    const client = await openSocketClient(all.url, { headers: all.authorized() });
    assert.deepEqual(await client.closed, { code: 4408, reason: 'idle' });
    await all.close();
  });

  it('is dropped when it does not answer heartbeats', async () => {
    const all = await startStreams({ pace: { heartbeatMilliseconds: 20, mostMissed: 2 } });
    // By hand: it answers no ping.
    const { closeCode } = await openRawSocket(all.gateway.port, handshake(path, all.authorized()));
    assert.equal(await closeCode, undefined);
    await all.close();
  });
});
