/** The clock of every process of ours an hour wrong, forwards and backwards: tokens end, nothing fires twice, and all goes on. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { Client } from 'pg';
import { eventually } from '../../../support/waiting/eventually';
import type { TestResponse } from '../harness/admin-session';
import { clockFile, type UsedSystem } from '../harness/fixture';
import { type Load, startLoad } from '../harness/load';
import { tallyOf, verifyNothingLost } from '../harness/verify';

const hour = 3_600_000;

export const clockSteps = (on: UsedSystem): Mocha.Suite =>
  describe('a clock that steps', () => {
    let load: Load;
    let lastBefore: string | undefined;
    before(() => {
      load = startLoad(on.system.session, on.system.ledger);
    });
    after(() => load.stop());

    const registered = async (key: string): Promise<TestResponse> => {
      for (;;) {
        const body = { principalType: 'PIPELINE' };
        const answered = await on.system.session.send('POST', '/v1/principals', {
          body,
          headers: { 'idempotency-key': key },
        });
        if (answered?.status === 201) return answered;
      }
    };

    /** Every process has noticed once a new token has the expected issue time. */
    const step = async (milliseconds: number): Promise<void> => {
      writeFileSync(clockFile(on.system.data), String(milliseconds));
      await eventually(async () => {
        const claims = Buffer.from(on.system.session.token().split('.')[1] as string, 'base64url').toString();
        const issued = (JSON.parse(claims) as { iat: number }).iat * 1_000;
        assert.ok(Math.abs(issued - Date.now() - milliseconds) < 30_000);
      });
    };

    const pendingTimers = async (): Promise<readonly Date[]> => {
      const client = new Client({ connectionString: on.system.stores.direct.POSTGRES_URL });
      await client.connect();
      const { rows } = await client.query<{ at: Date }>(
        "select at from septet.timers where state = 'pending' order by at",
      );
      await client.end();
      return rows.map(({ at }) => at);
    };

    it('goes on after an hour forwards, and lets tokens end', async () => {
      const before = on.system.session.token();
      const first = await registered('before-the-step');
      await load.progress();
      lastBefore = (on.system.ledger.at(-8) ?? on.system.ledger[0])?.principalId;
      await step(hour);
      const headers = { authorization: `Bearer ${before}` };
      await eventually(async () => {
        const refused = await on.system.session.send('GET', '/v1/principals', { headers });
        assert.equal(refused?.status, 401);
      });
      const again = await registered('before-the-step');
      assert.deepEqual([again.body, again.headers.get('position')], [first.body, first.headers.get('position')]);
      await load.progress();
      await on.system.recovered();
    });

    it('fires nothing before its time', async () => {
      const { body } = await registered('in-an-hour');
      await eventually(async () => assert.deepEqual(await tallyOf(on.system, String(body.principalId)), [1, 100]));
      const due = (await pendingTimers()).at(-1) as Date;
      assert.ok(due.getTime() > Date.now() + hour / 2);
    });

    it('goes on after an hour backwards, and fires at once what is due already', async () => {
      const begun = on.system.ledger.findIndex(({ principalId }) => principalId === lastBefore);
      await step(-hour);
      for (const { principalId } of on.system.ledger.slice(begun)) on.system.notDue.add(principalId);
      const { body } = await registered('an-hour-ago');
      await eventually(async () => assert.deepEqual(await tallyOf(on.system, String(body.principalId)), [1, 10, 100]));
      await load.progress();
      await on.system.recovered();
    });

    it('is whole once the clock is right again', async () => {
      const { system } = on;
      await step(0);
      await load.progress();
      await load.stop();
      await system.recovered();
      await verifyNothingLost(system);
      assert.deepEqual(system.session.seen().wrong, []);
    });
  });
