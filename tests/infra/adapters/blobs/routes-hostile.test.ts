/** Attacks by holders of signed URLs. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import express from 'express';
import { localBlobRoutes } from '../../../../infra/adapters/blobs/local/http/routes';
import { type Claims, type PutClaims, signToken } from '../../../../infra/adapters/blobs/local/signed-urls';
import type { BlobStore } from '../../../../infra/ports/blob-store';
import { listen } from '../../../../infra/server/http/server/listener';
import { type LocalStage, secret, startLocal } from '../../../contracts/blobs/local/fixture';
import { codeOf, expectSuccess, putOf, storedText, textPut } from '../../../contracts/blobs/suite/store-calls';
import { eventually } from '../../../support/waiting/eventually';

const soon = Math.floor(Date.now() / 1_000) + 60;

describe('routes of a directory of blobs, under attack', () => {
  let stage: LocalStage;
  before(async () => {
    stage = await startLocal({ idleMilliseconds: 300 });
  });
  after(() => stage.stop());

  const path = (claims: Claims): string => `/blobs/${signToken(secret, claims)}`;
  /** Each on a connection of its own, so that no test depends on how the connection of another ended. */
  const fetched = (target: string, init: { readonly method?: string; readonly body?: string } = {}) =>
    fetch(new URL(target, stage.url), { ...init, headers: { 'Content-Type': 'text/plain', Connection: 'close' } });
  const getOf = (key: string): string => path({ method: 'GET', key, expires: soon });
  const putOfSize = (key: string, size: number): string =>
    path({ method: 'PUT', key, expires: soon, size, contentType: 'text/plain' });

  /** Bytes as they are, for what no client would send. */
  const raw = async (text: string): Promise<Socket> => {
    const socket = connect(stage.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };
  const answerOf = async (socket: Socket): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('latin1');
  };
  const head = (method: string, target: string, headers: readonly string[]): string =>
    [`${method} ${target} HTTP/1.1`, 'Host: a', 'Content-Type: text/plain', ...headers, '', ''].join('\r\n');

  it('have nothing to list, to traverse or to guess', async () => {
    expectSuccess(await stage.blobs.put(textPut('secret', 'x')));
    const targets = [
      '/blobs',
      '/blobs/',
      '/blobs/secret',
      '/blobs/..%2f..%2findex.mdb',
      '/blobs/index.mdb',
      '/blobs/content',
      `${getOf('secret')}?x=1`,
      `${getOf('secret')}/`,
      `${getOf('secret')}%00`,
    ];
    for (const target of targets) assert.equal((await fetched(target)).status, 403, target);
    const socket = await raw('GET /blobs/../index.mdb HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    assert.match(await answerOf(socket), /^HTTP\/1.1 40[34] /);
  });

  it('take no body without a length, of another length or encoded', async () => {
    const target = putOfSize('bounded', 5);
    const cases: readonly (readonly [readonly string[], number])[] = [
      [['Transfer-Encoding: chunked'], 411],
      [['Content-Length: 6'], 400],
      [['Content-Length: 4'], 400],
      [['Content-Length: 5', 'Content-Encoding: gzip'], 415],
    ];
    for (const [headers, status] of cases) {
      const answer = await answerOf(await raw(head('PUT', target, headers)));
      assert.ok(answer.startsWith(`HTTP/1.1 ${status} `), `${headers}: ${answer.slice(0, 40)}`);
      assert.match(answer, /\r\nConnection: close\r\n/i);
    }
    assert.equal(codeOf(await stage.blobs.head('bounded')), 'blob-unknown');
  });

  it('answer who sends a large body in vain', async () => {
    // A busy machine may pause for longer than silent uploads may.
    const { blobs, url, stop } = await startLocal();
    expectSuccess(await blobs.put(textPut('there', 'before')));
    const body = randomBytes(4_000_000);
    const claims = { method: 'PUT', key: 'there', expires: soon, contentType: 'text/plain' } as const;
    const send = (more: Pick<PutClaims, 'size' | 'sha256' | 'absent'>) =>
      fetch(new URL(path({ ...claims, ...more }), url), {
        method: 'PUT',
        body,
        headers: { 'Content-Type': 'text/plain', Connection: 'close' },
      });
    assert.equal((await send({ size: 4_000_001 })).status, 400);
    assert.equal((await send({ size: 4_000_000, absent: true })).status, 412);
    assert.equal((await send({ size: 4_000_000, sha256: '0'.repeat(64) })).status, 400);
    assert.equal(await storedText(blobs, 'there'), 'before');
    await stop();
  });

  it('disconnect silent uploads, and store nothing of them', async () => {
    const socket = await raw(
      `${head('PUT', putOfSize('silent', 400_000), ['Content-Length: 400000'])}${'x'.repeat(1_000)}`,
    );
    await once(socket.resume(), 'close');
    assert.equal(codeOf(await stage.blobs.head('silent')), 'blob-unknown');
  });

  it('store nothing of an upload that breaks off', async () => {
    const socket = await raw(
      `${head('PUT', putOfSize('broken', 400_000), ['Content-Length: 400000'])}${'x'.repeat(200_000)}`,
    );
    socket.destroy();
    await once(socket, 'close');
    const whole = await fetched(putOfSize('broken', 3), {
      method: 'PUT',
      body: 'abc',
    });
    assert.equal(whole.status, 200);
    assert.equal(await storedText(stage.blobs, 'broken'), 'abc');
  });

  it('disconnect downloads that stall, reading no more than the buffers hold', async () => {
    expectSuccess(await stage.blobs.put(putOf('large', randomBytes(30_000_000))));
    const socket = await raw(`GET ${getOf('large')} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await once(socket, 'readable');
    await eventually(async () => assert.match(JSON.stringify(stage.log.lines), /a download ended early/));
    const taken = await answerOf(socket).then(
      ({ length }) => length,
      () => 0,
    );
    assert.ok(taken < 30_000_000, 'the connection was cut before all was sent');
  });

  it('wait for the store, however long it takes with a body that has arrived', async () => {
    let socket: Socket | undefined;
    const app = express().use((request, _response, next) => {
      socket = request.socket;
      next();
    });
    const listener = await listen(app, { host: '127.0.0.1', port: 0, requestMilliseconds: 0, graceMilliseconds: 500 });
    const put: BlobStore['put'] = async (written) => {
      const stored = await stage.blobs.put(written);
      // Twice: the first time must not be the last.
      for (const _ of [1, 2]) await once(socket as Socket, 'timeout');
      return stored;
    };
    app.use(
      '/blobs',
      localBlobRoutes({ blobs: { ...stage.blobs, put }, secret, log: stage.log, idleMilliseconds: 20 }),
    );
    const answer = await fetch(new URL(putOfSize('slow', 3), `http://127.0.0.1:${listener.port}`), {
      method: 'PUT',
      body: 'abc',
      headers: { 'Content-Type': 'text/plain', Connection: 'close' },
    });
    assert.equal(answer.status, 200);
    await listener.close();
  });

  it('log no URLs', () => {
    assert.ok(!JSON.stringify(stage.log.lines).includes('eyJ'));
  });
});
