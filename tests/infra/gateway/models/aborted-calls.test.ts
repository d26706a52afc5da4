import assert from 'node:assert/strict';
import { chatRequestTokens, startCountedModels, textOf } from '../../../support/gateway/counted-models';
import {
  contentEvent,
  respondWithError,
  respondWithUsage,
  startEventStream,
  usageFields,
} from '../../../support/gateway/fake-models';
import { assertRefused } from '../../../support/gateway/gateway-services';
import { deferred } from '../../../support/waiting/deferred';
import { eventually } from '../../../support/waiting/eventually';

describe('the way to models, when it ends early', () => {
  let gateway: Awaited<ReturnType<typeof startCountedModels>>;
  before(async () => {
    gateway = await startCountedModels();
  });
  after(() => gateway.close());

  it('gives back what a failing service did not begin, and passes on what it says', async () => {
    for (const status of [400, 429, 500, 503]) {
      gateway.models.answers(respondWithError(status, { 'retry-after': '7' }));
      await gateway.costs(async () => {
        const answer = await gateway.chat();
        assert.deepEqual([answer.status, answer.headers.get('retry-after')], [status, '7']);
        assert.match(await answer.text(), /"code":"no"/);
      }, 0);
    }
    gateway.models.answers((response) => void response.destroy());
    await gateway.costs(async () => void (await assertRefused(await gateway.chat(), 503, 'service-unavailable')), 0);
    gateway.models.answers((response) => {
      startEventStream(response).write(': wait\n\n', () => response.destroy());
    });
    await gateway.costs(() => assert.rejects(textOf(gateway.chat({ stream: true }))), 0);
  });
  it('keeps to itself that its account is refused, or that it is sent elsewhere', async () => {
    for (const status of [401, 403, 302]) {
      gateway.models.answers(respondWithError(status, { location: 'http://127.0.0.1:1/' }));
      await gateway.costs(async () => void (await assertRefused(await gateway.chat(), 503, 'service-unavailable')), 0);
      assert.equal(gateway.log.lines.at(-1)?.level, 'error');
    }
  });
  it('counts what was written until a caller left, and tells the service', async () => {
    const begun = deferred();
    gateway.models.answers((response) => {
      startEventStream(response).write(contentEvent('x'.repeat(400)));
      begun.resolve();
    });
    const caller = new AbortController();
    await gateway.costs(async () => {
      const answer = await gateway.chat({ stream: true }, { signal: caller.signal });
      await begun.promise;
      await answer.body?.getReader().read();
      caller.abort();
      await gateway.models.last()?.over;
    }, chatRequestTokens + 100);
  });
  it('holds nothing of which models there are, once that is said', async () => {
    gateway.models.answers((response) => void response.end('{"object":"list","data":[]}'));
    const headers = { authorization: `Bearer ${gateway.bearer()}` };
    await gateway.costs(async () => {
      for (let time = 0; time < 12; time += 1)
        await eventually(async () => assert.equal((await fetch(`${gateway.baseUrl}/models`, { headers })).status, 200));
    }, 0);
  });
  it('holds what is under way until it is over', async () => {
    const release = deferred();
    gateway.models.answers(async (response, one) => {
      await release.promise;
      await respondWithUsage(usageFields(1, 1))(response, one);
    });
    const before = gateway.models.requests.length;
    const held = Array.from({ length: 5 }, () => gateway.chat());
    await eventually(async () => assert.equal(gateway.models.requests.length - before, 5));
    assert.equal((await gateway.chat()).status, 429);
    release.resolve();
    for (const answer of await Promise.all(held)) assert.equal(answer.status, 200);
    await eventually(async () => assert.equal((await gateway.chat()).status, 200));
  });
});
