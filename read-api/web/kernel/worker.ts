/** Starts workers, on pages whose policy declares them: scripts of the console (`*.worker.ts`), or text that the page makes. */

/** Addresses by name: `decode` for `decode.worker.ts`. The bundler writes them. */
declare const WORKER_URLS: { readonly [name: string]: string };

interface ScriptUrlPolicy {
  readonly createScriptURL: (url: string) => string;
}

interface TrustedTypes {
  readonly createPolicy: (name: string, rules: ScriptUrlPolicy) => ScriptUrlPolicy;
}

const isAllowed = (url: string): boolean => url.startsWith('blob:') || Object.values(WORKER_URLS).includes(url);

const rules: ScriptUrlPolicy = {
  createScriptURL: (url) => {
    if (!isAllowed(url)) throw new TypeError('A worker runs a script of the console.');
    return url;
  },
};

let policy: ScriptUrlPolicy | undefined;

/** Made at the first use: a page whose policy names no workers may make none. Browsers without trusted types take the address itself. */
const trusted = (url: string): string => {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy('septet-worker', rules) ?? rules;
  return policy.createScriptURL(url);
};

/** Throws on pages without `workers` in their policy, and for a name that no file has. */
export const openWorker = (name: string): Worker => {
  const url = WORKER_URLS[name];
  if (url === undefined) throw new Error(`There is no ${name}.worker.ts.`);
  return new Worker(trusted(url), { name });
};

/** Needs `workers: 'blob'`. The page's own policy holds in it. */
export const openBlobWorker = (script: Blob): Worker => {
  const url = URL.createObjectURL(script);
  try {
    return new Worker(trusted(url));
  } finally {
    URL.revokeObjectURL(url);
  }
};
