/** Size and orientation of a picture from its header: nothing is unpacked. */
import { type Either, right } from 'fp-ts/Either';
import type { ReadFailure } from '../../../../domain/files/content/read-result';
import { fail, type ReadableFile, type ReadLimits } from '../reader';
import { readBmp } from './bmp';
import { type Bytes, withBytes } from './bytes';
import { readGif } from './gif';
import { readJpeg } from './jpeg';
import type { Picture } from './picture';
import { readPng } from './png';
import { readTiff } from './tiff';
import { readWebp } from './webp';

const damaged: Either<ReadFailure, never> = fail(
  'CORRUPT',
  'The picture is damaged. Save it again and upload it once more.',
);
const unsupported: Either<ReadFailure, never> = fail(
  'UNSUPPORTED_TYPE',
  'Pictures of this type are not read. Save it as PNG, JPEG, GIF, WebP, TIFF or BMP and upload that.',
);

type HeaderReader = (bytes: Bytes, limits: ReadLimits) => Promise<Picture | undefined>;

const readers: readonly { readonly pattern: RegExp; readonly read: HeaderReader }[] = [
  { pattern: /^\x89PNG\r\n/, read: readPng },
  { pattern: /^\xff\xd8\xff/, read: readJpeg },
  { pattern: /^GIF8[79]a/, read: readGif },
  { pattern: /^RIFF[\s\S]{4}WEBP/, read: readWebp },
  { pattern: /^(?:II\*.|MM.\*)/s, read: (bytes, limits) => readTiff(bytes, limits.pages) },
  { pattern: /^BM/, read: readBmp },
];

const megapixels = (pixels: number): string => (pixels / 1_000_000).toLocaleString('en', { maximumFractionDigits: 1 });

const withinLimits = (picture: Picture | undefined, limits: ReadLimits): Either<ReadFailure, Picture> => {
  if (picture === undefined || picture.width < 1 || picture.height < 1) return damaged;
  const pixels = picture.width * picture.height;
  if (pixels > limits.pixels)
    return fail(
      'TOO_LARGE',
      `The picture has ${megapixels(pixels)} megapixels; at most ${megapixels(limits.pixels)} are read. Reduce its size.`,
    );
  if (picture.format === 'tiff' && picture.frames > limits.pages)
    return fail('TOO_MANY_PAGES', `The picture has more than ${limits.pages} pages. Split it into several files.`);
  return right(picture);
};

/** Refuses what is no picture that is read, what is damaged, and what has more pixels than the limit. */
export const readPicture = ({ path }: ReadableFile, limits: ReadLimits): Promise<Either<ReadFailure, Picture>> =>
  withBytes(path, async (bytes) => {
    const start = (await bytes.at(0, 16)).toString('latin1');
    const known = readers.find(({ pattern }) => pattern.test(start));
    return known === undefined ? unsupported : withinLimits(await known.read(bytes, limits), limits);
  });
