/**
 * Files that are deleted while workers are killed within each step, and all processes and stores of a whole system at any moment: each ends as deleted,
 * and no store and no log has anything of its text or name.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deletionSteps } from '../../domain/files/deletion/events';
import { freePort } from '../../infra/operate/launch/free-port';
import type { StoredEvent } from '../../infra/ports/event-store';
import { send } from '../../packages/data-directory/src/process-identity';
import { countDocuments, findInStores, type SearchedSystem } from '../support/files/store-search';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { uploadFile } from '../support/files/upload-file';
import { contentOf, openTenant, type Tenant } from '../support/identity/tenant';
import { type Launched, launch, linkTools } from '../support/processes/launcher';
import { openSystem, type System } from '../support/processes/running-system';
import { eventually } from '../support/waiting/eventually';

/** In the order in which they are killed; workers before and after each other, for they delete. */
const victims: readonly RegExp[] = [
  /commands\/workers\.main/,
  /adapters\/blobs\/main/,
  /commands\/workers\.main/,
  /LocalElasticsearch/,
  /commands\/workers\.main/,
  /projections\/projector\.main/,
  /commands\/workers\.main/,
  /eventstore-node\/src\/cli\/main/,
  /commands\/workers\.main/,
  /\/postgres -D/,
  /commands\/workers\.main/,
  /commands\/processes\.main/,
];

const words = ['Quibberwoldia', 'Vrothimblex', 'Zandicootle', 'Perquillowan', 'Ombletricet', 'Thornwhistlan'];

/** The event that each step follows: after it, the worker performs the step. */
const beginsAfter = (step: string, event: StoredEvent): boolean => {
  if (step === 'processing') return event.type.startsWith('files.DeletionBegun.');
  const before = deletionSteps[(deletionSteps as readonly string[]).indexOf(step) - 1];
  return isCompletion(event, before);
};
const isCompletion = ({ type, data }: StoredEvent, step: string | undefined): boolean =>
  type.startsWith('files.DeletionStepCompleted.') && (data as { readonly step: string }).step === step;

interface Deletion {
  readonly status: string;
  readonly steps: readonly { readonly name: string; readonly status: string; readonly left: number | null }[];
}

describe('files that are deleted while processes are killed', function () {
  this.timeout(600_000);
  const home = temporaryDirectory('file-deletion');
  const data = join(home.path, 'data');
  let septet: Launched;
  let system: System;
  let tenant: Tenant;
  let searched: SearchedSystem;

  before(async () => {
    linkTools(data);
    septet = await launch({
      directory: process.cwd(),
      arguments: ['--data', data, '--port', String(await freePort()), '--processes'],
      env: { EMBEDDINGS: 'hashed' },
    });
    const stores = JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as {
      readonly POSTGRES_URL: string;
      readonly ELASTICSEARCH_URL: string;
    };
    searched = { data, indexPrefix: '', elasticsearchUrl: stores.ELASTICSEARCH_URL };
    system = openSystem({ url: septet.url, data, postgresUrl: stores.POSTGRES_URL, indexPrefix: '' });
    tenant = await openTenant(system);
  });
  after(async () => {
    await system.close();
    await septet.stop();
    home.remove();
  });

  const read = async <Content>(path: string): Promise<Content> =>
    contentOf<Content>(tenant.read(path, { token: await tenant.freshToken() }));

  const killInTurn = async (over: AbortSignal): Promise<number> => {
    let killed = 0;
    for (const victim of victims) {
      if (over.aborted) break;
      const pid = septet.processes().find(({ command }) => victim.test(command) && !command.includes('watchdog'))?.pid;
      if (pid !== undefined) {
        send(pid, 'SIGKILL');
        killed += 1;
      }
      await sleep(1_500);
    }
    return killed;
  };

  const upload = (word: string) =>
    uploadFile(tenant, {
      filename: `${word} plan.txt`,
      mimeType: 'text/plain',
      content: Buffer.from(`The garden of ${word} has three gates.\n`),
    });
  const untilReady = (fileId: string) =>
    eventually(async () =>
      assert.equal((await read<{ readonly status: string }>(`/v1/files/${fileId}/status`)).status, 'READY'),
    );
  const remove = (fileId: string) =>
    eventually(async () => contentOf(tenant.send('DELETE', `/v1/files/${fileId}`, {}, await tenant.freshToken())));
  const untilDeleted = async (fileId: string, word: string): Promise<void> => {
    await eventually(async () => {
      const deletion = await read<Deletion>(`/v1/files/${fileId}/deletion`);
      assert.equal(deletion.status, 'DELETED', JSON.stringify(deletion));
      assert.deepEqual(
        deletion.steps.map(({ name, status, left }) => [name, status, left]),
        deletionSteps.map((step) => [step, 'DONE', 0]),
      );
    });
    await eventually(async () => assert.deepEqual(await findInStores(system, searched, word), []));
    const indexed = { url: searched.elasticsearchUrl, prefix: '' };
    assert.equal(await countDocuments(indexed, { term: { fileId } }), 0);
  };

  const workerPid = (): number | undefined =>
    septet.processes().find(({ command }) => /commands\/workers\.main/.test(command) && !command.includes('watchdog'))
      ?.pid;

  /** Pauses the worker when the step has begun, and kills it where it did not complete the step before it stood still. */
  const killWithin = async (step: string, fileId: string): Promise<boolean> => {
    const eventsOf = async (after: bigint | null) =>
      (await system.eventsAfter(after)).filter(
        ({ stream }) => stream.startsWith('files.deletion-') && stream.endsWith(`.${fileId}`),
      );
    const head = await system.head();
    const pid = workerPid() as number;
    await remove(fileId);
    while (!(await eventsOf(head)).some((event) => beginsAfter(step, event)));
    send(pid, 'SIGSTOP');
    // What it had sent before is written by then.
    await sleep(300);
    const isWithin = !(await eventsOf(head)).some((event) => isCompletion(event, step));
    send(pid, isWithin ? 'SIGKILL' : 'SIGCONT');
    return isWithin;
  };

  for (const step of deletionSteps)
    it(`whose worker is killed within the step ${step} end as deleted, and are in no store`, async () => {
      for (let number = 1; ; number += 1) {
        const word = `${step}quibbers${number}`;
        const { fileId } = await upload(word);
        await untilReady(fileId);
        assert.ok(
          (await findInStores(system, searched, word)).length > 0,
          'the search of the stores finds what is there',
        );
        const isInterrupted = await killWithin(step, fileId);
        await untilDeleted(fileId, word);
        if (isInterrupted) return;
      }
    });

  it('end as deleted, and are in no store, while everything is killed', async () => {
    const files = await Promise.all(words.map(async (word) => ({ word, ...(await upload(word)) })));
    for (const { fileId } of files) await untilReady(fileId);
    const over = new AbortController();
    const killing = killInTurn(over.signal);
    for (const { fileId } of files) {
      await remove(fileId);
      await sleep(1_000);
    }
    assert.ok((await killing) >= 10);
    for (const { fileId, word } of files) await untilDeleted(fileId, word);
    over.abort();
  });
});
