import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isRight } from 'fp-ts/Either';
import { signingKey } from '../../../../domain/identity/signing-keys/decider';
import { signingKeys, signingKeysStream } from '../../../../domain/identity/signing-keys/events';
import type { SigningKeys } from '../../../../domain/identity/signing-keys/state';
import { answered } from '../../../identity/signing-keys/signing-processes';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { typescript } from '../../../support/runner/compiled';
import { logOnNode } from '../../../support/servers/event-store-fixture';
import type { Question } from './signing-worker.main';

interface Member {
  readonly child: ChildProcess;
  readonly request: (question: Question) => Promise<string>;
}

const answerOf = async (child: ChildProcess): Promise<string> => {
  const [message] = (await once(child, 'message')) as [{ readonly answer?: string; readonly failed?: string }];
  assert.equal(message.failed, undefined);
  return message.answer ?? '';
};

const start = async (url: string, directory: string): Promise<Member> => {
  const script = join(__dirname, 'signing-worker.main.ts');
  const child = fork(script, [url, directory], { execArgv: typescript() });
  await answerOf(child);
  const request = async (question: Question): Promise<string> => {
    const answer = answerOf(child);
    child.send(question);
    return answer;
  };
  return { child, request };
};

const month = 30 * 86_400;

describe('signing keys of several processes', () => {
  const log = logOnNode('signing-keys');
  const home = temporaryDirectory('signing-keys-held');
  const keystore = join(home.path, 'keys');
  let members: Member[] = [];

  before(async () => {
    mkdirSync(keystore);
    members = await Promise.all([1, 2, 3, 4].map(() => start(log.node.url, keystore)));
  });
  after(async () => {
    await Promise.all(
      members.map(({ child }) => {
        child.kill('SIGKILL');
        return once(child, 'exit');
      }),
    );
    home.remove();
  });

  const all = (question: Question): Promise<readonly string[]> =>
    Promise.all(members.map(({ request }) => request(question)));

  /** Never two at any moment of the log; answers how many keys ever came to sign, and what became of all. */
  const history = async () => {
    let keys: SigningKeys = signingKey.initial;
    let activations = 0;
    for (const stored of answered(await log.store.read(signingKeysStream))) {
      const event = signingKeys.decode(stored.type, stored.data);
      assert.ok(isRight(event));
      keys = signingKey.evolve(keys, event.right);
      activations += event.right.type === 'KeyActivated' ? 1 : 0;
      const active = [...keys.values()].filter(({ status }) => status === 'active').length;
      assert.ok(active <= 1, 'two keys sign');
    }
    return { activations, statuses: [...keys.values()].map(({ status }) => status) };
  };

  const one = async (): Promise<string> => {
    const [active, ...others] = new Set(await all({ operation: 'active' }));
    assert.ok(active !== undefined && others.length === 0, 'they sign with different keys');
    return active;
  };

  it('start with one key, whichever process is first', async () => {
    await one();
    assert.deepEqual(await history(), { activations: 1, statuses: ['active'] });
    assert.equal(readdirSync(keystore).length, 1);
  });

  it('rotate to one key, with which every process can sign at once', async () => {
    for (const rotation of [1, 2, 3]) {
      await all({ operation: 'tend', seconds: month });
      await all({ operation: 'tend', seconds: 330 });
      const kid = await one();
      assert.deepEqual(await all({ operation: 'sign', kid }), ['64', '64', '64', '64']);
      const { activations } = await history();
      assert.equal(activations, 1 + rotation);
    }
  });

  it('are revoked once, and replaced by one key, when all revoke at once', async () => {
    const kid = await one();
    const written = await all({ operation: 'revoke', kid });
    assert.deepEqual([...written].sort(), ['0', '0', '0', '4']);
    const active = await one();
    assert.notEqual(active, kid);
    assert.deepEqual(await all({ operation: 'sign', kid: active }), ['64', '64', '64', '64']);
    const { activations, statuses } = await history();
    assert.equal(activations, 5);
    assert.equal(statuses.filter((status) => status === 'revoked').length, 1);
  });

  it('go on rotating when the one that made the next key is killed', async () => {
    const [victim, ...rest] = members;
    assert.ok(victim !== undefined);
    const before = await one();
    victim.child.send({ operation: 'tend', seconds: month } satisfies Question);
    victim.child.kill('SIGKILL');
    await once(victim.child, 'exit');
    members = rest;
    await all({ operation: 'tend', seconds: month });
    await all({ operation: 'tend', seconds: 330 });
    assert.notEqual(await one(), before);
    const { activations, statuses } = await history();
    assert.equal(activations, 6);
    assert.equal(statuses.filter((status) => status === 'active').length, 1);
  });

  it('leave in the keystore what the log knows and still may be of use, and nothing else', async () => {
    await all({ operation: 'tend', seconds: 3_660 });
    const { statuses } = await history();
    const living = statuses.filter((status) => status === 'active' || status === 'published').length;
    assert.equal(readdirSync(keystore).length, living);
  });
});
