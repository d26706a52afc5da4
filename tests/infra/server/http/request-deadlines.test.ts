import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type Listener, listen } from '../../../../infra/server/http/server/listener';

const begin = (port: number, target: string): Socket =>
  connect(port, '127.0.0.1', function (this: Socket) {
    this.write(`POST ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\na`);
  });

const received = async (socket: Socket): Promise<string> => {
  let answer = '';
  socket.on('data', (chunk) => {
    answer += String(chunk);
  });
  await once(socket, 'close');
  return answer;
};

describe('a listener with targets that may take their time', () => {
  let listener: Listener;
  before(async () => {
    const limits = { requestMilliseconds: 100, unhurried: ({ url }: IncomingMessage) => url === '/slow' };
    listener = await listen(
      (request, response) => {
        if (request.url === '/answered') response.writeHead(200).write('x');
        request.resume().once('end', () => response.end('done'));
      },
      { host: '127.0.0.1', port: 0, ...limits },
    );
  });
  after(() => listener.close());

  it('cuts off the others, with an answer where none has begun', async () => {
    const slow = begin(listener.port, '/slow');
    const answer = received(slow);
    assert.match(await received(begin(listener.port, '/other')), /^HTTP\/1.1 408 /);
    assert.doesNotMatch(await received(begin(listener.port, '/answered')), /408|done/);
    slow.write('b');
    assert.match(await answer, /^HTTP\/1.1 200 [\s\S]*done$/);
  });
});
