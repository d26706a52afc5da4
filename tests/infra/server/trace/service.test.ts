import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import { service } from '../../../../infra/server/runtime/service';
import { startCollector } from '../../../faults/trace/collector';

describe('a service', () => {
  const started = async (env: Record<string, string>) => {
    const spanned = service({
      name: 'sample',
      config: {},
      start: async (_config, { trace }) => ({
        ready: async () => ({ ready: true, parts: {} }),
        // Work while it drains is a part of the trace.
        close: async () => trace?.begin({ name: 'last work' }).end(),
      }),
    });
    const running = await spanned.start({ LOG_LEVEL: 'error', ...env });
    assert.ok(!isLeft(running));
    return running.right;
  };

  it('sends its last spans before it is closed', async () => {
    const collector = await startCollector();
    const running = await started({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    await running.close();
    assert.deepEqual(
      collector.spans().map(({ service: from, name }) => [from, name]),
      [['septet-sample', 'last work']],
    );
    await collector.close();
  });

  it('has no tracer where no collector is named', async () => {
    const collector = await startCollector();
    await (await started({})).close();
    assert.deepEqual(collector.spans(), []);
    await collector.close();
  });
});
