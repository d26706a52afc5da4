import assert from 'node:assert/strict';
import type { Health } from '../../../infra/ports/runtime/health';
import { reportOf } from '../../../infra/server/http/server/operational-endpoints';

describe('what a process says of itself', () => {
  it('names its version and how long it runs', async () => {
    const report = await reportOf(async () => ({ ready: true, parts: {} }))();
    assert.match(report.version, /^\d+\.\d+\.\d+/);
    assert.ok(report.uptimeSeconds >= 0);
  });

  it('reports since when a part is not whole, until it is again', async () => {
    let ok = false;
    const report = reportOf(
      async (): Promise<Health> => ({ ready: true, parts: { log: { ok, detail: 'It is away.' } } }),
    );
    const first = (await report()).parts.log?.since;
    assert.ok(first !== undefined && Date.parse(first) <= Date.now());
    assert.equal((await report()).parts.log?.since, first);
    ok = true;
    assert.equal((await report()).parts.log?.since, undefined);
  });

  it('answers even when a part does not', async () => {
    const { ready, parts } = await reportOf(() => new Promise<Health>(() => undefined), 1)();
    assert.equal(ready, false);
    assert.match(parts.health?.detail ?? '', /timed out/);
  });
});
