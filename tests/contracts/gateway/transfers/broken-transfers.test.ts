/** What either side of a transfer can do wrong: the other side notices, gets an answer where one is possible, and nothing stays open. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendRawRequest } from '../../../support/http/http-service';
import { eventually } from '../../../support/waiting/eventually';
import { answerTo, download, openRequest, type Received, receive, upload, writeBytes } from './client';
import { smallMaxBytes } from './context';
import { startTransferSystem, type TransferSystem } from './system';

const mebibyte = 2 ** 20;

describe('broken transfers through the gateway', function () {
  this.timeout(20_000);
  let system: TransferSystem;
  before(async () => {
    system = await startTransferSystem();
  });
  after(() => system.close());

  const assertProblem = ({ status, code }: Received, expected: readonly [status: number, code: string]): void =>
    assert.deepEqual([status, code], expected);
  const serviceSees = (outcome: 'aborted' | 'complete'): Promise<void> =>
    eventually(async () => assert.equal(system.service.last().outcome, outcome));
  const put = (path: string, headers: Record<string, string | number> = {}) =>
    openRequest(system, { method: 'PUT', path, headers });

  describe('an upload', () => {
    it('of more than the route takes is refused before it begins, or in the middle', async () => {
      const requests = system.service.count();
      const announced = put('/transfers/small/count', { 'content-length': smallMaxBytes + 1 });
      announced.flushHeaders();
      assertProblem(await receive(await answerTo(announced)), [413, 'body-too-large']);
      announced.destroy();
      assert.equal(system.service.count(), requests);
      const answer = await upload(system, { method: 'PUT', path: '/transfers/small/count' }, 2 * smallMaxBytes);
      assertProblem(answer, [413, 'body-too-large']);
      assert.equal(answer.headers.connection, 'close');
      await serviceSees('aborted');
      assert.ok(system.service.last().bytes <= smallMaxBytes);
      const whole = await upload(system, { method: 'PUT', path: '/transfers/small/count' }, smallMaxBytes);
      assert.deepEqual([whole.status, whole.body.bytes], [200, smallMaxBytes]);
    });

    it('that stops arriving is answered 408, and the service loses it', async () => {
      for (const headers of [{}, { 'content-length': 4 * mebibyte }] as Record<string, number>[]) {
        const sent = put('/transfers/brief/count', headers);
        await writeBytes(sent, mebibyte);
        assertProblem(await receive(await answerTo(sent)), [408, 'request-timeout']);
        await serviceSees('aborted');
        sent.destroy();
      }
    });

    it('that the service does not read, or does not answer, is answered 504', async () => {
      for (const name of ['stall', 'silent']) {
        const sent = put(`/transfers/brief/${name}`);
        void writeBytes(sent, 32 * mebibyte).then(() => sent.end());
        assertProblem(await receive(await answerTo(sent)), [504, 'timeout']);
        sent.destroy();
        // A connection that is not read does not show its end.
        if (name === 'silent') await serviceSees('aborted');
      }
    });

    it('takes longer than the idle time while bytes move', async () => {
      const sent = put('/transfers/brief/count');
      for (let part = 0; part < 6; part += 1) {
        sent.write('x');
        await sleep(300);
      }
      sent.end();
      assert.deepEqual((await receive(await answerTo(sent))).body.bytes, 6);
    });

    it('that takes longer than the whole time is answered 408, though bytes move', async () => {
      const sent = put('/transfers/hurried/count');
      const sending = setInterval(() => sent.write('x'), 200);
      assertProblem(await receive(await answerTo(sent)), [408, 'request-timeout']);
      clearInterval(sending);
      await serviceSees('aborted');
      assert.ok(system.service.last().bytes > 5, 'it was not idle');
      sent.destroy();
    });

    it('whose service dies is answered 503, and one whose client dies is aborted', async () => {
      const answer = await upload(system, { method: 'PUT', path: '/transfers/die' }, 64 * mebibyte);
      assertProblem(answer, [503, 'service-unavailable']);
      const sent = put('/transfers/count', { 'content-length': 4 * mebibyte });
      await writeBytes(sent, mebibyte);
      await eventually(async () => assert.ok(system.service.last().bytes > 0));
      sent.destroy();
      await serviceSees('aborted');
      assert.ok(system.service.last().bytes < 4 * mebibyte);
    });

    it('that the service answers early gets the answer, and the rest is not sent on', async () => {
      const answer = await upload(system, { method: 'PUT', path: '/transfers/refuse' }, 64 * mebibyte);
      assert.equal(answer.status, 409);
      assert.equal(answer.headers.connection, 'close');
      assert.ok(system.service.last().bytes < 8 * mebibyte);
    });
  });

  describe('a download', () => {
    it('that stops, or whose service dies, is cut: it does not look complete', async () => {
      for (const path of ['/transfers/brief/stall', '/transfers/die'])
        await assert.rejects(download(system, path), /aborted|socket hang up|ECONNRESET|terminated/, path);
      await assert.rejects(download(system, '/transfers/brief/stall'));
      await serviceSees('aborted');
    });

    it('that takes longer than the whole time is cut, though bytes move', async () => {
      await assert.rejects(download(system, '/transfers/hurried/trickle'), /aborted/);
      await serviceSees('aborted');
    });

    it('whose service stays silent is answered 504', async () => {
      const sent = openRequest(system, { method: 'GET', path: '/transfers/brief/silent' });
      sent.end();
      assertProblem(await receive(await answerTo(sent)), [504, 'timeout']);
      await serviceSees('aborted');
    });

    it('that the client does not read is cut after the idle time, and one that the client leaves at once', async () => {
      for (const leave of [false, true]) {
        const path = `/transfers/${leave ? '' : 'brief/'}bytes?size=${64 * mebibyte}`;
        const sent = openRequest(system, { method: 'GET', path });
        sent.end();
        await answerTo(sent);
        if (leave) sent.destroy();
        await serviceSees('aborted');
        sent.destroy();
      }
    });

    it('loses trailers and headers of the hop', async () => {
      const sent = openRequest(system, { method: 'GET', path: '/transfers/chunked?size=10' });
      sent.end();
      const answer = await answerTo(sent);
      answer.resume();
      await once(answer, 'end');
      assert.deepEqual(answer.rawTrailers, []);
      assert.deepEqual([answer.headers.trailer, answer.headers['x-listed']], [undefined, undefined]);
    });
  });

  describe('a client that expects 100-continue before it sends', () => {
    const putAfterContinue = (path: string, headers: Record<string, string | number>) =>
      put(path, { expect: '100-continue', ...headers });

    it('gets 100 Continue once it is admitted, and sends nothing otherwise', async () => {
      const sent = putAfterContinue('/transfers/count', { 'content-length': 5 });
      sent.flushHeaders();
      await once(sent, 'continue');
      sent.end('hello');
      assert.deepEqual((await receive(await answerTo(sent))).body.bytes, 5);
      for (const [path, headers, status] of [
        ['/transfers/count', { authorization: 'Bearer nonsense', 'content-length': 5 }, 401],
        ['/transfers/small/count', { 'content-length': 2 * smallMaxBytes }, 413],
        ['/transfers/small/nothing/here', { 'content-length': 5 }, 404],
        ['/transfers/count', { expect: '200-ok', 'content-length': 5 }, 417],
      ] as const) {
        const refused = putAfterContinue(path, headers);
        let isContinued = false;
        refused.once('continue', () => {
          isContinued = true;
        });
        refused.flushHeaders();
        const answer = await answerTo(refused);
        refused.destroy();
        assert.deepEqual([answer.statusCode, isContinued], [status, false], path);
      }
    });
  });

  describe('framing that two parsers could read differently', () => {
    const raw = (head: string, body: string): Promise<string> =>
      sendRawRequest(
        system.port,
        `PUT /transfers/count HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${system.token()}\r\n${head}\r\n\r\n${body}`,
      );
    const smuggled = 'GET /signed/bytes HTTP/1.1\r\nHost: x\r\n\r\n';

    for (const [what, head, body] of [
      ['length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${smuggled}`],
      ['chunks and length', 'Transfer-Encoding: chunked\r\nContent-Length: 4', `0\r\n\r\n${smuggled}`],
      ['two lengths', 'Content-Length: 4\r\nContent-Length: 40', `abcd${smuggled}`],
      ['a list of lengths', 'Content-Length: 4, 4', 'abcd'],
      ['another coding', 'Transfer-Encoding: gzip, chunked', '0\r\n\r\n'],
      ['a coding twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', '0\r\n\r\n'],
      ['an unknown coding', 'Transfer-Encoding: xchunked', '0\r\n\r\n'],
      ['a coding behind a tab', 'Transfer-Encoding:\tchunked\r\nContent-Length: 4', `0\r\n\r\n${smuggled}`],
      ['announced trailers', 'Transfer-Encoding: chunked\r\nTrailer: X-After', '0\r\nX-After: 1\r\n\r\n'],
      ['trailers', 'Transfer-Encoding: chunked', '1\r\na\r\n0\r\nX-After: 1\r\n\r\n'],
      ['a trailer with a length', 'Transfer-Encoding: chunked', `0\r\nContent-Length: 90\r\n\r\n${smuggled}`],
      ['a chunk size with a sign', 'Transfer-Encoding: chunked', '+1\r\na\r\n0\r\n\r\n'],
      ['a chunk size in C', 'Transfer-Encoding: chunked', '0x1\r\na\r\n0\r\n\r\n'],
      ['an endless chunk size', 'Transfer-Encoding: chunked', 'fffffffffffffffff\r\na\r\n0\r\n\r\n'],
      ['a chunk without its end', 'Transfer-Encoding: chunked', '1\r\nab\r\n0\r\n\r\n'],
      ['a line feed alone behind a size', 'Transfer-Encoding: chunked', '1\na\r\n0\r\n\r\n'],
      ['a line feed in an extension', 'Transfer-Encoding: chunked', `1;x=\n\r\na\r\n0\r\n\r\n`],
      ['no chunk size', 'Transfer-Encoding: chunked', '\r\na\r\n0\r\n\r\n'],
    ] as const)
      it(`is refused: ${what}`, async () => {
        const answer = await raw(head, body);
        assert.match(answer, /^HTTP\/1\.1 400 /);
        assert.equal(answer.split('HTTP/1.1 ').length, 2, 'one answer, to one request');
        assert.equal(system.service.count() === 0 || !system.service.last().target.includes('signed'), true);
      });

    it('is refused in HTTP/1.0, which has no chunks', async () => {
      const head = `PUT /signed/count HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
      assert.match(await sendRawRequest(system.port, head), /^HTTP\/1\.1 400 /);
    });

    it('is taken where it is odd and clear', async () => {
      const body = '000001;name="value"\r\na\r\nA\r\n0123456789\r\n0\r\n\r\n';
      const answer = await raw('Transfer-Encoding: chunked\r\nConnection: close', body);
      assert.match(answer, /^HTTP\/1\.1 200 [\s\S]*"bytes":11/);
    });

    it('ends the connection that breaks in the middle of a chunk', async () => {
      const head = `PUT /transfers/count HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${system.token()}\r\n`;
      const socket = connect(system.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n100000\r\nabc`);
      await eventually(async () => assert.equal(system.service.last().bytes, 3));
      socket.resume().end();
      await once(socket, 'close');
      await serviceSees('aborted');
    });
  });
});
