/** Precise coordinates of searches reach no log, no trace and no metric of the service, whatever the answer is. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { entryPath } from '../../../../infra/server/bundle/entry-path';
import { startCollector } from '../../../faults/trace/collector';
import {
  openSearchStage,
  pathOf,
  type SearchStage,
  samplePlace,
  searcher,
  tenant,
} from '../../../support/geo/search-stage';
import { signedHeader } from '../../../support/http/http-service';
import { exitOf } from '../../../support/processes/child-exit';
import { eventually } from '../../../support/waiting/eventually';

/** Digits that nothing else has. */
const there = { lat: 47.38571946, lng: 8.51937264 };
const digits = /38571946|51937264|385719|519372|47\.38\d|8\.51\d/;

describe('coordinates of searches', function () {
  this.timeout(120_000);
  let stage: SearchStage;
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let child: ChildProcess;
  let [port, output] = [0, ''];
  before(async () => {
    stage = await openSearchStage();
    collector = await startCollector();
    await stage.untilVisible(await stage.record([samplePlace('there', { ...there })]));
    child = fork(entryPath('read-api/geo/search/main'), [], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...process.env,
        ...stage.env,
        LOG_LEVEL: 'debug',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_BSP_SCHEDULE_DELAY: '50',
      },
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes) => {
        output += String(bytes);
      });
    port = await new Promise<number>((resolve, reject) => {
      child.once('message', ({ port: own }: { readonly port: number }) => resolve(own));
      child.once('exit', () => reject(new Error(output)));
    });
  });
  after(async () => {
    child.kill('SIGTERM');
    await exitOf(child);
    await Promise.all([stage.close(), collector.close()]);
  });

  const statusOf = async (parameters: Parameters<typeof pathOf>[0], isSigned = true): Promise<number> => {
    const path = pathOf(parameters);
    const headers = isSigned ? { 'septet-identity': signedHeader('GET', path, searcher(tenant)) } : {};
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: headers as Record<string, string> });
    await answer.arrayBuffer();
    return answer.status;
  };

  it('reach no log, trace or metric', async () => {
    const { lat, lng } = there;
    assert.equal(await statusOf({ ...there, explain: 1 }), 200);
    assert.equal(await statusOf({ ...there, bbox: [lat - 1, lng - 1, lat + 1, lng + 1].join(',') }), 200);
    assert.equal(await statusOf({ ...there, lng: -lng, query: 'none' }), 200);
    assert.equal(await statusOf({ ...there, radius_m: 0, near: `${lat},${lng}` }), 400);
    assert.equal(await statusOf({ ...there, cursor: 'x' }), 400);
    assert.equal(await statusOf(there, false), 401);
    // Spans of all searches have arrived: those of the last ones come last.
    await eventually(async () =>
      assert.ok(collector.spans().filter(({ name }) => name.includes('/v1/search')).length >= 5, 'spans are missing'),
    );
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    assert.match(metrics, /\/v1\/search/);
    assert.match(output, /ready/);
    for (const text of [output, collector.text(), metrics]) assert.doesNotMatch(text, digits);
  });
});
