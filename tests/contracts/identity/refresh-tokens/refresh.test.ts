/** Refresh tokens over four command APIs, each a process, and a real log. */

import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import type { ClientId, FamilyId } from '../../../../domain/identity/ids';
import { refreshFamilyStream } from '../../../../domain/identity/refresh-family/events';
import { tenantId } from '../../../identity/examples';
import { appSecret, personId } from '../../../identity/grants/fixture';
import type { Part } from '../../../support/processes/stream-processes';
import { sized } from '../../../support/runner/size';
import { eventually } from '../../../support/waiting/eventually';
import { usePostgres } from '../../processes/work-queue/fixture';
import { type Form, type RefreshStage, startRefreshStage, type TestResponse } from './fixture';
import {
  containAsWorker,
  containedOnce,
  containment,
  containmentNotes,
  epochOf,
  expireLeases,
  recordReuseOnly,
} from './reuse';

const rotated = 'identity.RefreshRotated.v1';
const compromised = 'identity.FamilyCompromised.v1';

describe('refresh tokens over processes', () => {
  let stage: RefreshStage;
  before(async function () {
    this.timeout(120_000);
    stage = await startRefreshStage(4);
  });
  after(() => stage.stop());

  const refresh = (token: string, clientId: string, more: Form = {}): Form => ({
    grant_type: 'refresh_token',
    refresh_token: token,
    client_id: clientId,
    ...more,
  });
  const raced = (form: Form, uses: number): Promise<readonly TestResponse[]> =>
    Promise.all(Array.from({ length: uses }, (_, index) => stage.call(index, form)));
  const eventsOf = async (familyId: FamilyId | null): Promise<readonly string[]> => {
    const read = await stage.store.read(refreshFamilyStream(tenantId, familyId as FamilyId));
    if (isLeft(read)) throw new Error('the log is away');
    return read.right.map(({ type }) => type).slice(1);
  };
  const openNow = async (clientId: ClientId) => stage.openGrant(clientId, { securityEpoch: await epochOf(stage) });
  const succeeded = (answers: readonly TestResponse[]) => answers.filter(({ status }) => status === 200);

  const uses = sized({ short: 100, long: 1_000 });
  it(`lets one of ${uses} uses at once through, and the family is over`, async () => {
    const clientId = stage.clients.open;
    const { refreshToken, familyId } = await stage.openGrant(clientId);
    const answers = await raced(refresh(refreshToken, clientId), uses);
    assert.equal(succeeded(answers).length, 1);
    for (const { status, body } of answers) assert.ok(status === 200 || body.error === 'invalid_grant', String(status));
    assert.deepEqual(await eventsOf(familyId), [rotated, compromised]);
    const successor = String(succeeded(answers)[0]?.body.refresh_token);
    assert.equal((await stage.call(0, refresh(successor, clientId))).status, 400);
  });

  const retries = sized({ short: 100, long: 300 });
  it(`gives ${retries} retries of a client that proves itself one successor`, async () => {
    const clientId = stage.clients.confidential;
    const { refreshToken, familyId } = await stage.openGrant(clientId);
    const proof = { client_secret: appSecret };
    const answers = await raced(refresh(refreshToken, clientId, proof), retries);
    assert.equal(succeeded(answers).length, retries);
    assert.equal(new Set(answers.map(({ body }) => body.refresh_token)).size, 1);
    assert.deepEqual(await eventsOf(familyId), [rotated]);
    const next = refresh(String(answers[0]?.body.refresh_token), clientId, proof);
    assert.equal((await stage.call(3, next)).status, 200);
  });

  it('detects a reuse after the process that handled the first use was killed', async () => {
    const clientId = stage.clients.open;
    const { refreshToken, familyId } = await stage.openGrant(clientId);
    assert.equal((await stage.call(1, refresh(refreshToken, clientId))).status, 200);
    await stage.commands[1]?.restart('SIGKILL');
    assert.equal((await stage.call(1, refresh(refreshToken, clientId))).status, 400);
    assert.deepEqual(await eventsOf(familyId), [rotated, compromised]);
  });

  const ends = {
    'raising a principal’s epoch': [`/v1/principals/${personId}/epoch/bump`, {}],
    'revoking a principal’s tokens': ['/v1/tokens/revoke', { principalId: personId }],
  } as const;
  for (const [name, [path, thing]] of Object.entries(ends))
    it(`takes no refresh token of before in any process after ${name}`, async () => {
      const clientId = stage.clients.open;
      const [used, unused] = [await openNow(clientId), await openNow(clientId)];
      const rotatedTo = String((await stage.call(0, refresh(used.refreshToken, clientId))).body.refresh_token);
      assert.equal((await stage.order(1, path, { ...thing, reason: 'Lost.' })).status, 200);
      for (const token of [rotatedTo, unused.refreshToken]) {
        const { status, body } = await stage.call(2, refresh(token, clientId));
        assert.deepEqual([status, body.error], [400, 'invalid_grant']);
      }
      const after = await openNow(clientId);
      assert.equal((await stage.call(3, refresh(after.refreshToken, clientId))).status, 200);
      for (const { familyId } of [used, unused]) assert.ok(!(await eventsOf(familyId)).includes(compromised));
    });

  describe('and the processes', () => {
    const postgres = usePostgres();
    let processes: Part;
    before(async () => {
      processes = await stage.startProcesses(postgres.url);
      // The process reacts to nothing from before its first run.
      await eventually(async () => {
        const text = 'select 1 from septet.process_checkpoints where process = $1';
        const { rowCount } = await postgres.pool.query(text, ['open-incident-on-compromise']);
        assert.equal(rowCount, 1);
      });
    });
    after(() => processes.stop());

    const reacted = ['process.Reacted.v1'];
    const answered = (familyId: FamilyId | null) =>
      eventually(async () => assert.deepEqual(await containmentNotes(stage, familyId), reacted));
    const usedOnce = async () => {
      const opened = await openNow(stage.clients.open);
      assert.equal((await stage.call(0, refresh(opened.refreshToken, stage.clients.open))).status, 200);
      return { opened, epoch: await epochOf(stage) };
    };

    it('contain a reuse once, in either order, and keep the person’s other grants', async () => {
      const { opened, epoch } = await usedOnce();
      const other = await openNow(stage.clients.open);
      assert.equal((await stage.call(1, refresh(opened.refreshToken, stage.clients.open))).status, 400);
      await answered(opened.familyId);
      assert.deepEqual(await containment(stage, opened, epoch), containedOnce);
      assert.equal((await stage.call(2, refresh(other.refreshToken, stage.clients.open))).status, 200);
    });

    it('contain what the command API left half done, though they are killed before they come to it', async () => {
      const { opened, epoch } = await usedOnce();
      process.kill(processes.pid(), 'SIGSTOP');
      await recordReuseOnly(stage, stage.clients.open, opened);
      assert.deepEqual([await containmentNotes(stage, opened.familyId), await epochOf(stage)], [[], epoch]);
      const restarted = processes.restart('SIGKILL');
      await expireLeases(postgres.pool);
      await restarted;
      await answered(opened.familyId);
      await containAsWorker(stage, opened.familyId);
      assert.deepEqual(await containment(stage, opened, epoch), containedOnce);
    });
  });
});
