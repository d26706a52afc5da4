/** The embedded node as a process: how it starts, how it ends, and what is there afterwards. */

import assert from 'node:assert/strict';
import { execFile, fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb';
import { type ServiceError, status } from '@grpc/grpc-js';
import { isLeft } from 'fp-ts/Either';
import { entryPath } from '../../../../infra/server/bundle/entry-path';
import { startNode } from '../../../../packages/eventstore-node/src/server/node';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { exitOf } from '../../../support/processes/child-exit';
import { skip } from '../../../support/runner/skip';
import { batchOf } from '../protocol/append/batch-calls';
import { connectTo, withNode } from '../protocol/harness/local-node';
import { append, follow, read, softDelete, tombstone } from '../protocol/harness/raw-calls';
import { appended, eventsOf, followedTexts, isFailed, textsOf } from '../protocol/harness/replies';
import { foreignLog, givenUrl } from '../protocol/harness/server-under-test';
import { proposed, several } from '../protocol/harness/stream-requests';

interface Ended {
  readonly code: number | string | null | undefined;
  readonly errors: string;
}

const run = (...verb: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const script = [entryPath('packages/eventstore-node/src/cli/main'), ...verb];
    execFile(process.execPath, script, (error, _, errors) => resolve({ code: error?.code ?? 0, errors }));
  });

describe('embedded node as a process', () => {
  const home = temporaryDirectory('node');
  let made = 0;
  const directory = (): string => {
    made += 1;
    return join(home.path, String(made));
  };
  before(function () {
    if (givenUrl !== undefined) skip(this, foreignLog);
  });
  after(() => home.remove());

  it('refuses a data directory that is being served, in one line, and takes it after a kill', async () => {
    const data = directory();
    await withNode(data, async ({ node }) => {
      const { code, errors } = await run('serve', '--data', data, '--port', '0');
      assert.equal(code, 1);
      assert.equal(errors.trim().split('\n').length, 1);
      assert.ok(errors.includes(String(node.pid)) && errors.includes(data));
    });
    await withNode(data, async ({ client }) => {
      assert.equal(appended(await append(client, { stream: 'a', events: several(1) })).revision, 0);
    });
  });

  it('ends for a launcher, too, when its directory is being served', async () => {
    const data = directory();
    await withNode(data, async () => {
      const args = ['serve', '--data', data, '--port', '0'];
      const env = { ...process.env, SEPTET_CHILD: '1' };
      const child = fork(entryPath('packages/eventstore-node/src/cli/main'), args, {
        env,
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
      assert.equal(await exitOf(child), 1);
    });
  });

  it('refuses an address that is not loopback, and a port that is taken', async () => {
    const wide = await run('serve', '--data', directory(), '--host', '0.0.0.0', '--port', '0');
    assert.equal(wide.code, 1);
    assert.match(wide.errors, /loopback/);
    await withNode(directory(), async ({ node }) => {
      const taken = await run('serve', '--data', directory(), '--port', String(node.port));
      assert.equal(taken.code, 1);
      assert.match(taken.errors, /Cannot listen/);
    });
  });

  it('answers an unknown verb, and a missing directory, with the verbs there are', async () => {
    for (const verb of [['fly'], ['serve'], ['serve', '--data', directory(), '--port', 'x']]) {
      const { code, errors } = await run(...verb);
      assert.equal(code, 2);
      assert.match(errors, /serve/);
    }
  });

  it('ends on SIGTERM with 0, notifies its subscribers, and finishes what is under way', async () => {
    const data = directory();
    const answers = await withNode(data, async ({ node, client }) => {
      const following = follow(client, { from: 'end' });
      await followedTexts(following, 2);
      const appends = Array.from({ length: 50 }, () => append(client, { stream: 'a', events: several(1) }));
      await Promise.race(appends);
      assert.equal(await node.stop(), 0);
      for (;;) {
        const reply = await following.next();
        if (!isFailed(reply)) continue;
        assert.equal(reply.code, status.UNAVAILABLE);
        break;
      }
      return Promise.all(appends);
    });
    const acknowledged = answers.filter((answer) => !isFailed(answer)).length;
    assert.ok(acknowledged > 0);
    await withNode(data, async ({ client }) => {
      const stored = eventsOf(await read(client, { stream: 'a', count: 100 })).length;
      assert.ok(stored >= acknowledged && stored <= 50, `${stored} stored, ${acknowledged} acknowledged`);
    });
  });

  it('answers every batch append that it wrote before it ends, and writes no other', async () => {
    const data = directory();
    const answered = await withNode(data, async ({ node, client }) => {
      const call = client.batchAppend();
      for (let sent = 0; sent < 2_000; sent += 1) call.write(batchOf('batch', 'any', { events: several(1) }));
      let replies = 0;
      let stopped: Promise<number | null> | undefined;
      const code = await new Promise<number>((resolve) => {
        call.on('data', () => {
          replies += 1;
          stopped ??= node.stop();
        });
        call.once('error', (error: ServiceError) => resolve(error.code));
      });
      assert.equal(code, status.UNAVAILABLE);
      assert.equal(await stopped, 0);
      return replies;
    });
    await withNode(data, async ({ client }) => {
      assert.equal(eventsOf(await read(client, { stream: 'batch', count: 2_000 })).length, answered);
    });
  });

  it('reports no defect when a client sends what is no request', async () => {
    const reported: unknown[] = [];
    const where = { host: '127.0.0.1', port: 0, certs: undefined, insecureAnywhere: false };
    const started = await startNode({ ...where, data: directory(), report: (error) => void reported.push(error) });
    assert.ok(!isLeft(started));
    const client = connectTo(started.right);
    const malformed = (): Buffer => Buffer.from([0xff, 0xff, 0xff]);
    const code = await new Promise((resolve) => {
      const { path, responseDeserialize } = StreamsService.append;
      const answered = (error: ServiceError | null): void => resolve(error?.code);
      const call = client.makeClientStreamRequest(path, malformed, responseDeserialize, answered);
      call.on('error', () => undefined);
      call.write('');
    });
    assert.equal(code, status.INTERNAL);
    client.close();
    await started.right.close();
    assert.deepEqual(reported, []);
  });

  it('knows after a restart what it knew before', async () => {
    const data = directory();
    const events = several(3);
    const first = await withNode(data, async ({ client }) => {
      const answer = appended(await append(client, { stream: 'a', events }));
      const metadata = [proposed({ type: '$metadata', data: Buffer.from('{"$maxCount":2}') })];
      await append(client, { stream: '$$a', events: metadata });
      for (const stream of ['hidden', 'ended']) await append(client, { stream, events: several(2) });
      await softDelete(client, 'hidden');
      await tombstone(client, 'ended');
      return answer;
    });
    await withNode(data, async ({ client }) => {
      assert.deepEqual(appended(await append(client, { stream: 'a', events })), first);
      assert.deepEqual(textsOf(await read(client, { stream: 'a', count: 9 })), ['event 1', 'event 2', 'last 2']);
      assert.deepEqual(textsOf(await read(client, { stream: 'hidden', count: 9 })), ['not found']);
      assert.equal((await read(client, { stream: 'ended', count: 9 })).failed?.code, status.FAILED_PRECONDITION);
      const next = appended(await append(client, { stream: 'a', expected: 2, events: several(1) }));
      assert.ok(next.position > first.position);
      assert.equal(appended(await append(client, { stream: 'hidden', expected: 1, events: several(1) })).revision, 2);
    });
  });

  it('ends a read at a damaged record with DATA_LOSS, and serves the rest', async () => {
    const data = directory();
    const mark = Buffer.from('this text will be damaged on disk');
    await withNode(data, async ({ client }) => {
      await append(client, { stream: 'a', events: [proposed(), proposed({ data: mark }), proposed()] });
      await append(client, { stream: 'b', events: several(1) });
    });
    const path = join(data, 'events.mdb');
    const bytes = readFileSync(path);
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) bytes[at] = 'T'.charCodeAt(0);
    writeFileSync(path, bytes);
    await withNode(data, async ({ client }) => {
      for (const by of [{ stream: 'a', count: 9 }, { count: 9 }])
        assert.equal((await read(client, by)).failed?.code, status.DATA_LOSS);
      assert.deepEqual(textsOf(await read(client, { stream: 'b', count: 9 })), ['event 0', 'last 0']);
      assert.equal(appended(await append(client, { stream: 'a', expected: 2, events: several(1) })).revision, 3);
    });
  });
});
