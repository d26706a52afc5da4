/** Reads pictures: facts alone. Their text is recognised by a stage of its own, for it takes longer and needs another program. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Element } from '../../../../domain/files/content/element';
import type { DocumentFacts, ReadFailure } from '../../../../domain/files/content/read-result';
import { documentFacts, type ReadableFile, type ReadLimits } from '../reader';
import { displayedSize, type Picture } from './picture';
import { readPicture } from './read-picture';

const noticesOf = ({ format, frames }: Picture): readonly string[] => {
  if (frames === 1) return [];
  return format === 'tiff'
    ? [`Only the first of the file's ${frames} pages is read.`]
    : ['Only the first frame of the animation is read.'];
};

// biome-ignore lint/correctness/useYield: pictures have no passages before their text is recognised.
export async function* readImage(
  file: ReadableFile,
  limits: ReadLimits,
): AsyncGenerator<Element, Either<ReadFailure, DocumentFacts>> {
  const picture = await readPicture(file, limits);
  if (isLeft(picture)) return picture;
  return right(documentFacts({ format: 'image', ...displayedSize(picture.right), notices: noticesOf(picture.right) }));
}
