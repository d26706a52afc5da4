/** Views of what is personal while the vault is away, when they are none, and when the log was changed. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import {
  joined,
  memberEvent,
  memberProjection,
  memberStream,
  memberTable,
  recordMember,
} from '../../support/domain/personal-context';
import { logOnNode } from '../../support/servers/event-store-fixture';
import { eventually } from '../../support/waiting/eventually';
import { openProcess, useVault } from './fixture';
import { readMemberName, usePersonalViews } from './personal-views';

describe('views over the vault', function () {
  this.timeout(120_000);
  const log = logOnNode('vault-views');
  const stage = useVault();
  const { run, shows } = usePersonalViews(stage, log);

  it('wait while it is away, skip nothing, and go on by themselves', async () => {
    const { recorded, projector } = run();
    const { store } = openProcess(stage, log.store);
    await recordMember(store, joined('m-1', 'First'));
    await shows('m-1', 'First');
    stage.proxy.away();
    await recordMember(store, joined('m-2', 'Patient'));
    await recordMember(store, { type: 'MemberLeft', data: { memberId: 'm-3' } });
    await eventually(async () =>
      assert.ok(recorded.lines.some(({ fields }) => /vault .*cannot be reached/.test(String(fields.error)))),
    );
    await eventually(async () => {
      for (const { phase, detail = '' } of projector.status())
        assert.ok(phase === 'waiting' && /vault/i.test(detail), `${phase}: ${detail}`);
    });
    for (const view of stage.personalViews)
      for (const id of ['m-2', 'm-3']) assert.equal(await readMemberName(view, id), undefined, 'nothing is skipped');
    stage.proxy.back();
    await shows('m-2', 'Patient');
    await shows('m-3', null);
  });

  it('show nothing of it when they are not personal', async () => {
    const [table] = stage.personalViews;
    assert.ok(table);
    const view = memberTable(`test_public_${process.pid}_${Date.now()}`, {});
    const open = { ...table, projection: memberProjection(view) };
    run([open]);
    await eventually(async () => assert.equal(await readMemberName(open, 'm-2'), null));
  });

  it('stop loudly at ciphertext that was moved, and name it', async () => {
    const { store } = openProcess(stage, log.store);
    await recordMember(store, joined('m-6', 'Moved'));
    const raw = await log.store.read(memberStream('m-6'));
    assert.ok(isRight(raw));
    const [sealed] = raw.right;
    const copy = { ...memberEvent({ type: 'MemberLeft', data: { memberId: 'm-7' } }), type: 'sample.MemberJoined.v1' };
    const event = { ...copy, data: sealed?.data, metadata: sealed?.metadata };
    assert.ok(isRight(await log.store.append(memberStream('m-7'), 'any', [event])));
    const { projector, recorded } = run();
    await eventually(async () => assert.ok(projector.status().every(({ phase }) => phase === 'stopped')));
    const detail = projector.status()[0]?.detail ?? '';
    assert.match(detail, /sample\.member-acme\.m-7 revision 0: Sealed and cannot be opened.*: name/);
    assert.ok(recorded.lines.some(({ level, fields }) => level === 'error' && fields.stream === memberStream('m-7')));
    assert.ok(!JSON.stringify(recorded.lines.map(({ fields }) => String(fields.detail))).includes('Moved'));
  });
});
