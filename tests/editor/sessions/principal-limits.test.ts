/** Who names new clients gets no further than with one. */
import assert from 'node:assert/strict';
import type { RateTable } from '../../../commands/editor/sessions/rate-limits';
import { limits } from '../../../domain/editor/limits';
import { assertRateLimited } from '../../support/http/rate-limited';
import { eventually } from '../../support/waiting/eventually';
import { client, stage, writer } from '../document-owner/fixture';
import { type EditorEndpoints, identityOf, openEndpoints, refusalOfClient } from './fixture';

const rates: RateTable = {
  ...limits.rates,
  client: { ...limits.rates.client, operations: { most: 2, perSecond: 0.001 } },
  principal: { ...limits.rates.principal, operations: { most: 3, perSecond: 0.001 } },
};

const batchOf = (name: string) => ({ clientId: client(name), operations: [writer(client(name)).create(1)] });

describe('the rate limit of a principal', () => {
  let endpoints: EditorEndpoints;
  let close: () => Promise<void>;
  beforeEach(async () => {
    const now = stage();
    endpoints = await openEndpoints({ now, documents: now.owner(), rates });
    close = async () => {
      await endpoints.close();
      await now.close();
    };
  });
  afterEach(() => close());

  it('counts all of its sockets together, and separately from other principals', async () => {
    for (let sockets = 0; sockets < 3; sockets += 1) {
      const ada = await endpoints.comes('ada');
      ada.send(writer((await ada.join()).clientId).create(1));
      await ada.receive('ack');
    }
    const again = await endpoints.comes('ada');
    const write = writer((await again.join()).clientId);
    again.send(write.create(1));
    const limited = await again.receive('rateLimited');
    assert.deepEqual([limited.clientSeq, limited.retryAfterMs > 0], [1, true]);
    const bob = await endpoints.comes('bob');
    bob.send(writer((await bob.join()).clientId).create(1));
    assert.equal((await bob.receive('ack')).committedVersion, 4);
    assert.match(await endpoints.metrics.text(), /editor_rate_limited_total\{what="operations",of="principal",/);
  });

  it('counts HTTP requests, too, whichever clients they name', async () => {
    for (const name of ['one', 'two', 'three'])
      assert.equal((await endpoints.commits('ada', batchOf(name))).status, 200);
    const limited = await endpoints.commits('ada', batchOf('four'));
    assert.match(await assertRateLimited(limited, { limit: 3 }), /of all clients of the caller/);
  });

  it('is not charged for another principal with the same client id', async () => {
    const batch = batchOf('one');
    assert.equal((await endpoints.commits('ada', batch)).status, 200);
    for (let tries = 0; tries < 2; tries += 1) assert.equal((await endpoints.commits('bob', batch)).status, 409);
    assert.equal((await endpoints.commits('ada', batch)).status, 200);
  });
});

describe('a batch over HTTP', () => {
  it('is measured in bytes, whatever its characters', async () => {
    const now = stage();
    const endpoints = await openEndpoints({ now, documents: now.owner() });
    const ada = writer(client('ada'));
    const words = (character: string) =>
      Array.from({ length: 4 }, () => ada.set(ada.idOf(1), 'name', character.repeat(limits.batchBytes / 10)));
    const answered = async (character: string) => {
      const answer = await endpoints.commits('ada', { clientId: ada.clientId, operations: words(character) });
      return [answer.status, ((await answer.json()) as { readonly code?: string }).code];
    };
    assert.deepEqual(await answered('€'), [413, 'batch-too-large']);
    assert.deepEqual(await answered('e'), [409, 'client-seq-gap']);
    await endpoints.close();
    await now.close();
  });
});

describe('sockets of one principal', () => {
  it('are limited per process, joined or not, and free their place when they close', async () => {
    const now = stage();
    const endpoints = await openEndpoints({ now, documents: now.owner(), mostSockets: 3 });
    const first = await endpoints.comes('ada');
    for (let others = 0; others < 2; others += 1) await endpoints.comes('ada');
    const refused = await refusalOfClient(endpoints.port, identityOf('ada'));
    await assertRateLimited(refused, { limit: 3, retryAfterSeconds: 30 });
    await endpoints.comes('bob');
    first.client.socket.close();
    await eventually(() => endpoints.comes('ada'));
    await endpoints.close();
    await now.close();
  });
});
