/** KurrentDB's client, the successor of the official one, against the server under test: by its own connection string, with TLS and without. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  foreignLog,
  givenUrl,
  serverForTests,
} from '../../../contracts/eventstore-node/protocol/harness/server-under-test';
import { typescript } from '../../../support/runner/compiled';
import { skip } from '../../../support/runner/skip';

interface Outcome {
  readonly call: string;
  readonly outcome: unknown;
}

const expected = {
  'append to a new stream': [true, 2],
  'append at another revision': 'WrongExpectedVersionError',
  'follow a stream': [3],
  'read a stream': [0, 1, 2, 3],
  'read backwards': [3, 2],
  'read a missing stream': 'StreamNotFoundError',
  'read bytes': [0, 255],
  'read the log': 3,
  'follow the log': [0, 1, 2, 3],
  'create a persistent subscription': true,
  consume: [0, 1, 2, 3],
  'describe a persistent subscription': 'workers',
  'list persistent subscriptions': [true],
  'update a persistent subscription': true,
  'delete a persistent subscription': true,
  metadata: [2, [2, 3]],
  delete: 'StreamNotFoundError',
  tombstone: 'StreamDeletedError',
};

const callAll = async (url: string): Promise<Readonly<Record<string, unknown>>> => {
  const script = [...typescript(), join(__dirname, 'calls.main.ts'), url];
  const { stdout } = await promisify(execFile)(process.execPath, script);
  const outcomes = stdout.trim().split('\n');
  return Object.fromEntries(
    outcomes.map((line) => JSON.parse(line) as Outcome).map(({ call, outcome }) => [call, outcome]),
  );
};

describe("KurrentDB's client", function () {
  this.timeout(60_000);
  describe('without TLS', () => {
    const server = serverForTests();
    for (const scheme of ['kurrentdb', 'kurrentdb+discover'])
      it(`makes its calls over ${scheme}://`, async () => {
        assert.deepEqual(await callAll(server.url().replace(/^[^:]+/, scheme)), expected);
      });
  });

  describe('with TLS', () => {
    before(function () {
      if (givenUrl !== undefined) skip(this, foreignLog);
    });
    const server = serverForTests({ secure: true });
    it('makes its calls with credentials', async () => {
      assert.deepEqual(await callAll(server.url().replace(/^[^:]+/, 'kurrentdb')), expected);
    });
  });
});
