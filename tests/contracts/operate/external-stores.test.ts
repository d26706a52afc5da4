/** A backup of stores that are all elsewhere, brought into others: an event store, a database, a bucket. */

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import type { S3Options } from '../../../infra/adapters/blobs/s3/client';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { createBackup } from '../../../infra/operate/backup/create-backup';
import { openInstallation } from '../../../infra/operate/backup/installation';
import { restoreBackup } from '../../../infra/operate/backup/restore-backup';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { hasPrerequisite } from '../../support/runner/prerequisites';
import { logOnNode } from '../../support/servers/event-store-fixture';
import { startEventStoreNode } from '../../support/servers/event-store-node';
import { rawClient, type S3ForTests, s3ForTests } from '../../support/servers/s3-server';
import { freshDatabase } from '../../support/servers/shared-servers';
import { requireSmallDisk, unmountSmallDisk } from '../../support/servers/small-disk';
import { expectSuccess, storedText, textPut } from '../blobs/suite/store-calls';
import * as stage from './fixture';

const print = (): void => undefined;

const bucketBeside = async (s3: S3ForTests | undefined, bucket: string): Promise<S3Options | undefined> => {
  if (s3 === undefined) return undefined;
  const client = rawClient(s3.options);
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return { ...s3.options, bucket };
};

describe('a backup of stores that are elsewhere', function () {
  this.timeout(120_000);
  const home = temporaryDirectory('backup-elsewhere');
  const [log, other, third] = [logOnNode('backup-from'), logOnNode('backup-to'), logOnNode('backup-third')];
  const out = join(home.path, 'out');
  let s3: S3ForTests | undefined;
  let from: stage.ExternalStores;

  const take = async (directory: string) => {
    const installation = await openInstallation(join(home.path, 'nothing'), stage.environmentOf(from));
    const options = { out: directory, withoutKeys: false, withoutBlobs: false, report: print };
    try {
      return await createBackup(installation, options);
    } finally {
      await installation.close();
    }
  };
  const bring = (to: stage.ExternalStores, name: string) => {
    const target = { from: out, data: join(home.path, name), env: stage.environmentOf(to) };
    return restoreBackup({ ...target, keys: undefined, forgotten: undefined, report: print });
  };

  before(async () => {
    s3 = (await hasPrerequisite('bucket')) ? await s3ForTests() : undefined;
    const postgres = await stage.databaseWithWork();
    from = { log: log.node.url, postgres, keys: join(home.path, 'keys'), bucket: s3?.options };
    await stage.keyIn(from);
    await stage.append(log.store, 50);
    if (s3 !== undefined)
      await stage.withBucket(s3.options, async (blobs) =>
        expectSuccess(await blobs.put(textPut('a/b', 'in a bucket'))),
      );
  });
  after(async () => {
    await s3?.stop();
    home.remove();
  });

  it('exports the log, dumps the tables and copies the bucket', async () => {
    const made = await take(out);
    assert.deepEqual([made.log.kind, made.log.events], ['exported', 50]);
    assert.deepEqual(made.postgres?.rows['septet_vault.keys'], 1);
    assert.equal(made.blobs.count, s3 === undefined ? 0 : 1);
    assert.equal(existsSync(join(home.path, 'nothing')), false);
  });

  it('is brought into others, where checkpoints and timers have the positions of the other log', async () => {
    const bucket = await bucketBeside(s3, 'second');
    const postgres = await freshDatabase();
    const to = { log: other.node.url, postgres, keys: join(home.path, 'other-keys'), bucket };
    await bring(to, 'brought');
    assert.deepEqual(await stage.everyEvent(other.store), await stage.everyEvent(log.store));
    assert.equal(await stage.keyIn(to), await stage.keyIn(from));
    // What had come to no event of the log comes to none in the other one, and a timer is earlier than all that follows.
    const positions = `select (select position from septet.process_checkpoints) as checkpoint, (select position from septet.timers) as timer`;
    assert.deepEqual(await stage.rowsOf(postgres, positions), [{ checkpoint: null, timer: '0' }]);
    const jobs = 'select * from septet.work_jobs';
    assert.deepEqual(await stage.rowsOf(postgres, jobs), await stage.rowsOf(from.postgres, jobs));
    const leases = "select token, until = '-infinity' as over from septet.leases";
    assert.deepEqual(await stage.rowsOf(postgres, leases), [{ token: '12', over: true }]);
    const next = "select nextval('septet.work_tokens') as token, nextval('septet.work_jobs_id_seq') as id";
    assert.deepEqual(await stage.rowsOf(postgres, next), [{ token: '2', id: '2' }]);
    if (bucket !== undefined)
      assert.equal(await stage.withBucket(bucket, (blobs) => storedText(blobs, 'a/b')), 'in a bucket');
    await assert.rejects(bring(to, 'again'), /The event store is in use/);
    await assert.rejects(bring({ ...to, log: undefined }, 'again'), /bucket .* is in use|Postgres is in use/);
    await assert.rejects(bring({ ...to, log: undefined, bucket: s3?.options }, 'again'), /is in use/);
    assert.equal(existsSync(join(home.path, 'again')), false);
  });

  it('becomes the log of an embedded node where no event store is named', async () => {
    const bucket = await bucketBeside(s3, 'third');
    const to = { log: undefined, postgres: await freshDatabase(), keys: join(home.path, 'third-keys'), bucket };
    await bring(to, 'embedded');
    const node = await startEventStoreNode(join(home.path, 'embedded', 'eventstore'));
    const store = openEventStore({ url: node.url });
    assert.deepEqual(await stage.everyEvent(store), await stage.everyEvent(log.store));
    await store.close();
    await node.stop();
  });

  it('goes from the files of an embedded node to an event store', async () => {
    const bucket = await bucketBeside(s3, 'fourth');
    const directory = join(home.path, 'embedded');
    const own = { ...from, log: undefined, keys: join(home.path, 'third-keys') };
    const installation = await openInstallation(directory, stage.environmentOf(own));
    const copied = join(home.path, 'copied');
    const made = await createBackup(installation, {
      out: copied,
      withoutKeys: false,
      withoutBlobs: false,
      report: print,
    });
    await installation.close();
    assert.equal(made.log.kind, 'copied');
    const to = { log: third.node.url, postgres: await freshDatabase(), keys: join(home.path, 'fourth-keys'), bucket };
    const target = { from: copied, data: join(home.path, 'passed'), env: stage.environmentOf(to) };
    await restoreBackup({ ...target, keys: undefined, forgotten: undefined, report: print });
    assert.deepEqual(await stage.everyEvent(third.store), await stage.everyEvent(log.store));
    const checkpoints = 'select process, token from septet.process_checkpoints';
    assert.deepEqual(await stage.rowsOf(to.postgres, checkpoints), [{ process: 'sample', token: '12' }]);
    assert.ok(!existsSync(join(home.path, 'passed', 'eventstore-passing')));
  });

  it('leaves nothing behind where there is no room for it', async function () {
    const small = join(home.path, 'small');
    requireSmallDisk(this, small, 1);
    try {
      await stage.rowsOf(from.postgres, `update septet.work_jobs set payload = to_jsonb(repeat('x', 3000000))`);
      await assert.rejects(take(join(small, 'out')), { code: 'ENOSPC' });
      assert.deepEqual(readdirSync(small), []);
    } finally {
      unmountSmallDisk(small);
    }
  });
});
