/** Reads files of these tests, or made by them, through the package's own entry. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Either, isLeft } from 'fp-ts/Either';
import { Element } from '../../../domain/files/content/element';
import { DocumentFacts, ReadFailure } from '../../../domain/files/content/read-result';
import { detectFormat, type ReadableFile, type ReadLimits, readers } from '../../../packages/file-readers/src';

export const limits: ReadLimits = {
  pages: 2_000,
  cells: 200_000,
  textBytes: 20_000_000,
  entries: 5_000,
  unpackedBytes: 200_000_000,
  pixels: 50_000_000,
};

/** Of these tests: `pdf/crazyones.pdf`. */
export const fixture = (...path: readonly string[]): string => join(__dirname, 'files', ...path);

export const readableFile = (path: string, name = basename(path)): ReadableFile => ({
  path,
  size: statSync(path).size,
  name,
});

export interface ReadDocument {
  readonly elements: readonly Element[];
  readonly ended: Either<ReadFailure, DocumentFacts>;
}

/** Detects, reads, and holds every element and the end to their codecs. */
export const readFile = async (
  path: string,
  name?: string,
  within: Partial<ReadLimits> = {},
): Promise<ReadDocument> => {
  const file = readableFile(path, name);
  const detected = await detectFormat(file, { ...limits, ...within });
  if (isLeft(detected)) {
    assert.ok(ReadFailure.is(detected.left), JSON.stringify(detected.left));
    return { elements: [], ended: detected };
  }
  const reader = readers[detected.right.format];
  const reading = reader(file, { ...limits, ...within });
  const elements: Element[] = [];
  let step = await reading.next();
  for (; step.done !== true; step = await reading.next()) {
    assert.ok(Element.is(step.value), `${path}: ${JSON.stringify(step.value).slice(0, 500)}`);
    elements.push(step.value);
  }
  const ended = step.value;
  assert.ok(isLeft(ended) ? ReadFailure.is(ended.left) : DocumentFacts.is(ended.right), JSON.stringify(ended));
  if (!isLeft(ended)) assert.equal(ended.right.format, detected.right.format);
  return { elements, ended };
};

/** Of a file that can be read. */
export const readFacts = async (
  path: string,
  name?: string,
): Promise<{ readonly elements: readonly Element[]; readonly facts: DocumentFacts }> => {
  const { elements, ended } = await readFile(path, name);
  if (isLeft(ended)) assert.fail(`${path}: ${ended.left.code} ${ended.left.detail}`);
  return { elements, facts: ended.right };
};

/** Of a file that cannot. */
export const readCode = async (path: string, name?: string, within?: Partial<ReadLimits>): Promise<string> => {
  const { ended } = await readFile(path, name, within);
  return isLeft(ended) ? ended.left.code : assert.fail(`${path} is read`);
};
