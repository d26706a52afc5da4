/** Stack traces name the TypeScript source and line. Maps are read when a stack is: Node's own support reads all of them at the start. */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const pathOf = (name: string): string => (name.startsWith('file:') ? fileURLToPath(name) : name);

const readMap = (file: string): SourceMap | undefined => {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as ConstructorParameters<typeof SourceMap>[0]);
  } catch {
    return undefined;
  }
};

const maps = new Map<string, SourceMap | undefined>();

const mapOf = (file: string): SourceMap | undefined => {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
};

const shortened = (source: string): string => {
  const path = relative(process.cwd(), source);
  return path.startsWith('..') ? source : path;
};

const frameText = (frame: NodeJS.CallSite): string => {
  const [name, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()];
  if (!name || line === null || column === null || name.startsWith('node:')) return String(frame);
  const file = pathOf(name);
  const entry = mapOf(file)?.findEntry(line - 1, column - 1);
  if (entry === undefined || !('originalLine' in entry)) return String(frame);
  const source = shortened(resolve(dirname(file), entry.originalSource));
  return String(frame).replace(
    `${name}:${line}:${column}`,
    `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`,
  );
};

Error.prepareStackTrace = (error, frames) =>
  [Error.prototype.toString.call(error), ...frames.map((frame) => `    at ${frameText(frame)}`)].join('\n');
