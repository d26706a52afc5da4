/** Caches compiled code and resolved modules of a script's process for the next one. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import Module from 'node:module';
import { dirname, join } from 'node:path';
import v8, { deserialize, serialize } from 'node:v8';
import { Script } from 'node:vm';

interface Loaded {
  exports: unknown;
  readonly filename: string | null;
  readonly require: (id: string) => unknown;
  _compile: (code: string, filename: string, format?: string) => unknown;
}

interface Loader {
  readonly prototype: Loaded;
  readonly _pathCache: Record<string, string>;
  readonly _cache: object;
  readonly _extensions: Record<string, (module: Loaded, filename: string) => void>;
  _resolveFilename: (id: string, from: Loaded | undefined, isMain: boolean, options?: object) => string;
}

interface CompileCache {
  readonly code: Map<string, Buffer>;
  readonly paths: Readonly<Record<string, string>>;
  /** Paths by the directory of the importing module and the id that it imports. */
  readonly resolved: Map<string, string>;
}

/** Fewer than these are compiled sooner than written. */
const worthKeeping = 20;
/** Most have loaded everything by then, and a process that is killed later has saved it. */
const settledMilliseconds = 2_000;

const loader = Module as unknown as Loader;
const compileAsNode = loader.prototype._compile;
/** Compiled by this process itself. */
const scripts = new Map<string, Script>();
let missed = 0;

const emptyCache = (): CompileCache => ({ code: new Map(), paths: {}, resolved: new Map() });

const readCache = (file: string): CompileCache => {
  try {
    return deserialize(readFileSync(file)) as CompileCache;
  } catch {
    return emptyCache();
  }
};

/** As Node gives it to a module. */
const requireOf = (module: Loaded): object => {
  const require = (id: string): unknown => module.require(id);
  const resolve = (id: string, options?: object): string => loader._resolveFilename(id, module, false, options);
  return Object.assign(require, {
    resolve,
    main: process.mainModule,
    extensions: loader._extensions,
    cache: loader._cache,
  });
};

const scriptOf = (code: string, filename: string, cachedData: Buffer | undefined): Script | undefined => {
  try {
    return new Script(Module.wrap(code), { filename, cachedData });
  } catch {
    // No script, but a module, or wrong: Node reports which.
    return undefined;
  }
};

/** Cached code has lost what `import()` is to do: such modules are Node's to compile. */
const importsLater = /\bimport\s*\(/;

const compileWith = ({ code: cachedCode }: CompileCache) =>
  function compile(this: Loaded, code: string, filename: string, format?: string): unknown {
    const cachedData = cachedCode.get(filename);
    const isNodes = format === 'module' || importsLater.test(code);
    const script = isNodes ? undefined : scriptOf(code, filename, cachedData);
    if (script === undefined) return compileAsNode.call(this, code, filename, format);
    if (cachedData === undefined || script.cachedDataRejected) scripts.set(filename, script);
    const given = [this.exports, requireOf(this), this, filename, dirname(filename)];
    return (script.runInThisContext() as (...given: unknown[]) => unknown).apply(this.exports, given);
  };

/** Under another name first: processes of one script come and go beside each other. */
const write = (file: string, cache: CompileCache): void => {
  const making = `${file}-${process.pid}`;
  try {
    writeFileSync(making, serialize({ ...cache, paths: { ...cache.paths, ...loader._pathCache } }));
    renameSync(making, file);
  } catch {
    // The run is over, and its directory gone.
  }
};

const gather = ({ code }: CompileCache): void => {
  missed += scripts.size;
  for (const [filename, script] of scripts) code.set(filename, script.createCachedData());
  scripts.clear();
};

const saveCache = (file: string, cache: CompileCache): void => {
  gather(cache);
  if (missed < worthKeeping) return;
  missed = 0;
  write(file, cache);
};

/** V8 takes code back only under the flags that were set when it was given out, and LMDB's module sets some. */
const gatherBeforeFlags = (cache: CompileCache): void => {
  const { setFlagsFromString } = v8;
  v8.setFlagsFromString = (flags) => {
    gather(cache);
    setFlagsFromString(flags);
  };
};

/** Node reads the package of each module to distinguish scripts from modules: cached code is a script. */
const loadScriptsWithoutPackage = ({ code: cachedCode }: CompileCache): void => {
  const loadAsNode = loader._extensions['.js'] as (module: Loaded, filename: string) => void;
  loader._extensions['.js'] = (module, filename) => {
    if (cachedCode.has(filename)) module._compile(readFileSync(filename, 'utf8'), filename, 'commonjs');
    else loadAsNode(module, filename);
  };
};

/** Node reads the packages of the importing and of the imported module, also where it knows the path. */
const resolveFromCache = ({ resolved }: CompileCache): void => {
  const resolveAsNode = loader._resolveFilename;
  loader._resolveFilename = (id, from, isMain, options) => {
    const { filename } = from ?? {};
    if (options !== undefined || isMain || typeof filename !== 'string')
      return resolveAsNode(id, from, isMain, options);
    const key = `${dirname(filename)}\0${id}`;
    const path = resolved.get(key) ?? resolveAsNode(id, from, isMain);
    resolved.set(key, path);
    return path;
  };
};

/** The cache has a file per set of options: V8 refuses what was compiled under others. */
export const loadWithCompileCache = (directory: string): void => {
  mkdirSync(directory, { recursive: true });
  const name = createHash('sha256').update([process.argv[1], ...process.execArgv, process.env.NODE_OPTIONS].join('\0'));
  const file = join(directory, name.digest('hex'));
  const cache = readCache(file);
  Object.assign(loader._pathCache, cache.paths);
  loader.prototype._compile = compileWith(cache);
  loadScriptsWithoutPackage(cache);
  resolveFromCache(cache);
  gatherBeforeFlags(cache);
  setTimeout(() => saveCache(file, cache), settledMilliseconds).unref();
  process.once('exit', () => saveCache(file, cache));
};
