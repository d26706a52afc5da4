import assert from 'node:assert/strict';
import { isClientError, isProblem } from '../../../../packages/client/src/index';
import { failure, problem, registered, silence, stage } from '../fixture';

const body = { principalType: 'AI_AGENT' } as const;

describe('client: the end of a call', () => {
  it('ends a try that takes too long, and the call that does', async () => {
    const options = { attemptMilliseconds: 5 };
    const { client, requests } = stage([silence, registered()], options);
    assert.equal((await client.registerPrincipal({ body })).status, 201);
    assert.ok(requests[0]?.signal.aborted);
    const slow = stage([silence]);
    const error = await failure(slow.client.registerPrincipal({ body }, { timeoutMilliseconds: 5 }));
    assert.ok(isClientError(error) && error.kind === 'timeout');
  });

  it('says what the server said last when time runs out', async () => {
    const { client } = stage([problem(503, 'not-yet-visible'), silence]);
    const error = await failure(client.getPrincipal({ principalId: 'p-1' }, { timeoutMilliseconds: 200 }));
    assert.ok(isProblem(error, 'not-yet-visible'));
  });

  it('rejects with the reason of the caller’s signal, before and during a try', async () => {
    const reason = new Error('Enough.');
    const { client } = stage([silence]);
    const leaving = new AbortController();
    const during = failure(client.registerPrincipal({ body }, { signal: leaving.signal }));
    leaving.abort(reason);
    assert.equal(await during, reason);
    assert.equal(await failure(client.registerPrincipal({ body }, { signal: AbortSignal.abort(reason) })), reason);
  });

  it('passes on what its own options throw', async () => {
    const fault = new Error('No token here.');
    const { client } = stage([], { token: () => Promise.reject(fault) });
    assert.equal(await failure(client.registerPrincipal({ body })), fault);
  });
});
