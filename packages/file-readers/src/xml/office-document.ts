/** What documents of Word and PowerPoint have in common: a main part that refers to the others, and properties. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ReadFailure } from '../../../../domain/files/content/read-result';
import { type Archive, openArchive } from '../archive/open-archive';
import type { ReadableFile, Reader, ReadLimits } from '../reader';
import { titleText } from '../text-cleaning';
import { withinTextLimit } from '../text-limit';
import { damagedPart, type Relationship, relationshipsOf } from './read-part';
import { childrenOf, readTree, textOf } from './read-trees';

export interface OfficeDocument {
  readonly archive: Archive;
  /** Name of the main part. */
  readonly main: string;
  /** Of the main part. Those to parts that the archive lacks are left out. */
  readonly relationships: readonly Relationship[];
  readonly title: string | null;
}

/** Those to parts that exist; names of parts are compared without regard to case (ECMA-376 part 2, 6.2.2.3). */
export const existingRelationshipsOf = async (
  archive: Archive,
  part: string,
): Promise<Either<ReadFailure, readonly Relationship[]>> => {
  const read = await relationshipsOf(archive, part);
  if (isLeft(read)) return read;
  const names = new Map([...archive.sizes.keys()].map((name) => [name.toLowerCase(), name]));
  return right(
    read.right.flatMap((relationship) => {
      const { target } = relationship;
      const existing = archive.sizes.has(target) ? target : names.get(target.toLowerCase());
      return existing === undefined ? [] : [{ ...relationship, target: existing }];
    }),
  );
};

const readTitle = async (
  archive: Archive,
  relationships: readonly Relationship[],
): Promise<Either<ReadFailure, string | null>> => {
  const properties = relationships.find(({ type }) => type === 'core-properties');
  if (properties === undefined) return right(null);
  const read = await readTree(archive, properties.target);
  if (isLeft(read)) return read;
  return right(titleText(textOf(childrenOf(read.right).find(({ name }) => name === 'title'))));
};

const readOfficeDocument = async (archive: Archive): Promise<Either<ReadFailure, OfficeDocument>> => {
  const outer = await existingRelationshipsOf(archive, '');
  if (isLeft(outer)) return outer;
  const main = outer.right.find(({ type }) => type === 'officeDocument')?.target;
  if (main === undefined) return damagedPart;
  const relationships = await existingRelationshipsOf(archive, main);
  if (isLeft(relationships)) return relationships;
  const title = await readTitle(archive, outer.right);
  if (isLeft(title)) return title;
  return right({ archive, main, relationships: relationships.right, title: title.right });
};

type DocumentReader = (document: OfficeDocument, limits: ReadLimits) => ReturnType<Reader>;

async function* readOpened(file: ReadableFile, limits: ReadLimits, read: DocumentReader): ReturnType<Reader> {
  const archive = await openArchive(file, limits);
  if (isLeft(archive)) return archive;
  try {
    const document = await readOfficeDocument(archive.right);
    return isLeft(document) ? document : yield* read(document.right, limits);
  } finally {
    archive.right.close();
  }
}

/** Opens the document, closes it behind the last element, and holds it to the limit of text. */
export const officeReader =
  (read: DocumentReader): Reader =>
  (file, limits) =>
    withinTextLimit(readOpened(file, limits, read), limits);
