/**
 * Files of every format while every process and store of a whole system is killed, and workers and stores are frozen past their claims: each file
 * ends as it does where nothing is disturbed, with the same passages in the index, and none stands still without a reason.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as IndexClient } from '@elastic/elasticsearch';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { openTenant, type Tenant } from '../support/identity/tenant';
import { type DisturbedSystem, launchDisturbed, patiently } from '../support/processes/disturbed-system';
import { eventually } from '../support/waiting/eventually';

const samples = join('tests', 'packages', 'file-readers', 'files');

const mediaTypes: { readonly [folder: string]: string } = {
  code: 'text/plain',
  csv: 'text/csv',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  html: 'text/html',
  markdown: 'text/markdown',
  pdf: 'application/pdf',
  pictures: 'image/png',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  text: 'text/plain',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};
const count = 50;

interface Sample {
  readonly filename: string;
  readonly mimeType: string;
  readonly content: Buffer;
}

/** Files of each format in turn, small ones, so that a slow page does not hide what the kills do. */
const sampleFiles = (): readonly Sample[] => {
  const folders = Object.entries(mediaTypes).map(([folder, mimeType]) =>
    readdirSync(join(samples, folder))
      .filter((name) => !name.endsWith('.json') && !name.endsWith('.md'))
      .map((filename) => ({ filename, mimeType, content: readFileSync(join(samples, folder, filename)) }))
      .filter(({ content }) => content.length > 0 && content.length < 120_000),
  );
  const longest = Math.max(...folders.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => folders.flatMap((files) => files[at] ?? []))
    .flat()
    .slice(0, count);
};

const victims: readonly RegExp[] = [
  /commands\/workers\.main/,
  /adapters\/blobs\/main/,
  /commands\/workers\.main/,
  /LocalElasticsearch/,
  /eventstore-node\/src\/cli\/main/,
  /commands\/workers\.main/,
  /projections\/projector\.main/,
  /\/postgres -D/,
  /commands\/processes\.main/,
  /valkey-server|redis-server/,
  /commands\/workers\.main/,
  /read-api\/query-api\.main/,
  /commands\/command-api\.main/,
  /gateway\/main/,
  /commands\/workers\.main/,
];

const frozen: readonly RegExp[] = [
  /commands\/workers\.main/,
  /adapters\/blobs\/main/,
  /LocalElasticsearch/,
  /\/postgres -D/,
];

interface Stage {
  readonly name: string;
  readonly status: string;
  readonly reason: string | null;
  readonly progressPercent?: number;
}
interface Processing {
  readonly status: string;
  readonly errorCode: string | null;
  readonly stages: readonly Stage[];
}

const ended = ['READY', 'FAILED'];

describe('files while everything is killed', function () {
  this.timeout(1_400_000);
  const home = temporaryDirectory('file-ingestion');
  const files = sampleFiles();
  let septet: DisturbedSystem;
  let index: IndexClient;
  let [undisturbed, disturbed]: readonly Tenant[] = [];

  before(async () => {
    septet = await launchDisturbed(home.path);
    index = new IndexClient({ node: septet.stores.ELASTICSEARCH_URL });
    [undisturbed, disturbed] = [await openTenant(septet.system), await openTenant(septet.system)];
  });
  after(async () => {
    await index.close();
    await septet.close();
    home.remove();
  });

  const upload = async (tenant: Tenant, { content, ...file }: Sample): Promise<string> => {
    const session = await septet.call<{
      readonly fileId: string;
      readonly versionId: string;
      readonly uploadUrl: string;
      readonly uploadHeaders: Readonly<Record<string, string>>;
    }>(tenant, 'POST', '/v1/files/upload-sessions', { ...file, sizeBytes: content.length });
    const { fileId, versionId, uploadUrl, uploadHeaders } = session;
    // A repeated PUT of what is stored is refused, which is as good as stored.
    await patiently(async () => {
      const stored = await fetch(uploadUrl, { method: 'PUT', headers: uploadHeaders, body: content });
      return stored.status === 412 ? new Response(null, { status: 200 }) : stored;
    });
    const checksumSha256 = createHash('sha256').update(content).digest('hex');
    await septet.call(tenant, 'POST', `/v1/files/${fileId}/versions/${versionId}/complete`, { checksumSha256 });
    return fileId;
  };

  const uploadAll = async (tenant: Tenant): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (let from = 0; from < files.length; from += 5)
      ids.push(...(await Promise.all(files.slice(from, from + 5).map((file) => upload(tenant, file)))));
    return ids;
  };

  const statusOf = (tenant: Tenant, fileId: string): Promise<Processing> =>
    septet.call<Processing>(tenant, 'GET', `/v1/files/${fileId}/status`);

  const longestStandstill = 120_000;

  /** Fails when a file neither ends nor moves for two minutes, or waits without a reason. */
  const untilEnded = async (tenant: Tenant, ids: readonly string[]): Promise<readonly Processing[]> => {
    let [before, since] = ['', Date.now()];
    for (;;) {
      const all = await Promise.all(ids.map((id) => statusOf(tenant, id)));
      if (all.every(({ status }) => ended.includes(status))) return all;
      const now = JSON.stringify(all);
      if (now !== before) [before, since] = [now, Date.now()];
      const waiting = all.filter(({ status }) => !ended.includes(status));
      assert.ok(Date.now() - since < longestStandstill, JSON.stringify(waiting.slice(0, 3)));
      await sleep(1_000);
    }
  };

  interface Passage {
    readonly fileId: string;
    readonly versionId: string;
    readonly ordinal: number;
    readonly content: string;
    readonly anchor: unknown;
    readonly modality: string;
    readonly embeddingModel: string | null;
    readonly embedding: readonly number[] | null;
  }

  /** By file name and place, so that two tenants are compared. Statuses are the log's: the index may be behind, and have no vectors yet. */
  const passagesOf = async (tenant: Tenant, ids: readonly string[]): Promise<readonly string[]> => {
    await index.indices.refresh({ index: 'files_chunks' });
    const passages: Passage[] = [];
    for (;;) {
      const last = passages.length === 0 ? undefined : [passages.at(-1)?.fileId ?? '', passages.at(-1)?.ordinal ?? 0];
      const { hits } = await index.search<Passage>({
        index: 'files_chunks',
        size: 1_000,
        query: { term: { tenantId: tenant.tenantId } },
        sort: [{ fileId: 'asc' }, { ordinal: 'asc' }],
        ...(last === undefined ? {} : { search_after: last }),
      });
      passages.push(...hits.hits.flatMap(({ _source }) => (_source === undefined ? [] : [_source])));
      if (hits.hits.length < 1_000) break;
    }
    assert.deepEqual(passages.filter(({ embedding }) => embedding === null).slice(0, 3), []);
    return passages
      .map(({ fileId, ordinal, content, anchor, modality, embeddingModel, embedding }) =>
        JSON.stringify([
          files[ids.indexOf(fileId)]?.filename,
          ordinal,
          modality,
          content,
          anchor,
          embeddingModel,
          embedding,
        ]),
      )
      .toSorted();
  };

  let expected: { readonly statuses: readonly string[]; readonly passages: readonly string[] };
  const endOf = (all: readonly Processing[]) =>
    all.map(({ status, errorCode, stages }, at) =>
      JSON.stringify([files[at]?.filename, status, errorCode, stages.map(({ name, status: end }) => [name, end])]),
    );

  it('end with passages of every format while nothing is disturbed', async () => {
    const tenant = undisturbed as Tenant;
    const ids = await uploadAll(tenant);
    const all = await untilEnded(tenant, ids);
    await eventually(async () => {
      expected = { statuses: endOf(all), passages: await passagesOf(tenant, ids) };
    });
    assert.ok(all.filter(({ status }) => status === 'READY').length > 0.8 * count, expected.statuses.join('\n'));
    assert.ok(expected.passages.length > 2 * count);
  });

  it('end in the same way, with the same passages, each once, while all are killed and frozen', async () => {
    const tenant = disturbed as Tenant;
    const disturbing = septet.disturb({ killed: victims, frozen, pauseMilliseconds: 2_500 });
    const ids = await uploadAll(tenant);
    await disturbing;
    const all = await untilEnded(tenant, ids);
    assert.deepEqual(endOf(all), expected.statuses);
    const known = new Set(expected.passages);
    await eventually(async () => {
      const passages = await passagesOf(tenant, ids);
      assert.deepEqual(passages.filter((one) => !known.has(one)).slice(0, 3), []);
      assert.equal(passages.length, expected.passages.length);
    });
  });
});
