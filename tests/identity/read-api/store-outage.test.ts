import assert from 'node:assert/strict';
import { principalsView } from '../../../projections/identity/principals/view';
import { readersByStore } from '../../../read-api/kernel/view-readers';
import { createSettableViews } from '../../kernel/read-api/view-readers';
import { principalId } from '../examples';
import { principalRow, startReadApi } from './fixture';

describe('a store that is not there', () => {
  it('is said with its reason; what is elsewhere works', async () => {
    const views = createSettableViews();
    await views.write(principalsView, 1n, [principalRow()]);
    const reason = 'Java is missing: install a JDK.';
    const api = await startReadApi({ views, reading: (all) => readersByStore({ postgres: all, elastic: reason }) });
    const { status, body, response } = await api.get('/v1/security/events');
    assert.deepEqual([status, body.code, body.detail], [503, 'view-store-unavailable', reason]);
    assert.ok(response.headers.get('retry-after'));
    assert.equal((await api.get(`/v1/principals/${principalId}`)).status, 200);
    await api.close();
  });
  it('answers 503 while it is away, and answers again when it is back', async () => {
    let away = false;
    const views = createSettableViews(() => away);
    await views.write(principalsView, 1n, [principalRow()]);
    const api = await startReadApi({ views });
    away = true;
    const headers = { 'min-position': '5' };
    for (const path of ['', `/${principalId}`])
      assert.equal((await api.get(`/v1/principals${path}`, { headers })).body.code, 'view-store-unavailable');
    away = false;
    assert.equal((await api.get(`/v1/principals/${principalId}`)).status, 200);
    await api.close();
  });
});
