/** Loaded, compiled itself, before a process of a run: its sources are compiled already. */
import { readFileSync } from 'node:fs';
import Module, { SourceMap } from 'node:module';
import { join } from 'node:path';
import { loadWithCompileCache } from './compile-cache';

type Extension = (module: { readonly _compile: (code: string, filename: string) => void }, filename: string) => void;

const compiled = join(__dirname, '..', '..', '..');
const root = readFileSync(join(compiled, 'root'), 'utf8');

loadWithCompileCache(join(compiled, 'kept'));

const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

const compiledPath = (source: string): string | undefined =>
  source.startsWith(root) ? join(compiled, `${source.slice(root.length, -'.ts'.length)}.js`) : undefined;

/** A source that came after the run had begun, or could not be compiled then. */
const compileNow = (source: string): string => {
  // From where the sources lie: there are no modules beside what was compiled of them.
  const { transformSync } = Module.createRequire(join(root, 'package.json'))('esbuild') as typeof import('esbuild');
  const options = { loader: 'ts', format: 'cjs', platform: 'node', target: 'node20', sourcefile: source } as const;
  return transformSync(readFileSync(source, 'utf8'), options).code;
};

const extensions = (Module as unknown as { readonly _extensions: Record<string, Extension> })._extensions;

extensions['.ts'] = (module, source) => {
  const path = compiledPath(source);
  const code = path === undefined ? undefined : textOf(path);
  module._compile(code ?? compileNow(source), source);
};

const maps = new Map<string, SourceMap | undefined>();

const readMap = (source: string): SourceMap | undefined => {
  const path = compiledPath(source);
  const text = path === undefined ? undefined : textOf(`${path}.map`);
  return text === undefined ? undefined : new SourceMap(JSON.parse(text) as ConstructorParameters<typeof SourceMap>[0]);
};

const mapOf = (source: string): SourceMap | undefined => {
  if (!maps.has(source)) maps.set(source, readMap(source));
  return maps.get(source);
};

const mapped = (frame: NodeJS.CallSite): string => {
  const [file, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()];
  if (!file?.endsWith('.ts') || line === null || column === null) return String(frame);
  const entry = mapOf(file)?.findEntry(line - 1, column - 1);
  if (entry === undefined || !('originalLine' in entry)) return String(frame);
  return String(frame).replace(`:${line}:${column}`, `:${entry.originalLine + 1}:${entry.originalColumn + 1}`);
};

// Maps are read when a stack is looked at, which most processes never come to: Node's own support reads all of them at start.
Error.prepareStackTrace = (error, frames) =>
  [Error.prototype.toString.call(error), ...frames.map((frame) => `    at ${mapped(frame)}`)].join('\n');
