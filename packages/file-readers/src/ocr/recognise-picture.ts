/** Recognises the text of a picture. */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { isLeft } from 'fp-ts/Either';
import type { Picture } from '../image/picture';
import { readPicture } from '../image/read-picture';
import type { ReadableFile, ReadLimits } from '../reader';
import type { OcrConfiguration } from './configuration';
import { usableLanguages } from './languages';
import { uncertainWordsNotice } from './notices';
import { recognisedElements } from './recognised-elements';
import { programMissing, type Recognition } from './recognition';
import { type PictureSource, readWithTesseract } from './tesseract';
import { uprightJpeg } from './upright';

/** Smaller ones hold no text: tracking pixels, bullets, lines. */
const leastSide = 16;
const gifEnd = Buffer.from(';');

/** The first frame alone, so that tesseract does not unpack the others. */
async function* firstFrame(file: ReadableFile, end: number): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(file.path, { end: end - 1 })) yield chunk as Buffer;
  yield gifEnd;
}

/** Undefined: its EXIF data turns it, and it cannot be turned here. Tesseract turns TIFF by itself. */
const sourceOf = (file: ReadableFile, picture: Picture): PictureSource | undefined => {
  const { firstFrameEnd } = picture;
  if (picture.format === 'gif' && firstFrameEnd !== undefined)
    return { open: () => Readable.from(firstFrame(file, firstFrameEnd)) };
  if (picture.orientation === 1 || picture.format === 'tiff') return { open: () => createReadStream(file.path) };
  return picture.format === 'jpeg' ? uprightJpeg(file, picture) : undefined;
};

/** Regions are fractions of the picture as displayed, after the rotation that EXIF names. */
export async function* recognisePicture(
  file: ReadableFile,
  limits: ReadLimits,
  configuration: OcrConfiguration,
): Recognition {
  const picture = await readPicture(file, limits);
  if (isLeft(picture)) return { kind: 'failed', failure: picture.left };
  const { width, height, format } = picture.right;
  if (Math.min(width, height) < leastSide) return { kind: 'recognised', notices: [] };
  const source = sourceOf(file, picture.right);
  if (source === undefined)
    return {
      kind: 'recognised',
      notices: [`Text was not recognised: the picture is turned, which is done for JPEG and TIFF, not for ${format}.`],
    };
  const languages = await usableLanguages(configuration);
  if (languages.kind === 'unavailable') return languages;
  const read = await readWithTesseract(source, languages.languages, configuration);
  if (read.kind === 'missing') return programMissing(read.program);
  if (read.kind === 'failed')
    return {
      kind: 'recognised',
      notices: [
        ...languages.notices,
        'Text was not recognised: the picture is damaged, or is of a kind that is not read.',
      ],
    };
  const { elements, uncertainWords } = recognisedElements(read.paragraphs, null, configuration.leastConfidence);
  yield* elements;
  return { kind: 'recognised', notices: [...languages.notices, ...uncertainWordsNotice(uncertainWords)] };
}
