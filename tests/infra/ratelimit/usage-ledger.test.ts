/** What the command API's answers mean to a batch of usage. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createUsageLedger } from '../../../infra/ratelimit/service/quota-usage-client';
import { limiterKey, signerWith } from '../../support/http/internal-keys';

describe('a batch of usage', () => {
  let server: Server;
  before(async () => {
    server = createServer((request, response) => {
      const [, status = '500', code] =
        /^\/(\d+)(?: (.+))?/.exec(request.headers['idempotency-key']?.toString() ?? '') ?? [];
      response.writeHead(Number(status), { position: 'p-7' }).end(JSON.stringify({ code }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => server.close());

  const recorded = (status: number, code?: string) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ledger = createUsageLedger({ commandsUrl: url, readApiUrl: url, signer: signerWith(limiterKey) });
    const quotas = [{ quotaId: 'q'.repeat(27), startsAt: 1_000, endsAt: 2_000, amount: 1 }];
    return ledger.record({
      id: code === undefined ? `/${status}` : `/${status} ${code}`,
      tenant: 'acme',
      usedAt: 1_500,
      quotas,
    });
  };

  it('is recorded, or tried again as it is', async () => {
    assert.deepEqual(await recorded(200), { position: 'p-7' });
    for (const status of [401, 408, 409, 429, 500, 503])
      assert.equal(await recorded(status), undefined, String(status));
  });

  it('is never taken, or is for another hour where its own is full', async () => {
    assert.equal(await recorded(422), 'refused');
    assert.equal(await recorded(409, 'too-many-quotas'), 'later');
    assert.equal(await recorded(409, 'conflict'), undefined);
  });
});
