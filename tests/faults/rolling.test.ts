/** Each copy of each service restarted in its turn, under load, without an error for any client. */
import assert from 'node:assert/strict';
import { type Rolling, startTwice } from '../e2e/rolling/fixture';
import { startFollower } from '../support/http/stream-followers';
import { type Admin, jsonOf, signIn } from '../support/identity/admin';

interface Tally {
  answered: number;
  registered: number;
  readonly failed: string[];
}

const note = async (tally: Tally, what: string, request: Promise<Response>): Promise<Response | undefined> => {
  try {
    const response = await request;
    const text = await response.clone().text();
    if (response.ok) tally.answered += 1;
    else tally.failed.push(`${what}: ${response.status} ${text}`);
    return response;
  } catch (error) {
    tally.failed.push(`${what}: ${String((error as Error).cause ?? error)}`);
    return undefined;
  }
};

/** Without any second attempt: whatever fails is noted. */
const visit = async (admin: Admin, tally: Tally): Promise<void> => {
  const registered = await note(tally, 'register', admin.post('/v1/principals', { principalType: 'PIPELINE' }));
  if (registered?.ok !== true) return;
  tally.registered += 1;
  const { principalId } = await jsonOf(registered);
  const path = `/v1/principals/${principalId}`;
  await note(tally, 'suspend', admin.post(`${path}/suspend`, { reason: 'rolling' }));
  await note(tally, 'list', admin.get('/v1/principals'));
};

const startVisits = (admin: Admin, tally: Tally) => {
  let over = false;
  const client = async (): Promise<void> => {
    while (!over) await visit(admin, tally);
  };
  const clients = Promise.all(Array.from({ length: 4 }, client));
  return async (): Promise<void> => {
    over = true;
    await clients;
  };
};

describe('a rolling restart of two copies of each service', function () {
  this.timeout(120_000);
  let rolling: Rolling;
  let admin: Admin;

  before(async () => {
    rolling = await startTwice();
    admin = await signIn(rolling.url, rolling.code);
  });
  after(() => rolling.close());

  it('fails no request, and no stream loses or repeats an event', async () => {
    const tally: Tally = { answered: 0, registered: 0, failed: [] };
    const following = { port: rolling.port, headers: () => ({ authorization: `Bearer ${admin.token()}` }) };
    let wanted = Number.POSITIVE_INFINITY;
    const enough = (seen: readonly string[]): boolean => seen.length >= wanted;
    const followers = await Promise.all([
      startFollower('sse', following, enough),
      startFollower('websocket', following, enough),
    ]);
    const stop = startVisits(admin, tally);
    for (const copies of rolling.copies) await Promise.all(copies.map((copy) => copy.restart('SIGTERM')));
    await stop();
    assert.deepEqual(tally.failed, []);
    assert.ok(tally.answered > 40, `${tally.answered} were answered`);
    // Three for each: registered, suspended, epoch bumped. Known before the last one comes, which may be at once.
    wanted = tally.registered * 3 + 1;
    const one = await admin.post('/v1/principals', { principalType: 'PIPELINE' });
    assert.equal(one.status, 201);
    await Promise.all(followers.map(({ done }) => done));
    for (const { seen, returns } of followers) {
      assert.equal(new Set(seen).size, seen.length, 'none twice');
      assert.equal(seen.length, wanted, 'none lost');
      assert.ok(returns() > 0, 'it was sent to another copy');
    }
  });
});
