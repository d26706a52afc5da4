/** Everything backed up while it is used, brought back into an empty directory, and found there. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { forgotten } from '../../domain/kernel/secret';
import { openLocalBlobs } from '../../infra/adapters/blobs/local/local-blob-store';
import { openEventStore } from '../../infra/adapters/eventstore/event-store';
import { restoreBackup } from '../../infra/operate/backup/restore-backup';
import { freePort } from '../../infra/operate/launch/free-port';
import { OperatorError } from '../../infra/operate/launch/operator-error';
import type { BlobStore } from '../../infra/ports/blob-store';
import { expectSuccess, storedText, textPut } from '../contracts/blobs/suite/store-calls';
import { type Acknowledged, answered, startLoad } from '../support/domain/command-load';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { type Admin, jsonOf, signIn } from '../support/identity/admin';
import type { Launched } from '../support/processes/launcher';
import { backup, restore, runFileOf, startSeptet } from './backup/command-line';
import { withDamage, withoutFile } from './backup/damage';
import { leaveWork, workIsDone } from './backup/pending-work';
import { addressesIn, createPerson, forget, getAs, type Person, signInAs } from './backup/people';

const blobsIn = (data: string): BlobStore =>
  expectSuccess(openLocalBlobs({ directory: join(data, 'blobs'), secret: 's'.repeat(43), url: 'http://localhost' }));

const newestRevisions = async (data: string): Promise<Map<string, number>> => {
  const store = openEventStore({ url: runFileOf(data).EVENTSTORE_URL });
  const newest = new Map<string, number>();
  for await (const { stream, revision } of store.readAll({ after: null, filter: { streams: ['identity.principal-'] } }))
    newest.set(stream, revision);
  await store.close();
  return newest;
};

const large = 'l'.repeat(100_000);

describe('a backup of everything', function () {
  this.timeout(180_000);
  const home = temporaryDirectory('backup');
  const [data, out, restored] = [join(home.path, 'data'), join(home.path, 'out'), join(home.path, 'restored')];
  const list = join(home.path, 'forgotten.json');
  const acknowledged: Acknowledged[] = [];
  let people: readonly [kept: Person, gone: Person, goneLater: Person];
  let septet: Launched;
  let admin: Admin;
  let port: number;

  before(async () => {
    port = (await freePort()) as number;
    septet = await startSeptet(data, port);
    admin = await signIn(septet.url, septet.code as string);
    people = [await createPerson(admin), await createPerson(admin), await createPerson(admin)];
    const blobs = blobsIn(data);
    expectSuccess(await blobs.put(textPut('small', 'few bytes')));
    expectSuccess(await blobs.put(textPut('large', large)));
    await blobs.close();
    await forget(admin, people[1]);
    await leaveWork(runFileOf(data));
  });

  after(async () => {
    await septet.stop();
    home.remove();
  });

  it('is made beside a running system, of everything that was acknowledged before it began', async () => {
    const load = startLoad(admin, acknowledged, 50);
    while (acknowledged.length < 30) await answered(admin, '/v1/principals');
    const before = acknowledged.length;
    const made = await backup('--data', data, '--out', out);
    assert.equal(made.code, 0, made.errors);
    await load.stop();
    assert.ok(acknowledged.length > before, 'commands went on');
    acknowledged.length = before;
    assert.deepEqual(
      readdirSync(home.path).filter((name) => name.includes('partial')),
      [],
    );
    assert.equal(statSync(out).mode & 0o777, 0o700);
    assert.equal(statSync(join(out, 'secrets', 'master-key')).mode & 0o777, 0o600);
    assert.match((await backup('--data', data, '--out', out)).errors, /overwrites nothing/);
  });

  it('is not restored over anything, nor without word of who was forgotten since', async () => {
    await forget(admin, people[2]);
    const listed = await backup('--data', data, '--forgotten', list);
    assert.deepEqual([listed.code, JSON.parse(listed.output).keys], [0, 2]);
    assert.match((await restore('--from', out, '--data', data, '--forgotten', list)).errors, /is in use/);
    assert.match(
      (await restore('--from', out, '--data', restored)).errors,
      /forgotten after the backup would reappear/,
    );
    writeFileSync(join(home.path, 'older.json'), '{"format":"septet-forgotten","version":1,"madeAt":"2020","keys":[]}');
    const older = await restore('--from', out, '--data', restored, '--forgotten', join(home.path, 'older.json'));
    assert.match(older.errors, /older than the backup/);
  });

  it('is refused by the name of the file that was changed, before anything is touched', async () => {
    await septet.stop();
    const attempt = async (file: string): Promise<void> => {
      const options = {
        from: out,
        data: restored,
        env: {},
        keys: undefined,
        forgotten: undefined,
        report: () => undefined,
      };
      const named = (error: Error): boolean => error instanceof OperatorError && error.message.includes(file);
      await assert.rejects(restoreBackup(options), named, file);
      assert.equal(existsSync(restored), false);
    };
    const parts = ['eventstore/events.mdb', 'postgres/septet.timers.jsonl', 'postgres/septet_vault.keys.jsonl'];
    for (const file of [...parts, 'blobs/index.mdb', 'keys/vault-key-000001.json', 'SHA256SUMS', 'backup.json'])
      await withDamage(out, file, () => attempt(file));
    await withoutFile(out, 'secrets/master-key', () => attempt('secrets/master-key'));
    await withoutFile(out, 'backup.json', () => attempt('backup.json'));
  });

  it('comes back into an empty directory, where everything goes on', async () => {
    const made = await restore('--from', out, '--data', restored, '--forgotten', list);
    assert.equal(made.code, 0, made.errors);
    septet = await startSeptet(restored, port);
    const newest = await newestRevisions(restored);
    for (const { principalId, revision } of acknowledged)
      assert.ok((newest.get(`identity.principal-main.${principalId}`) ?? -1) >= revision, `${principalId} is there`);
    assert.equal(await signInAs(septet.url, people[0]), 200);
    const get = (path: string): Promise<Response> => getAs(septet.url, people[0], path);
    await answered({ ...admin, get }, `/v1/principals/${acknowledged.at(-1)?.principalId}`);
    await workIsDone(runFileOf(restored));
  });

  it('accepts no token from before: what was revoked since the backup is not known', async () => {
    const refused = await admin.get('/v1/principals');
    assert.deepEqual([refused.status, (await jsonOf(refused)).code], [401, 'revoked']);
  });

  it('has the blobs, and opens what is personal of those who were not forgotten', async () => {
    const blobs = blobsIn(restored);
    assert.deepEqual([await storedText(blobs, 'small'), await storedText(blobs, 'large')], ['few bytes', large]);
    await blobs.close();
    const addresses = await addressesIn(restored);
    const personalAddresses = people.map(({ principalId }) => addresses.get(principalId));
    assert.deepEqual(personalAddresses, ['127.0.0.1', forgotten, forgotten]);
  });

  it('is never started on when it was restored by half', async () => {
    const half = join(home.path, 'half');
    mkdirSync(half);
    writeFileSync(join(half, 'restoring'), '');
    await assert.rejects(startSeptet(half, port), /was not restored to the end/);
  });
});
