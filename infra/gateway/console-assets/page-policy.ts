/** Content security policies of the console: one for most pages, with the additions that pages declare. */

/** As `PagePolicy` in `read-api/web/shell/section.ts`, which the bundler reads. */
export interface PolicyAdditions {
  readonly blobImages?: true;
  readonly blobMedia?: true;
  readonly workers?: 'own' | 'blob';
  readonly webAssembly?: true;
  readonly objectStore?: true;
}

export interface DeclaredPolicy {
  /** `/console/streams/:stream` */
  readonly path: string;
  readonly policy: PolicyAdditions;
}

const known: { readonly [Name in keyof Required<PolicyAdditions>]: readonly unknown[] } = {
  blobImages: [true],
  blobMedia: [true],
  workers: ['own', 'blob'],
  webAssembly: [true],
  objectStore: [true],
};

const assertKnown = ({ path, policy }: DeclaredPolicy): void => {
  for (const [name, value] of Object.entries(policy))
    if (!Object.hasOwn(known, name) || !known[name as keyof PolicyAdditions].includes(value))
      throw new Error(`The page ${path} declares the policy ${name} as ${JSON.stringify(value)}.`);
};

/** Of pages as sections list them. Throws for an addition that is not known. */
export const declaredPolicies = (pages: readonly unknown[]): readonly DeclaredPolicy[] =>
  (pages as readonly { readonly path: string; readonly policy?: PolicyAdditions }[]).map(({ path, policy = {} }) => {
    assertKnown({ path, policy });
    return { path, policy };
  });

const decoded = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
};

const segmentMatches = (pattern: string, segment: string): boolean => {
  const value = decoded(segment);
  if (value === undefined) return false;
  return (pattern.startsWith(':') && value !== '') || pattern === value;
};

/** The same match as the console's router makes, because the document's policy must be that of the page which is shown. */
export const createPolicyLookup = (policies: readonly DeclaredPolicy[]): ((path: string) => PolicyAdditions) => {
  const patterns = policies.map(({ path, policy }) => ({ segments: path.split('/'), policy }));
  return (path) => {
    const given = path.replace(/\/+$/, '').split('/');
    const found = patterns.find(
      ({ segments }) =>
        segments.length === given.length &&
        segments.every((pattern, index) => segmentMatches(pattern, given[index] as string)),
    );
    return found?.policy ?? {};
  };
};

const sources = (...all: readonly (string | false | undefined)[]): string => all.filter(Boolean).join(' ');

const workerSources = { own: "'self'", blob: "'self' blob:" } as const;

/**
 * Trusted types: no script can turn text into code or markup; `septet-worker` makes addresses of workers alone. `contentOrigins`: of
 * the object store and of edges, where clients reach these at origins of their own, with spaces between.
 */
export const consolePolicy = (additions: PolicyAdditions, contentOrigins?: string): string => {
  const { blobImages, blobMedia, workers, webAssembly, objectStore } = additions;
  const store = objectStore === true && contentOrigins;
  return [
    "default-src 'none'",
    `script-src ${sources("'self'", webAssembly && "'wasm-unsafe-eval'")}`,
    "style-src 'self'",
    "font-src 'self'",
    `img-src ${sources("'self'", 'data:', blobImages && 'blob:', store)}`,
    `media-src ${sources("'self'", blobMedia && 'blob:', store)}`,
    `connect-src ${sources("'self'", store)}`,
    `worker-src ${workers === undefined ? "'none'" : workerSources[workers]}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${workers === undefined ? "'none'" : 'septet-worker'}`,
  ].join('; ');
};

/** Of the scripts of workers, which only pages with workers can start. A worker has no document and makes no workers. */
export const workerPolicy = (contentOrigins?: string): string =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `connect-src ${sources("'self'", contentOrigins)}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
