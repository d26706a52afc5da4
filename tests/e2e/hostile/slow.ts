/** Clients that hold on to connections: by sending slowly, by sending nothing, by leaving halfway. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { head, registration, registrationsAt, type Stage, statusesIn } from './fixture';

export interface Crowd {
  /** The whole answer to each of them. */
  readonly answers: Promise<readonly string[]>;
}

const most = 300;

const slowOne = (port: number, silent: boolean): Promise<string> => {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += String(chunk);
  });
  if (!silent) socket.write('GET /v1/principals HTTP/1.1\r\nHost: x\r\nX-Slow: ');
  // A byte now and then must not buy more time.
  const timer = setInterval(() => silent || socket.write('x'), 500);
  return once(socket, 'close').then(() => {
    clearInterval(timer);
    return answer;
  });
};

/** They are there while everything else is tested. */
export const crowdOf = ({ port }: Stage): Crowd => ({
  answers: Promise.all(Array.from({ length: most }, (_, at) => slowOne(port, at % 3 === 0))),
});

/** What came back until the other side ended. */
const readUntilEnd = async (socket: Socket): Promise<string> => {
  let answer = '';
  socket
    .on('error', () => undefined)
    .on('data', (chunk) => {
      answer += String(chunk);
    });
  await once(socket, 'close');
  return answer;
};

export const slow = (stage: () => Stage, crowd: () => Crowd): void => {
  it('does nothing for a client that leaves in the middle of a body', async () => {
    const before = await registrationsAt(stage());
    for (const leave of ['end', 'destroy', 'resetAndDestroy'] as const) {
      const socket = connect(stage().port, '127.0.0.1', () => {
        socket.write(`${head(stage(), `Content-Length: ${registration.length}`)}\r\n${registration.slice(0, 9)}`, () =>
          socket[leave](),
        );
      });
      assert.ok(statusesIn(await readUntilEnd(socket)).every((status) => status === 400));
    }
    assert.equal(await registrationsAt(stage()), before);
  });

  it('closes the connection of a client that sends requests and does not read', async () => {
    const before = stage().services.memoryOf('gateway');
    const question = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(stage().port, '127.0.0.1').on('error', () => undefined);
      socket.pause();
      socket.write(question.repeat(500));
      return socket;
    });
    assert.equal((await stage().admin.get('/oauth/jwks')).status, 200);
    assert.ok(stage().services.memoryOf('gateway') - before < 300, 'what nobody reads is not kept');
    for (const socket of sockets) socket.destroy();
  });

  it('cuts off those who send headers slowly, or nothing, and serves all others meanwhile', async () => {
    const answers = await crowd().answers;
    assert.equal(answers.length, most);
    assert.ok(answers.every((answer) => answer === '' || answer.startsWith('HTTP/1.1 408 ')));
    assert.ok(answers.some((answer) => answer !== ''));
  });
};
