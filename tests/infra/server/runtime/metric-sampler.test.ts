/** Samples of a process's metrics: rates of counters, levels of gauges, one series per view. */
import assert from 'node:assert/strict';
import { openMetrics } from '../../../../infra/server/runtime/metrics';

const byName = (samples: readonly { readonly series: string; readonly value: number }[]) =>
  Object.fromEntries(samples.map(({ series, value }) => [series, value]));

describe('samples of metrics', () => {
  it('are rates since the sample before, of what the labels select', async () => {
    const metrics = openMetrics('sample');
    const labels = ['context', 'command', 'outcome'];
    const count = metrics.counter({ name: 'commands_total', help: 'Commands.', labels });
    const none = {
      commands: 0,
      'commands-failed': 0,
      'sessions-opened': 0,
      'runs-requested': 0,
      'jobs-completed': 0,
    };
    assert.deepEqual(byName(await metrics.sample(15)), none);
    count({ context: 'identity', command: 'OpenSession', outcome: 'recorded' }, 30);
    count({ context: 'identity', command: 'OpenSession', outcome: 'repeated' }, 15);
    count({ context: 'editor', command: 'CreateDocument', outcome: 'failed' }, 15);
    count({ context: 'workflow', command: 'RequestRun', outcome: 'recorded' }, 15);
    count({ context: 'workflow', command: 'CompleteJob', outcome: 'unchanged' }, 15);
    const expected = { ...none, commands: 6, 'commands-failed': 1, 'sessions-opened': 2, 'runs-requested': 1 };
    assert.deepEqual(byName(await metrics.sample(15)), expected);
    assert.deepEqual(byName(metrics.recent()), expected);
    assert.deepEqual(byName(await metrics.sample(15)), none);
  });

  it('count failed sign-ins and searches by the answers to them', async () => {
    const metrics = openMetrics('sample');
    const labels = ['method', 'route', 'status'];
    const observe = metrics.histogram({ name: 'http_server_request_seconds', help: 'Requests.', labels });
    for (const [method, route, status] of [
      ['POST', '/sign-in', '401'],
      ['POST', '/sign-in', '200'],
      ['GET', '/sign-in', '401'],
      ['POST', '/v1/principals', '401'],
      ['GET', '/v1/search', '200'],
    ] as const)
      observe(0.3, { method, route, status });
    assert.deepEqual(byName(await metrics.sample(1)), { 'sign-ins-failed': 1, 'place-searches': 1 });
  });

  it('are levels of each view, without those that are not known', async () => {
    const metrics = openMetrics('sample');
    const lag = metrics.gauge({ name: 'projection_lag_seconds', help: 'Lag.', labels: ['view'] });
    lag(3, { view: 'sample_things' });
    lag(Number.NaN, { view: 'sample_others' });
    assert.deepEqual(await metrics.sample(15), [{ series: 'lag/sample_things', value: 3, merge: 'max' }]);
  });
});
