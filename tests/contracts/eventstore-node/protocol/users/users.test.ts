/** Users of an embedded node over its life: a first start that is killed, a restart, and a flood of wrong passwords. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { UsersClient } from '@eventstore/db-client/generated/users_grpc_pb';
import { DetailsReq } from '@eventstore/db-client/generated/users_pb';
import { Metadata, type StatusObject, status } from '@grpc/grpc-js';
import { entryPath } from '../../../../../infra/server/bundle/entry-path';
import { initialPasswordsPath as passwordsIn } from '../../../../../packages/eventstore-node/src/users/bootstrap-users';
import {
  defaultStrength,
  maxPasswordBytes,
  type ScryptParameters,
} from '../../../../../packages/eventstore-node/src/users/password-hash';
import { temporaryDirectory } from '../../../../support/files/temporary-directory';
import { retainedBytes } from '../../../../support/runner/retained-memory';
import { sized } from '../../../../support/runner/size';
import { certificatesIn } from '../../../../support/servers/certificates';
import { startEventStoreNode, startNodeHere } from '../../../../support/servers/event-store-node';
import { eventually } from '../../../../support/waiting/eventually';
import { accountIn, basic, channelOf } from '../harness/channel';
import { read } from '../harness/raw-calls';
import { eventsOf, isFailed } from '../harness/replies';
import { type UserCalls, userCalls } from './user-calls';

interface Called {
  readonly calls: UserCalls;
  readonly close: () => void;
}

const callsAs = (url: string, authorization?: string): Called => {
  const { address, credentials } = channelOf(url, authorization);
  const client = new UsersClient(address, credentials);
  return { calls: userCalls(client), close: () => client.close() };
};

const loginsOf = async (calls: UserCalls): Promise<readonly string[]> => {
  const all = await calls.details('');
  if (isFailed(all)) assert.fail(all.details);
  return all.map(({ loginName }) => loginName);
};

const storedStrength = async (url: string, login: string): Promise<ScryptParameters | undefined> => {
  const { address, credentials } = channelOf(url);
  const client = new StreamsClient(address, credentials);
  const [created] = eventsOf(await read(client, { stream: `$user-${login}`, count: 1 }));
  client.close();
  return (JSON.parse(Buffer.from(created?.getData_asU8() ?? []).toString()) as { scrypt?: ScryptParameters }).scrypt;
};

/** 16 ms for a hash: slow enough that a flood waits, a twelfth of the usual cost. */
const floodedStrength = { cost: 2 ** 12, blockSize: 8, parallelization: 1 };

describe('users of an embedded node', () => {
  const home = temporaryDirectory('users');
  const certs = join(home.path, 'certs');
  before(async () => {
    await certificatesIn(certs);
  });
  after(() => home.remove());

  /** Ends a first start so long after its passwords are on disk. */
  const killFirstStart = async (data: string, milliseconds: number): Promise<void> => {
    const script = [
      entryPath('packages/eventstore-node/src/cli/main'),
      'serve',
      '--data',
      data,
      '--port',
      '0',
      '--certs',
      certs,
    ];
    const child = spawn(process.execPath, script, { stdio: 'ignore' });
    const over = once(child, 'exit');
    await eventually(() => access(passwordsIn(data)));
    await sleep(milliseconds);
    child.kill('SIGKILL');
    await over;
  };

  for (const milliseconds of sized({ short: [0, 500], long: [0, 100, 250, 500] }))
    it(`are there when the first start was killed ${milliseconds} ms after it made their passwords`, async () => {
      const data = join(home.path, `killed-${milliseconds}`);
      await killFirstStart(data, milliseconds);
      const passwords = readFileSync(passwordsIn(data), 'utf8');
      const node = await startNodeHere(data, certs);
      const { calls, close } = callsAs(node.url);
      assert.deepEqual(await loginsOf(calls), ['admin', 'ops']);
      assert.equal(readFileSync(passwordsIn(data), 'utf8'), passwords);
      close();
      await node.stop();
    });

  it('stay over a restart, without the file of the first passwords', async () => {
    const data = join(home.path, 'restarted');
    const first = await startEventStoreNode(data, 0, certs);
    const admin = accountIn(first.url);
    const { calls, close } = callsAs(first.url);
    const user = { login: 'ada', fullName: 'Ada', groups: ['$admins'], password: 'of ada' };
    assert.equal(isFailed(await calls.create(user)), false);
    assert.equal(isFailed(await calls.remove('ops')), false);
    close();
    assert.equal(await first.stop(), 0);
    const second = await startNodeHere(data, certs);
    rmSync(passwordsIn(data));
    const ada = callsAs(second.url, basic(user));
    assert.deepEqual(await loginsOf(ada.calls), ['ada', 'admin']);
    ada.close();
    for (const login of ['ada', 'admin'])
      assert.deepEqual(
        await storedStrength(second.url, login),
        defaultStrength,
        'a program hashes at the usual strength',
      );
    await second.stop();
    assert.equal(existsSync(passwordsIn(data)), false);
    assert.notEqual(admin.password, '');
  });

  it('go on calling through a flood of wrong passwords, of which the node keeps nothing', async () => {
    const node = await startNodeHere(join(home.path, 'flooded'), certs, floodedStrength);
    const { calls, close } = callsAs(node.url);
    const { address, credentials } = channelOf(node.url, '');
    const attacker = new UsersClient(address, credentials);
    const codeFor = (login: string, password: string): Promise<status> => {
      const metadata = new Metadata();
      metadata.set('authorization', basic({ login, password }));
      const call = attacker.details(new DetailsReq(), metadata);
      call.on('error', () => undefined).resume();
      return new Promise((resolve) => call.on('status', ({ code }: StatusObject) => resolve(code)));
    };
    const flood = async (): Promise<readonly status[]> => {
      const answers = Array.from({ length: 200 }, (_, index) =>
        codeFor(index % 2 === 0 ? 'admin' : `nobody-${index}`, `${randomUUID()}`.padEnd(maxPasswordBytes, 'x')),
      );
      const own = await Promise.all(Array.from({ length: 20 }, () => loginsOf(calls)));
      assert.equal(own.length, 20);
      return Promise.all(answers);
    };
    await loginsOf(calls);
    for (let warmUp = 0; warmUp < 2; warmUp += 1) await flood();
    const before = await retainedBytes();
    const codes = [...(await flood()), ...(await flood())];
    const growth = (await retainedBytes()) - before;
    assert.deepEqual(
      [...new Set(codes)].sort((one, other) => one - other),
      [status.UNAVAILABLE, status.UNAUTHENTICATED],
    );
    assert.ok(codes.filter((code) => code === status.UNAUTHENTICATED).length > 2 * 32);
    // Kept passwords alone would take 400 KiB.
    assert.ok(growth < 250 * maxPasswordBytes, `${growth} bytes more`);
    attacker.close();
    close();
    await node.stop();
  });
});
