/** A member is forgotten over real stores: their contents are searched for a name that only this member had. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { isLeft, isRight } from 'fp-ts/Either';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { privacyRoutes } from '../../../commands/privacy/context';
import type { Instant } from '../../../domain/kernel/codec';
import { forgotten } from '../../../domain/kernel/secret';
import type { EventStore } from '../../../infra/ports/event-store';
import { createAuditor, formatAuditEntry } from '../../../projections/kernel/audit-log';
import { auditedAggregate } from '../../../projections/kernel/audited-aggregate';
import { rebuild } from '../../../projections/kernel/rebuild/rebuild';
import { joined, memberStream, members, nameOf, recordMember } from '../../support/domain/personal-context';
import { sampleIdentity, startHttpService } from '../../support/http/http-service';
import { logOnNode } from '../../support/servers/event-store-fixture';
import { eventually } from '../../support/waiting/eventually';
import { openProcess, useVault } from './fixture';
import { usePersonalViews } from './personal-views';
import { dumpElastic, dumpFiles, dumpPostgres, dumpRedis } from './store-dumps';

const sentinel = 'Hieronymus-Sentinel';

describe('forgetting over real stores', function () {
  this.timeout(120_000);
  const log = logOnNode('vault-forget');
  const stage = useVault();
  const { run, shows, stopAll } = usePersonalViews(stage, log);

  const forget = async (subject: string): Promise<void> => {
    const clock = { now: () => '2026-01-31T12:00:00.000Z' as Instant };
    const random = { uuid: randomUUID, token: (bytes: number) => randomBytes(bytes).toString('base64url') };
    const service = await startHttpService(
      privacyRoutes({ ...openProcess(stage, log.store), commandMetrics: noCommandMetrics, clock, random }),
    );
    const answer = await service.call('/v1/privacy/forget', {
      method: 'POST',
      identity: { ...sampleIdentity, scopes: ['privacy:write'] },
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ subject, reason: 'asked-for' }),
    });
    await service.close();
    assert.equal(answer.status, 200);
  };
  const auditOf = async (store: EventStore): Promise<string> => {
    const audit = createAuditor([auditedAggregate({ family: members, initial: null, evolve: nameOf })]);
    const lines: string[] = [];
    for await (const stored of store.readAll({ after: null, filter: { streams: ['sample.'] } })) {
      const step = audit(stored);
      lines.push(...(isLeft(step) ? [`damaged: ${step.left.reason}`] : formatAuditEntry(stored, step.right)));
    }
    return lines.join('\n');
  };
  const views = async () => {
    const { database, redis, elastic } = stage;
    return [await dumpPostgres(database), await dumpRedis(redis), await dumpElastic(elastic)];
  };

  it('leaves the name in no view, no replay, no audit, and never had it in the log', async () => {
    // Two copies, as where a service runs twice.
    run();
    run();
    const writing = openProcess(stage, log.store);
    await recordMember(writing.store, joined('m-1', sentinel));
    await recordMember(writing.store, joined('m-2', 'Somebody else'));
    await shows('m-1', sentinel);
    await shows('m-2', 'Somebody else');
    for (const dump of await views()) assert.ok(dump.includes(sentinel), 'the search finds what is there');
    assert.match(await auditOf(openProcess(stage, log.store).store), new RegExp(sentinel));
    await forget('m-1');
    await shows('m-1', null);
    await shows('m-2', 'Somebody else');
    await eventually(async () => {
      for (const dump of await views()) {
        const at = dump.indexOf(sentinel);
        assert.equal(at < 0 ? '' : dump.slice(Math.max(0, at - 2_000), at + 100), '');
      }
    });
    for (const store of [writing.store, openProcess(stage, log.store).store]) {
      await eventually(async () => {
        const events = await store.read(memberStream('m-1'));
        assert.ok(isRight(events));
        assert.deepEqual((events.right[0]?.data as { name: unknown } | undefined)?.name, forgotten);
      });
      const audit = await auditOf(store);
      assert.ok(audit.includes('Somebody else') && !audit.includes(sentinel) && !audit.includes('damaged'));
    }
    const files = dumpFiles(log.node.data);
    assert.ok(
      files.includes('sample.member-acme.m-1') && !files.includes(sentinel) && !files.includes('Somebody else'),
    );
  });

  it('survives a rebuild of views, also by a new process', async () => {
    for (const { projection, writer, name } of stage.personalViews) {
      const { store } = openProcess(stage, log.store);
      const { signal } = new AbortController();
      const request = { store, writer, signal, projection, acceptDifferences: false, progress: () => undefined };
      const rebuilt = await rebuild(request);
      if (isLeft(rebuilt)) assert.fail(`${name}: ${rebuilt.left.detail}`);
    }
    await shows('m-1', null);
    await shows('m-2', 'Somebody else');
  });

  it('is made good at the next start by projectors that were away meanwhile', async () => {
    run();
    const { store } = openProcess(stage, log.store);
    await recordMember(store, joined('m-3', `${sentinel}-3`));
    await shows('m-3', `${sentinel}-3`);
    await stopAll();
    await forget('m-3');
    await shows('m-3', `${sentinel}-3`);
    run();
    await shows('m-3', null);
  });
});
