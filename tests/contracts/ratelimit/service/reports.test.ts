/** What operators see of rate limits: refusals of the last day, and the rules in force. */
import assert from 'node:assert/strict';
import Redis from 'ioredis';
import { createRefusalRecorder } from '../../../../infra/adapters/redis/ratelimit/refusal-recorder';
import type { Refusal } from '../../../../infra/ports/rate-limit-reports';
import { valkeyForTests } from '../../../support/servers/shared-servers';
import { eventually } from '../../../support/waiting/eventually';
import { bucket, type Stage, startLimiterService } from './fixture';

type Item = Readonly<Record<string, unknown>>;
const itemsOf = ({ body }: { readonly body: { readonly [field: string]: unknown } }) => body.items as readonly Item[];

describe('what operators see of rate limits', () => {
  let stage: Stage;
  before(async () => {
    const ofAcme = bucket('acme-only', { when: { tenant: ['acme'] } });
    stage = await startLimiterService({ rules: [bucket('per-user'), ofAcme] });
  });
  after(() => stage.close());

  const readerOf = (tenantId: string) => stage.identity({ tenantId, scopes: ['ratelimit:read'] });

  it('has refusals of the tenant, alike ones together, and nothing of its users', async () => {
    const request = { dimensions: { user: 'hunter2', route: 'chat' }, requestId: 'r-1' };
    for (let count = 0; count < 3; count += 1) await stage.post('check', { ...request, requestId: `r-${count}` });
    for (let count = 0; count < 5; count += 1) await stage.post('check', { ...request, requestId: 'r-last' });
    await eventually(async () => {
      const items = itemsOf(await stage.read('refusals'));
      assert.equal(
        items.reduce((sum, { refusals }) => sum + Number(refusals), 0),
        5,
      );
    });
    const found = await stage.read('refusals');
    const [{ rules, reason, group, requestId, enforcedBy, principalId } = {} as Item] = itemsOf(found);
    assert.deepEqual(
      [rules, reason, group, requestId, enforcedBy, principalId],
      [['per-user'], 'limited', 'chat', 'r-last', 'service', null],
    );
    assert.doesNotMatch(JSON.stringify(found.body), /hunter2/);
    assert.deepEqual(itemsOf(await stage.read('refusals', readerOf('other'))), []);
    assert.equal((await stage.read('refusals', stage.identity())).status, 403, 'who may only check');
  });

  it('has refusals of the gateway by principal, a page at a time', async () => {
    const tenantId = `gate-${stage.tenant}`;
    const redis = new Redis((await valkeyForTests()).url);
    const refusal = (principalId: string): Refusal => ({
      enforcedBy: 'gateway',
      tenantId,
      principalId,
      clientId: 'main~billing',
      group: 'read',
      reason: 'limited',
      rules: ['read-user'],
      retryAfterSeconds: 2,
      requestId: `of-${principalId}`,
    });
    const recorder = createRefusalRecorder(redis);
    for (const principalId of ['p-1', 'p-2', 'p-1', 'p-3']) recorder.record(refusal(principalId));
    await recorder.close();
    redis.disconnect();
    const as = readerOf(tenantId);
    const seen: unknown[] = [];
    for (let cursor: unknown = ''; cursor !== undefined; ) {
      const { body } = await stage.read(`refusals?limit=2${cursor === '' ? '' : `&cursor=${String(cursor)}`}`, as);
      seen.push(...itemsOf({ body }).map(({ principalId, refusals }) => [principalId, refusals]));
      cursor = body.next;
    }
    assert.deepEqual(seen, [
      ['p-3', 1],
      ['p-2', 1],
      ['p-1', 2],
    ]);
    const own = itemsOf(await stage.read('refusals?principalId=p-2', as));
    assert.deepEqual(
      own.map(({ requestId }) => requestId),
      ['of-p-2'],
    );
  });

  it('has refusals of strangers for operators of the platform only', async () => {
    const strangers = 'refusals?about=strangers';
    assert.equal((await stage.read(strangers)).status, 403);
    assert.equal((await stage.read(strangers, readerOf('main'))).status, 200);
  });

  it('has the rules that apply to the tenant, and of other tenants none', async () => {
    const namesFor = async (tenantId: string) => {
      const policies = itemsOf(await stage.read('policies', readerOf(tenantId)));
      const { rules = [] } = policies.find(({ enforcedBy }) => enforcedBy === 'service') ?? {};
      return (rules as readonly Item[]).map(({ name }) => name);
    };
    assert.deepEqual(await namesFor('acme'), ['per-user', 'acme-only']);
    assert.deepEqual(await namesFor('other'), ['per-user']);
    assert.deepEqual(await namesFor('main'), ['per-user', 'acme-only'], 'operators see all');
  });
});
