/** A sign-in, commands, a revocation, an edit, limits and the overview of a system that has a cluster of three nodes as its `REDIS_URL`. */
import assert from 'node:assert/strict';
import { type ClientCredential, contentOf, issueTokenTo, type Tenant } from '../../support/identity/tenant';
import type { System } from '../../support/processes/running-system';
import type { DedicatedCluster } from '../../support/servers/dedicated-valkey-cluster';
import { eventually } from '../../support/waiting/eventually';

interface SystemOnCluster {
  readonly cluster: DedicatedCluster;
  readonly system: System;
  readonly operator: ClientCredential;
  readonly tenant: Tenant;
}

export const describeCluster = (running: () => SystemOnCluster): Mocha.Suite =>
  describe('on a cluster of Redis', () => {
    let cluster: DedicatedCluster;
    let system: System;
    let operator: ClientCredential;
    let tenant: Tenant;
    before(() => {
      ({ cluster, system, operator, tenant } = running());
    });

    it('signs people in, whose browsers are led to an application', async () => {
      const { browser } = await tenant.enrol('ada@cluster.example');
      const clientId = await tenant.registerClient();
      const code = await tenant.codeFor(browser, clientId);
      const issued = await tenant.requestToken(tenant.redemptionOf(code, clientId));
      assert.equal(issued.status, 200);
      assert.equal((await tenant.requestToken(tenant.redemptionOf(code, clientId))).status, 400);
    });

    it('refuses a token as soon as it was revoked', async () => {
      const { clientId, clientSecret } = tenant.administrator;
      const token = await issueTokenTo(system, tenant.administrator);
      assert.equal((await tenant.read('/v1/principals', { token })).status, 200);
      const form = { token, client_id: clientId, client_secret: clientSecret };
      const body = new URLSearchParams(form);
      assert.equal((await fetch(`${system.url}/oauth/revoke`, { method: 'POST', body })).status, 200);
      await eventually(async () => assert.equal((await tenant.read('/v1/principals', { token })).status, 401));
    });

    it('issues tickets of streams', async () => {
      const { ticket } = await contentOf<{ ticket: string }>(tenant.send('POST', '/v1/streams/tickets', {}));
      assert.ok(ticket.length > 20);
    });

    it('has documents edited', async () => {
      const { documentId } = await contentOf<{ documentId: string }>(
        tenant.send('POST', '/v1/documents', { title: 'On three nodes' }),
      );
      const { clientId } = await contentOf<{ clientId: string }>(
        tenant.send('POST', `/v1/documents/${documentId}/clients`, {}),
      );
      const node = { id: `${clientId}:1`, type: 'rect', parentId: null, orderKey: 'a0', properties: {} };
      const operation = {
        opId: `${clientId}-1`,
        documentId,
        actorId: 'me',
        clientSeq: 1,
        baseVersion: 0,
        type: 'createNode',
        targetIds: [node.id],
        payload: { nodes: [node] },
        createdAt: new Date().toISOString(),
      };
      const path = `/v1/documents/${documentId}/operations:batch`;
      const committed = await contentOf<{ committedVersion: number }>(
        tenant.send('POST', path, { clientId, operations: [operation] }),
      );
      assert.equal(committed.committedVersion, 1);
    });

    it('counts in the cluster, not in each process, as its answers say', async () => {
      for (let at = 0; at < 30; at += 1) {
        const body = { dimensions: { user: `u-${at}` } };
        const { source } = await contentOf<{ source: string }>(tenant.send('POST', '/v1/ratelimit/check', body));
        assert.equal(source, 'store');
      }
    });

    it('has every part well, and something on every node', async () => {
      const token = await issueTokenTo(system, operator);
      await eventually(async () => {
        const read = (path: string) => tenant.read(path, { token });
        const { items } = await contentOf<{ items: readonly { name: string; status: string }[] }>(
          read('/v1/platform/health'),
        );
        assert.deepEqual(
          items.filter(({ status }) => status !== 'ok').map(({ name, status }) => `${name} ${status}`),
          [],
          JSON.stringify(items),
        );
      });
      const sizes = await Promise.all(cluster.masters.map(({ admin }) => admin.dbsize()));
      assert.ok(
        sizes.every((size) => size > 0),
        sizes.join(),
      );
    });
  });
