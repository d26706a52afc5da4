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

interface Kept {
  readonly code: Map<string, Buffer>;
  readonly paths: Readonly<Record<string, string>>;
  /** By the directory that asks and what it asks for. */
  readonly resolved: Map<string, string>;
}

/** Fewer than these are compiled sooner than written. */
const worthKeeping = 20;
/** Most have loaded everything by then, and what is killed later has kept it. */
const settledMilliseconds = 2_000;

const loader = Module as unknown as Loader;
const compileAsNode = loader.prototype._compile;
/** Compiled by this process itself. */
const scripts = new Map<string, Script>();
let missed = 0;

const nothing = (): Kept => ({ code: new Map(), paths: {}, resolved: new Map() });

const readKept = (file: string): Kept => {
  try {
    return deserialize(readFileSync(file)) as Kept;
  } catch {
    return nothing();
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
    // No script, but a module, or wrong: Node tells which.
    return undefined;
  }
};

/** Code that was kept has lost what `import()` is to do: such modules are Node's to compile. */
const importsLater = /\bimport\s*\(/;

const compileWith = ({ code: kept }: Kept) =>
  function compile(this: Loaded, code: string, filename: string, format?: string): unknown {
    const cachedData = kept.get(filename);
    const isNodes = format === 'module' || importsLater.test(code);
    const script = isNodes ? undefined : scriptOf(code, filename, cachedData);
    if (script === undefined) return compileAsNode.call(this, code, filename, format);
    if (cachedData === undefined || script.cachedDataRejected) scripts.set(filename, script);
    const given = [this.exports, requireOf(this), this, filename, dirname(filename)];
    return (script.runInThisContext() as (...given: unknown[]) => unknown).apply(this.exports, given);
  };

/** Under another name first: processes of one script come and go beside each other. */
const write = (file: string, kept: Kept): void => {
  const making = `${file}-${process.pid}`;
  try {
    writeFileSync(making, serialize({ ...kept, paths: { ...kept.paths, ...loader._pathCache } }));
    renameSync(making, file);
  } catch {
    // The run is over, and its directory gone.
  }
};

const gather = ({ code }: Kept): void => {
  missed += scripts.size;
  for (const [filename, script] of scripts) code.set(filename, script.createCachedData());
  scripts.clear();
};

const keep = (file: string, kept: Kept): void => {
  gather(kept);
  if (missed < worthKeeping) return;
  missed = 0;
  write(file, kept);
};

/** V8 takes code back only under the flags that were set when it was given out, and LMDB's module sets some. */
const gatherBeforeFlags = (kept: Kept): void => {
  const { setFlagsFromString } = v8;
  v8.setFlagsFromString = (flags) => {
    gather(kept);
    setFlagsFromString(flags);
  };
};

/** Node reads the package of each module to tell scripts from modules: what was kept is a script. */
const loadScriptsWithoutPackage = ({ code: kept }: Kept): void => {
  const loadAsNode = loader._extensions['.js'] as (module: Loaded, filename: string) => void;
  loader._extensions['.js'] = (module, filename) => {
    if (kept.has(filename)) module._compile(readFileSync(filename, 'utf8'), filename, 'commonjs');
    else loadAsNode(module, filename);
  };
};

/** Node reads the packages of whoever asks, and of what is asked for, also where it knows the path. */
const resolveAsKept = ({ resolved }: Kept): void => {
  const resolveAsNode = loader._resolveFilename;
  loader._resolveFilename = (id, from, isMain, options) => {
    const { filename } = from ?? {};
    if (options !== undefined || isMain || typeof filename !== 'string')
      return resolveAsNode(id, from, isMain, options);
    const asked = `${dirname(filename)}\0${id}`;
    const path = resolved.get(asked) ?? resolveAsNode(id, from, isMain);
    resolved.set(asked, path);
    return path;
  };
};

/** Code is kept apart by options too: V8 refuses what was compiled under others. */
export const loadWithCompileCache = (directory: string): void => {
  mkdirSync(directory, { recursive: true });
  const name = createHash('sha256').update([process.argv[1], ...process.execArgv, process.env.NODE_OPTIONS].join('\0'));
  const file = join(directory, name.digest('hex'));
  const kept = readKept(file);
  Object.assign(loader._pathCache, kept.paths);
  loader.prototype._compile = compileWith(kept);
  loadScriptsWithoutPackage(kept);
  resolveAsKept(kept);
  gatherBeforeFlags(kept);
  setTimeout(() => keep(file, kept), settledMilliseconds).unref();
  process.once('exit', () => keep(file, kept));
};
