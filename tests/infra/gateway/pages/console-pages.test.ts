import assert from 'node:assert/strict';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { isRight } from 'fp-ts/Either';
import { loadBundle } from '../../../../infra/gateway/console-assets/load-bundle';
import { createPolicyLookup, declaredPolicies } from '../../../../infra/gateway/console-assets/page-policy';
import {
  type AssetResponse,
  type ConsoleAssets,
  createConsoleAssets,
} from '../../../../infra/gateway/console-assets/static-server';
import { matched } from '../../../../read-api/web/kernel/path-pattern';

const loaded = loadBundle();
assert.ok(isRight(loaded));
const bundle = loaded.right;

describe("the console's pages", () => {
  const serve: ConsoleAssets = createConsoleAssets(bundle);
  const load = async (path: string, accepts = '', ifNoneMatch?: string): Promise<AssetResponse> => {
    const answer = await serve({ path, accepts, ifNoneMatch });
    assert.ok(answer, path);
    return answer;
  };
  const html = async (): Promise<string> => String((await load('/console/')).content);

  it('are one document, whatever the path below', async () => {
    const [first, second] = [await load('/console'), await load('/console/streams/a%2Fb/3')];
    assert.deepEqual(first, second);
    assert.equal((await load('/')).headers.Location, '/console/session/begin', 'who has no session signs in');
    const within = await serve({ path: '/', accepts: '', ifNoneMatch: undefined, hasSession: true });
    assert.equal(within?.headers.Location, '/console/');
    for (const path of [
      '/consoles',
      '/docs',
      '/console/assets/',
      '/console/assets/../main.tsx',
      '/console/assets/x.js',
    ])
      assert.equal(await serve({ path, accepts: '', ifNoneMatch: undefined }), undefined, path);
  });

  it('hold nothing inline and nothing from elsewhere, and the policy allows neither', async () => {
    const { headers } = await load('/console/');
    const content = await html();
    assert.doesNotMatch(content, /<style|style=|<script(?![^>]*src=)|https?:/);
    const policy = headers['Content-Security-Policy'] ?? '';
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"])
      assert.ok(policy.includes(rule), rule);
  });

  it('get the additions that they declare, and no others', async () => {
    const policies = [
      { path: '/console/media/new', policy: {} },
      { path: '/console/media/:id', policy: { blobImages: true, workers: 'blob' } },
      { path: '/console/import', policy: { objectStore: true } },
      { path: '/console/compute', policy: { webAssembly: true, workers: 'own' } },
      { path: '/console/play', policy: { blobMedia: true } },
    ] as const;
    const origins = 'https://blobs.example https://edge.example';
    const pages = createConsoleAssets({ ...bundle, begin: { ...bundle.begin, policies } }, origins);
    const policyAt = async (path: string): Promise<readonly string[]> => {
      const page = await pages({ path, accepts: '', ifNoneMatch: undefined });
      return (page?.headers['Content-Security-Policy'] ?? '').split('; ');
    };
    const usual = await policyAt('/console/streams');
    assert.doesNotMatch(usual.join(), /blob|wasm|https:/);
    assert.ok(usual.includes("worker-src 'none'") && usual.includes("trusted-types 'none'"));
    const added = async (path: string) => (await policyAt(path)).filter((rule) => !usual.includes(rule));
    assert.deepEqual(await added('/console/media/new'), []);
    assert.deepEqual(await added('/console/media/m-1/'), [
      "img-src 'self' data: blob:",
      "worker-src 'self' blob:",
      'trusted-types septet-worker',
    ]);
    assert.deepEqual(await added('/console/import'), [
      `img-src 'self' data: ${origins}`,
      `media-src 'self' ${origins}`,
      `connect-src 'self' ${origins}`,
    ]);
    assert.deepEqual(await added('/console/compute'), [
      "script-src 'self' 'wasm-unsafe-eval'",
      "worker-src 'self'",
      'trusted-types septet-worker',
    ]);
    assert.deepEqual(await added('/console/play'), ["media-src 'self' blob:"]);
    const etags = ['/console/play', '/console/import', '/console/import/more', '/console'].map(
      async (path) => (await pages({ path, accepts: '', ifNoneMatch: undefined }))?.headers.ETag,
    );
    assert.equal(new Set(await Promise.all(etags)).size, 3);
  });

  it('declare known additions only', () => {
    const policy = { blobImages: true, scripts: 'https://elsewhere.example' };
    assert.throws(() => declaredPolicies([{ path: '/console/x', policy }]), /\/console\/x declares the policy scripts/);
    assert.throws(() => declaredPolicies([{ path: '/console/x', policy: { workers: '*' } }]), /workers as "\*"/);
  });

  it('have the policy of the page that the router shows', () => {
    const part = fc.constantFrom('a', 'b', ':id', '');
    const pattern = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => `/console/${parts.join('/')}`);
    const given = fc
      .array(fc.constantFrom('a', 'b', '%61', 'x', '', '%', ':id'), { maxLength: 4 })
      .map((parts) => `/console/${parts.join('/')}`);
    fc.assert(
      fc.property(fc.array(pattern, { maxLength: 4 }), given, (patterns, path) => {
        const lookup = createPolicyLookup(
          patterns.map((one, index) => ({ path: one, policy: { blobMedia: index } as never })),
        );
        const matchedIndex = patterns.findIndex((one) => matched(one, path) !== undefined);
        assert.deepEqual(lookup(path), matchedIndex < 0 ? {} : { blobMedia: matchedIndex });
      }),
    );
  });

  it('name only what is there, kept for ever under names made of its content', async () => {
    const named = [...(await html()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
    assert.ok(named.length >= 6);
    for (const path of named) {
      const { status, headers } = await load(path);
      assert.equal(status, 200);
      assert.match(headers['Cache-Control'] ?? '', /max-age=31536000, immutable/);
      assert.match(path, /-[A-Z0-9]{8}\.[a-z0-9]+$/);
    }
  });

  it('are revalidated with a 304', async () => {
    const { headers } = await load('/console/');
    assert.equal(headers['Cache-Control'], 'no-cache');
    assert.equal((await load('/console/', '', headers.ETag)).status, 304);
    assert.equal((await load('/console/', '', '"other"')).status, 200);
  });

  it('come compressed as the browser understands', async () => {
    const path = `/console/assets/${bundle.begin.script}`;
    const plain = (await load(path)).content as Buffer;
    const brotli = await load(path, 'gzip, deflate, br');
    const gzip = await load(path, 'gzip;q=0.8');
    assert.deepEqual([brotli.headers['Content-Encoding'], gzip.headers['Content-Encoding']], ['br', 'gzip']);
    assert.ok(brotliDecompressSync(brotli.content as Buffer).equals(plain));
    assert.ok(gunzipSync(gzip.content as Buffer).equals(plain));
    const font = await load(`/console/assets/${bundle.begin.fonts[0]}`, 'br');
    assert.equal(font.headers['Content-Encoding'], undefined);
  });

  it('are small: what is sent before anything is shown', async () => {
    const { theme, watch, ...main } = bundle.begin;
    const sizeOf = async (name: string): Promise<number> =>
      ((await load(`/console/assets/${name}`, 'br')).content as Buffer).length;
    const weigh = async ({ script, imports, style }: typeof watch): Promise<number> =>
      (await Promise.all([script, ...imports, style, theme].map(sizeOf))).reduce((sum, size) => sum + size, 0);
    const [console, shared] = [await weigh(main), await weigh(watch)];
    assert.ok(console < 80_000, String(console));
    assert.ok(shared < 32_000, String(shared));
  });
});

describe('the page of shared videos', () => {
  const serve = createConsoleAssets(bundle);
  const load = async (path: string) => {
    const answer = await serve({ path, accepts: '', ifNoneMatch: undefined });
    assert.ok(answer, path);
    return answer;
  };

  it('is one document for all videos, with the policy of the console’s player', async () => {
    const page = await load('/watch/acme/v-1');
    assert.deepEqual(await load('/watch/other/v-2'), page);
    assert.equal(await serve({ path: '/watches', accepts: '', ifNoneMatch: undefined }), undefined);
    const player = await load('/console/videos/v-1/watch');
    assert.equal(page.headers['Content-Security-Policy'], player.headers['Content-Security-Policy']);
    assert.doesNotMatch(String(page.content), /<style|style=|<script(?![^>]*src=)|https?:/);
  });

  it('loads nothing of the console’s own script', async () => {
    const { content } = await load('/watch/acme/v-1');
    const { script, imports } = bundle.begin;
    for (const name of [script, ...imports.filter((one) => !bundle.begin.watch.imports.includes(one))])
      assert.ok(!String(content).includes(name), name);
    const { content: text } = await load(`/console/assets/${bundle.begin.watch.script}`);
    assert.doesNotMatch(String(text), /getSession|\/console\/session(?!\/begin)/);
  });
});
