/** Serves the console page for every path under `/console`, the page of shared videos under `/watch`, and their immutable assets. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { beginConsolePath } from '../../server/http/identity/console-paths';
import { noneMatches } from '../../server/http/routing/etag';
import type { Asset, Bundle, EntryFiles } from './bundle';
import { renderPage } from './console-page';
import { consolePolicy, createPolicyLookup, workerPolicy } from './page-policy';

export interface AssetResponse {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly content?: Buffer | string;
}

export interface AssetRequest {
  readonly path: string;
  readonly accepts: string;
  readonly ifNoneMatch: string | undefined;
  /** The browser has a session of the console; others begin one, by signing in. */
  readonly hasSession?: boolean;
}

/** Undefined: not a path of the console. */
export type ConsoleAssets = (request: AssetRequest) => Promise<AssetResponse | undefined>;

const contentTypes: { readonly [extension: string]: string } = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  wasm: 'application/wasm',
  woff2: 'font/woff2',
};

const compressions = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const;
type Encoding = keyof typeof compressions;

const encodingFor = (accepts: string): Encoding | undefined => {
  const offered = accepts.split(',').map((item) => item.trim().toLowerCase());
  return (['br', 'gzip'] as const).find((encoding) => offered.some((item) => item.split(';')[0] === encoding));
};

const extensionOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** Compresses each file once, at its first request. */
const compressor = () => {
  const made = new Map<string, Promise<Buffer>>();
  return ({ name, content }: Asset, encoding: Encoding): Promise<Buffer> => {
    const key = `${encoding} ${name}`;
    const known = made.get(key) ?? compressions[encoding](content);
    made.set(key, known);
    return known;
  };
};

/** A worker has the policy of its own script, not of the page that starts it. */
const policyOfAsset = (name: string, contentOrigins: string | undefined): AssetResponse['headers'] =>
  name.includes('.worker-') ? { 'Content-Security-Policy': workerPolicy(contentOrigins) } : {};

const serveAssets = (assets: readonly Asset[], contentOrigins: string | undefined) => {
  const byName = new Map(assets.map((asset) => [asset.name, asset]));
  const compressed = compressor();
  return async (name: string, accepts: string): Promise<AssetResponse | undefined> => {
    const asset = byName.get(name);
    if (asset === undefined) return undefined;
    const extension = extensionOf(name);
    const headers = {
      'Content-Type': contentTypes[extension] ?? 'application/octet-stream',
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...policyOfAsset(name, contentOrigins),
    };
    // woff2 is compressed already.
    const encoding = extension === 'woff2' ? undefined : encodingFor(accepts);
    if (encoding === undefined) return { status: 200, headers, content: asset.content };
    const content = await compressed(asset, encoding);
    return { status: 200, headers: { ...headers, 'Content-Encoding': encoding }, content };
  };
};

/** Documents differ by their policy, so that a cached one is not used with the policy of another version. */
const documentOf = (content: string, policy: string) => {
  const etag = `"${createHash('sha256').update(content).update(policy).digest('base64url').slice(0, 22)}"`;
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'no-cache',
    ETag: etag,
  };
  return (ifNoneMatch: string | undefined): AssetResponse =>
    noneMatches(ifNoneMatch, etag) ? { status: 200, headers, content } : { status: 304, headers };
};

const servePage = (begin: EntryFiles, contentOrigins: string | undefined) => {
  const content = renderPage(begin, { document: 'console', hasStoreElsewhere: contentOrigins !== undefined });
  const policyAt = createPolicyLookup(begin.policies);
  const documents = new Map<string, ReturnType<typeof documentOf>>();
  return (path: string, ifNoneMatch: string | undefined): AssetResponse => {
    const policy = consolePolicy(policyAt(path), contentOrigins);
    const document = documents.get(policy) ?? documentOf(content, policy);
    documents.set(policy, document);
    return document(ifNoneMatch);
  };
};

/** Without a session, and with the policy of the console's player. */
const serveWatchPage = (begin: EntryFiles, contentOrigins: string | undefined) =>
  documentOf(
    renderPage(begin, { document: 'watch', hasStoreElsewhere: contentOrigins !== undefined }),
    consolePolicy({ blobMedia: true, objectStore: true }, contentOrigins),
  );

/** Files with stable names for the sign-in pages, which know no content hashes: browsers revalidate them. */
const serveSignInAssets = (begin: EntryFiles, assets: readonly Asset[]) => {
  const { pages, icon, theme } = begin;
  const names = new Map([
    ['/pages/style.css', pages.style],
    ['/pages/passkeys.js', pages.passkeys],
    ['/pages/password-fields.js', pages.passwordFields],
    ['/pages/icon.svg', icon],
    ['/pages/theme.js', theme],
  ]);
  return (path: string, ifNoneMatch: string | undefined): AssetResponse | undefined => {
    const name = names.get(path);
    const found = assets.find((asset) => asset.name === name);
    if (name === undefined || found === undefined) return undefined;
    const etag = `"${name}"`;
    const headers = { 'Content-Type': contentTypes[extensionOf(name)] ?? '', 'Cache-Control': 'no-cache', ETag: etag };
    return noneMatches(ifNoneMatch, etag) ? { status: 200, headers, content: found.content } : { status: 304, headers };
  };
};

const consolePath = '/console';
const watchPath = '/watch/';

export const createConsoleAssets = ({ begin, assets }: Bundle, contentOrigins?: string): ConsoleAssets => {
  const asset = serveAssets(assets, contentOrigins);
  const page = servePage(begin, contentOrigins);
  const peoples = serveSignInAssets(begin, assets);
  const watch = serveWatchPage(begin, contentOrigins);
  return async ({ path, accepts, ifNoneMatch, hasSession = false }) => {
    if (path === '/') return { status: 302, headers: { Location: hasSession ? `${consolePath}/` : beginConsolePath } };
    if (path.startsWith('/pages/')) return peoples(path, ifNoneMatch);
    if (path.startsWith(watchPath)) return watch(ifNoneMatch);
    if (path.startsWith(`${consolePath}/assets/`)) return asset(path.slice(`${consolePath}/assets/`.length), accepts);
    return path === consolePath || path.startsWith(`${consolePath}/`) ? page(path, ifNoneMatch) : undefined;
  };
};
