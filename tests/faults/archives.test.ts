/**
 * A context that is not shipped uses what heavy services use, in a checkout and a system of its own: uploads from a browser, workers that run
 * programs in sandboxes, rows from blobs, searches of an index, a page that is loaded when it is opened.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@elastic/elasticsearch';
import { type Browser, chromium, type Page, type Route } from 'playwright-core';
import { axeViolationsOn } from '../browser/support/axe';
import { type Opened, openPage } from '../support/browser/browser-page';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { enterFirst, type FirstSignIn } from '../support/identity/first-sign-in';
import { contentOf, openTenant, type Tenant } from '../support/identity/tenant';
import { openSystem, type RunningSystem, type System, startSystem } from '../support/processes/running-system';
import { needs } from '../support/runner/prerequisites';
import { elasticsearchForTests, fromRunner, valkeyForTests } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';
import { makeCheckout } from './archives/checkout';
import { type Entries, tarball } from './archives/tarball';

const partSize = 5 * 1_024 * 1_024;
const documents = {
  'harbour/lighthouse.txt': 'The lighthouse is lit. The lighthouse keeper sleeps beside the lighthouse lamp.',
  'harbour/log.txt': 'Seven ships passed the lighthouse on a day of fog and rain, and none of them was late.',
  'harbour/menu.txt': 'Herring, bread, Crème brûlée.',
};

/** Large enough to be a file of its own in the object store. */
const largeText = 'wave '.repeat(100_000);

interface Found {
  readonly archiveId: string;
  readonly path: string;
  readonly score: number;
}
interface Archive {
  readonly archiveId: string;
  readonly name: string;
  readonly state: string;
  readonly documents: number;
  readonly reason: string | null;
}

describe('a context that uploads, extracts and searches', function () {
  this.timeout(180_000);
  const home = temporaryDirectory('archives');
  let browser: Browser;
  let running: RunningSystem;
  let system: System;
  let session: FirstSignIn['session'];
  let indexes: Client;
  let ours: Tenant;
  let theirs: Tenant;
  needs('chromium', 'tar');
  before(async () => {
    const checkout = join(home.path, 'checkout');
    makeCheckout(checkout);
    const [postgres, valkey, elasticsearch] = await Promise.all([
      fromRunner('postgres'),
      valkeyForTests(),
      elasticsearchForTests(),
    ]);
    running = await startSystem(home.path, {
      postgres,
      valkey: valkey.url,
      elasticsearch: elasticsearch.url,
      checkout,
    });
    system = openSystem(running.address);
    indexes = new Client({ node: elasticsearch.url });
    browser = await chromium.connect(await fromRunner('browser'));
    ({ session } = await enterFirst(browser, { ...running.address, ...running }));
    const moreScopes = ['archives:read', 'archives:write'];
    [ours, theirs] = await Promise.all([openTenant(system, { moreScopes }), openTenant(system, { moreScopes })]);
  });
  after(async () => {
    await browser.close();
    await indexes.close();
    await system.close();
    await running.stop();
    home.remove();
  });

  const opened: Opened[] = [];
  const open = async (path: string): Promise<Page> => {
    const page = await openPage(browser, system.url, { session });
    opened.push(page);
    await page.page.goto(path);
    return page.page;
  };
  afterEach(async () => {
    const done = opened.splice(0);
    await Promise.all(done.map(({ close }) => close()));
    for (const { errors } of done) assert.deepEqual(errors, []);
  });

  let uploads = 0;
  /** As a program does: without a browser. */
  const upload = async ({ send }: Tenant, name: string, bytes: Buffer): Promise<string> => {
    // Files of the same name, size and time are one archive.
    uploads += 1;
    const made = send('POST', '/v1/archives', { name, size: bytes.length, lastModified: uploads });
    const { archiveId } = await contentOf<{ readonly archiveId: string }>(made);
    await contentOf(send('POST', `/v1/archives/${archiveId}/uploads`, {}));
    const parts: { part: number; etag: string | null }[] = [];
    for (let part = 1; (part - 1) * partSize < bytes.length; part += 1) {
      const body = bytes.subarray((part - 1) * partSize, part * partSize);
      const { url, headers } = await contentOf<{ readonly url: string; readonly headers: Record<string, string> }>(
        send('POST', `/v1/archives/${archiveId}/parts`, { part, size: body.length }),
      );
      const stored = await fetch(url, { method: 'PUT', headers, body });
      assert.equal(stored.status, 200);
      parts.push({ part, etag: stored.headers.get('etag') });
    }
    await contentOf(send('POST', `/v1/archives/${archiveId}/complete`, { parts }));
    return archiveId;
  };
  const archiveOf = async ({ read }: Tenant, archiveId: string): Promise<Archive | undefined> => {
    const { items } = await contentOf<{ readonly items: readonly Archive[] }>(read('/v1/archives'));
    return items.find((one) => one.archiveId === archiveId);
  };
  const extracted = async (tenant: Tenant, entries: Entries, name = 'harbour.tgz'): Promise<Archive> => {
    const archiveId = await upload(tenant, name, tarball(entries));
    return ended(tenant, archiveId);
  };
  const ended = async (tenant: Tenant, archiveId: string): Promise<Archive> => {
    let archive: Archive | undefined;
    await eventually(async () => {
      archive = await archiveOf(tenant, archiveId);
      assert.ok(archive?.state === 'extracted' || archive?.state === 'refused', archive?.state);
    });
    return archive as Archive;
  };
  const search = ({ read }: Tenant, q: string): Promise<Response> =>
    read(`/v1/archives/search?q=${encodeURIComponent(q)}`);
  const found = async (tenant: Tenant, q: string): Promise<readonly Found[]> =>
    (await contentOf<{ readonly items: readonly Found[] }>(search(tenant, q))).items;
  const pathsOf = (hits: readonly Found[]): readonly string[] => hits.map(({ path }) => path);
  const untilFound = (tenant: Tenant, q: string, paths: readonly string[]): Promise<void> =>
    eventually(async () => assert.deepEqual(pathsOf(await found(tenant, q)), paths));
  const indexOfDocuments = async (): Promise<string> => {
    const [name] = Object.keys(
      await indexes.indices.get({ index: `${running.address.indexPrefix}archives_documents*` }),
    );
    assert.ok(name !== undefined);
    return name;
  };

  it('takes an upload from a page, continues it after a reload, and finds its documents by score', async () => {
    const page = await open('/console/views');
    await page.getByRole('heading', { level: 1, name: 'Views' }).waitFor();
    const scripts = (): Promise<readonly string[]> =>
      page.evaluate(
        "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))",
      );
    const before = await scripts();
    await page.getByRole('link', { name: 'Archives', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Archives' }).waitFor();
    const after = await scripts();
    assert.ok(after.filter((name) => !before.includes(name)).length > 0, `its script comes with it: ${after.join()}`);

    const buffer = tarball({ documents: { ...documents, 'noise.bin': randomBytes(2 * partSize) } });
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()));
    const held: Route[] = [];
    await page.route(/\/blobs\//, async (route) => {
      if ((route.request().postDataBuffer()?.length ?? partSize) < partSize) held.push(route);
      else await route.continue();
    });
    const file = join(home.path, 'harbour.tgz');
    writeFileSync(file, buffer);
    const choose = () => page.getByLabel('Archive', { exact: true }).setInputFiles(file);
    await choose();
    const bar = page.getByRole('progressbar', { name: 'harbour.tgz' });
    await eventually(async () => assert.equal(await bar.getAttribute('value'), String(2 * partSize)));
    assert.equal(await bar.getAttribute('max'), String(buffer.length));
    await page.reload();
    // Only now: without routes the browser sends what was held.
    await page.unroute(/\/blobs\//);
    await page.getByText(/harbour.tgz .* is not uploaded completely/).waitFor();
    sent.splice(0);
    await choose();
    await page.getByRole('cell', { name: 'extracted' }).waitFor();
    assert.equal(sent.length, 1, 'what was stored is not sent again');

    await page.getByLabel('Words').fill('lighthouse');
    await page.getByRole('rowheader', { name: /harbour\/lighthouse\.txt/ }).waitFor();
    const rows = page.getByRole('table', { name: 'Documents' }).getByRole('row');
    const texts = (await rows.allTextContents()).slice(1);
    assert.equal(texts.length, 2);
    assert.match(texts[0] ?? '', /harbour\/lighthouse\.txt.*\d\.\d\d$/);
    assert.match(texts[1] ?? '', /harbour\/log\.txt.*\d\.\d\d$/);
    assert.deepEqual(await axeViolationsOn(page, { content: rows.first() }), []);
    // Without its accents.
    await page.getByLabel('Words').fill('creme brulee');
    await page.getByRole('rowheader', { name: /harbour\/menu\.txt/ }).waitFor();

    await page.goto('/console/jobs');
    await page
      .getByRole('link', { name: /^archives-extraction / })
      .first()
      .waitFor();
  });

  it('extracts hostile archives in the sandbox: nothing of the machine comes out', async () => {
    const secret = join(home.path, 'secret.txt');
    writeFileSync(secret, 'nightingale', { mode: 0o644 });
    const linked = await extracted(ours, {
      documents: { 'kept.txt': 'albatross' },
      links: { 'secret.txt': secret, 'passwd.txt': '/etc/passwd', root: '/' },
    });
    assert.deepEqual([linked.state, linked.documents], ['extracted', 1]);
    await untilFound(ours, 'albatross', ['kept.txt']);
    assert.deepEqual(await found(ours, 'nightingale root'), []);
    const bomb = await extracted(ours, { documents: { 'zeros.txt': Buffer.alloc(200 * 2 ** 20) } }, 'bomb.tgz');
    assert.deepEqual([bomb.state, bomb.reason], ['refused', 'It needs more than is allowed: disk.']);
    const noise = await ended(ours, await upload(ours, 'noise.tgz', randomBytes(1_000)));
    assert.deepEqual([noise.state, noise.reason], ['refused', 'It is no archive.']);
  });

  it('shows another tenant nothing, on any path', async () => {
    const { archiveId } = await extracted(ours, { documents: { 'ours.txt': 'kingfisher' } });
    await untilFound(ours, 'kingfisher', ['ours.txt']);
    assert.deepEqual(await found(theirs, 'kingfisher'), []);
    assert.deepEqual(await contentOf(theirs.read('/v1/archives')), { items: [], next_cursor: null });
    const refused = await Promise.all([
      theirs.send('POST', `/v1/archives/${archiveId}/parts`, { part: 1, size: 1 }),
      theirs.send('POST', `/v1/archives/${archiveId}/complete`, { parts: [] }),
      theirs.read(`/blobs/archives/${ours.tenantId}/${archiveId}/upload`),
    ]);
    assert.deepEqual(
      refused.map(({ status }) => status >= 403 && status <= 404),
      [true, true, true],
    );
    const jobs = await contentOf<{ readonly items: readonly { readonly queue: string }[] }>(
      theirs.read('/v1/platform/work/jobs'),
    );
    assert.deepEqual(jobs.items, []);
    // An upload that they begin under our id is theirs alone.
    await contentOf(theirs.send('POST', `/v1/archives/${archiveId}/uploads`, {}));
    assert.equal((await archiveOf(ours, archiveId))?.state, 'extracted');
  });

  it('performs a job again whose worker was killed', async () => {
    const archiveId = await upload(ours, 'killed.tgz', tarball({ documents: { 'killed.txt': 'cormorant' } }));
    running.kill('workers');
    assert.equal((await ended(ours, archiveId)).state, 'extracted');
    await untilFound(ours, 'cormorant', ['killed.txt']);
  });

  it('searches nothing while its index is lost, and the same when it is built again of the blobs', async () => {
    await extracted(ours, { documents: { 'lost.txt': 'guillemot' } });
    await untilFound(ours, 'guillemot', ['lost.txt']);
    await indexes.indices.delete({ index: await indexOfDocuments() });
    const statuses = new Set<number>();
    await eventually(async () => {
      const answer = await search(ours, 'guillemot');
      statuses.add(answer.status);
      if (answer.status === 200)
        assert.deepEqual(pathsOf(((await answer.json()) as { items: Found[] }).items), ['lost.txt']);
      assert.equal(answer.status, 200);
    });
    assert.deepEqual([...statuses], [503, 200]);
  });

  it('makes no rows of content that was altered', async () => {
    const { archiveId } = await extracted(ours, { documents: { 'true.txt': `razorbill ${largeText}` } });
    await untilFound(ours, 'razorbill', ['true.txt']);
    const blobs = join(running.address.data, 'blobs', 'content');
    const path = readdirSync(blobs, { recursive: true, encoding: 'utf8' })
      .map((name) => join(blobs, name))
      .find((name) => contains(name, 'razorbill'));
    assert.ok(path !== undefined, archiveId);
    const content = readFileSync(path);
    writeFileSync(path, content.toString('utf8').replace('razorbill', 'rattlebill'));
    await indexes.indices.delete({ index: await indexOfDocuments() });
    await eventually(async () => {
      const { items } = await contentOf<{
        readonly items: readonly { readonly name: string; readonly detail?: string | null }[];
      }>(operator('/v1/platform/views'));
      assert.match(JSON.stringify(items.find(({ name }) => name === 'archives_documents')), /stopped/);
    });
    assert.equal((await search(ours, 'rattlebill')).status, 503);
    writeFileSync(path, content);
    await untilFound(ours, 'razorbill', ['true.txt']);
  });

  const contains = (path: string, text: string): boolean => {
    try {
      return readFileSync(path).includes(text);
    } catch {
      return false;
    }
  };
  const operator = (path: string): Promise<Response> =>
    fetch(`${system.url}${path}`, {
      headers: {
        cookie: session.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
        'septet-console': '1',
      },
    });
});
