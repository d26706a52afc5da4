/** Rebuilds that an operator requests over HTTP. */
import assert from 'node:assert/strict';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { type MemoryViews, openMemoryViews } from '../../../infra/adapters/views/memory-views';
import type { EventStore } from '../../../infra/ports/event-store';
import type { RebuildState, ViewStatusStore } from '../../../infra/ports/views/view-status';
import { identityHeader } from '../../../infra/server/http/identity/identity-header';
import { openRebuildRoutes, type RebuildRoutes } from '../../../projections/composition/rebuild-route';
import { runProjector } from '../../../projections/kernel/projector/projector';
import { asPlainView, counterProjection, counterTable, recordTicks } from '../../support/domain/counter-context';
import { sampleIdentity, signedHeader, startHttpService } from '../../support/http/http-service';
import { eventually } from '../../support/waiting/eventually';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';

const operator = { ...sampleIdentity, tenantId: 'main', principalId: 'root', scopes: ['platform:write'] };

describe('the route that rebuilds a view', () => {
  const table = counterTable('asked_counters');
  const projection = counterProjection(table);
  const log = recordingLog();
  let store: EventStore;
  let views: MemoryViews;
  let saved: RebuildState[];
  let rebuilds: RebuildRoutes;
  let server: Awaited<ReturnType<typeof startHttpService>>;
  beforeEach(async () => {
    store = openMemoryEventStore();
    views = openMemoryViews();
    saved = [];
    await recordTicks(store, 'one', 3);
    const ledger = { saveRebuild: async (state: RebuildState) => void saved.push(state) } as unknown as ViewStatusStore;
    const writers = { of: () => views.writer, detailOff: () => '' };
    const around = { projections: [projection], writers, store, blobs: undefined, ledger, code: 'c', log };
    rebuilds = openRebuildRoutes({ ...around, operators: 'main' });
    server = await startHttpService(rebuilds.routes);
  });
  afterEach(async () => {
    await server.close();
    await rebuilds.close();
  });

  const requestRebuild = async (view: string, as = operator) => {
    const target = `/v1/platform/views/${view}/rebuild`;
    const headers = { [identityHeader]: signedHeader('POST', target, as), 'content-type': 'application/json' };
    const answer = await fetch(`http://127.0.0.1:${server.port}${target}`, { method: 'POST', headers, body: '{}' });
    return [answer.status, (await answer.json()) as Record<string, unknown>] as const;
  };

  it('answers when it is under way, and records by whom it was asked and how it ended', async () => {
    const running = runProjector([projection], { store, log, metrics: noopMetrics, writerOf: () => views.writer });
    await eventually(async () => assert.equal(running.status()[0]?.phase, 'live'));
    const [status, body] = await requestRebuild(table.name);
    assert.deepEqual([status, body], [202, { view: table.name }]);
    await eventually(async () => assert.equal(saved.at(-1)?.outcome, 'switched'));
    const { by, view, before, after } = saved.at(-1) as RebuildState;
    assert.deepEqual([by, view], ['operator:root', table.name]);
    assert.deepEqual(before, after);
    await running.close();
  });

  it('refuses while another is under way', async () => {
    await views.writer.open(asPlainView(table));
    await views.writer.beginRebuild(asPlainView(table));
    const [status, { code }] = await requestRebuild(table.name);
    assert.deepEqual([status, code], [409, 'view-building']);
    assert.deepEqual(
      saved.filter(({ outcome }) => outcome !== 'running'),
      [],
    );
  });

  it('is for operators of the platform, with the scope, and for views that there are', async () => {
    assert.equal((await requestRebuild(table.name, { ...operator, tenantId: 'acme' }))[0], 403);
    assert.equal((await requestRebuild(table.name, { ...operator, scopes: ['platform:read'] }))[0], 403);
    assert.equal((await requestRebuild('no_such_view'))[0], 404);
    assert.deepEqual(saved, []);
  });
});
