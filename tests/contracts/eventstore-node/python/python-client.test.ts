/** The official Python client against the server under test: appends of more than one event are batch appends that it half-closes. */
import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import { skip } from '../../../support/runner/skip';
import { serverForTests } from '../protocol/harness/server-under-test';
import { openPythonClient, type RunScript } from './python-client';

interface Outcome {
  readonly call: string;
  readonly outcome: unknown;
}

describe('official Python client', function () {
  // pip may have to fetch it first.
  this.timeout(180_000);
  const server = serverForTests();
  let python: RunScript;
  before(async function () {
    const opened = await openPythonClient();
    if (isLeft(opened)) return skip(this, `the event store's Python client: ${opened.left}`);
    python = opened.right;
  });

  it('appends, reads, follows, consumes and deletes', async () => {
    const lines = await python('calls.py', server.url());
    const outcomes = lines.map((line) => JSON.parse(line) as Outcome);
    assert.deepEqual(Object.fromEntries(outcomes.map(({ call, outcome }) => [call, outcome])), {
      'append one event': true,
      'append several': true,
      'append at another revision': 'WrongCurrentVersion',
      'append by its older name': true,
      'read a stream': [0, 1, 2, 3],
      'read backwards': [3, 2],
      'read a missing stream': 'NotFound',
      'current revision': 3,
      'head of the log': true,
      'read the log': [0, 1, 2, 3],
      'follow a stream': [3, 4],
      'follow the log': [0, 1, 2, 3, 4],
      consume: [0, 1, 2, 3, 4],
      'manage a subscription': [true, true],
      metadata: [{ $maxCount: 2 }, 0, [3, 4]],
      delete: 'StreamState.NO_STREAM',
      tombstone: 'StreamIsDeleted',
      gossip: ['NODE_STATE_LEADER'],
    });
  });
});
