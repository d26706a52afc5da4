/** What a file is, by its bytes, and whether its name agrees. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ReadFailure } from '../../../../domain/files/content/read-result';
import { containerOf } from '../media/containers';
import { fail, type ReadableFile, type ReadLimits } from '../reader';
import { decodeText, isText } from '../text/decode';
import {
  compareWithName,
  contents,
  isTextFormat,
  mismatch,
  type TextFormat,
  textMediaTypes,
} from './compare-with-name';
import { streamNames } from './compound-file';
import { detectBySignature, pdf } from './detect-by-signature';
import type { DetectedFile } from './detected-file';
import { formatOfName } from './names';
import { endsAsZip, type FileEnds, holdsPdf, isCompoundFile, isPdf, isZip, readEnds } from './signatures';

type Detection = Either<ReadFailure, DetectedFile>;

/** Programs differ in which of the two they show, so that what was checked is not what is seen. */
const twoThings = (one: string, other: string): Either<ReadFailure, never> =>
  fail('TYPE_MISMATCH', `The file is ${one} and ${other} at once. Save it again in its program.`);

const webPage = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)*<(?:!doctype html|html|head|body)[\s>]/i;

/** Of bytes that are text, the name decides of what kind; without one, the beginning. */
const detectText = ({ name }: ReadableFile, { head }: FileEnds): Detection => {
  const promised = formatOfName(name);
  const beginning = decodeText(head).text.slice(0, 4_000);
  if (/^\{\\rtf/.test(beginning))
    return fail('UNSUPPORTED_TYPE', 'Rich text (RTF) is not read. Save it as DOCX or PDF and upload that.');
  if (/^%!PS/.test(beginning)) return fail('UNSUPPORTED_TYPE', 'PostScript is not read. Upload a PDF of it.');
  const isWebPage = webPage.test(beginning);
  if (promised !== undefined && !isTextFormat(promised))
    return mismatch(name, isWebPage ? contents.html : contents.text);
  // Sites answer with a page where a download failed, or name a page `.csv` so that Excel opens it.
  if (promised === 'csv' && isWebPage) return mismatch(name, contents.html);
  const format = promised ?? guessText(beginning, isWebPage);
  return right({ format, mediaType: textMediaTypes[format] });
};

const guessText = (beginning: string, isWebPage: boolean): TextFormat => {
  if (isWebPage) return 'html';
  return beginning.startsWith('#!') ? 'code' : 'text';
};

const detectCompound = async (file: ReadableFile): Promise<Detection> => {
  const names = await streamNames(file);
  if (names.includes('EncryptedPackage') || names.includes('EncryptionInfo'))
    return fail('ENCRYPTED', 'The document opens with a password only. Save it without one and upload it again.');
  return fail(
    'UNSUPPORTED_TYPE',
    'Files of Office 2003 and earlier are not read. Save it as DOCX, XLSX, PPTX or PDF and upload that.',
  );
};

const detectBinary = async ({ head }: FileEnds): Promise<Detection> => {
  const container = containerOf(head);
  if (container !== undefined) return right({ format: container.format, mediaType: container.mediaType });
  // Loaded lazily: most files are text, PDF or of Office.
  const { fileTypeFromBuffer } = await import('file-type');
  const { mime = '' } = (await fileTypeFromBuffer(head).catch(() => undefined)) ?? {};
  const [kind] = mime.split('/');
  if (kind === 'image' || kind === 'audio' || kind === 'video') return right({ format: kind, mediaType: mime });
  return fail('UNSUPPORTED_TYPE', 'Files of this type are not read.');
};

const detectContent = async (file: ReadableFile, ends: FileEnds, limits: ReadLimits): Promise<Detection> => {
  if (isZip(ends)) {
    if (holdsPdf(ends)) return twoThings('an archive', 'a PDF');
    const { detectOffice } = require('./office') as typeof import('./office');
    return detectOffice(file, limits);
  }
  if (isPdf(ends)) return endsAsZip(ends) ? twoThings('a PDF', 'an archive') : right(pdf);
  if (isCompoundFile(ends)) return detectCompound(file);
  if (isText(ends.head) && !holdsPdf(ends)) return detectText(file, ends);
  const detected = await detectBinary(ends);
  if (holdsPdf(ends)) {
    const isKnown = !isLeft(detected) || webPage.test(ends.head.toString('latin1'));
    // Printers and mail put their own lines in front of a PDF.
    if (!isKnown) return right(pdf);
    return twoThings(isLeft(detected) ? contents.html : contents[detected.right.format], 'a PDF');
  }
  return !isLeft(detected) && endsAsZip(ends) ? twoThings(contents[detected.right.format], 'an archive') : detected;
};

/** Refuses what no reader reads, what is encrypted, what its name contradicts, and what is two things at once. */
export const detectFormat = async (file: ReadableFile, limits: ReadLimits): Promise<Detection> => {
  const promised = formatOfName(file.name);
  if (file.size === 0)
    return isTextFormat(promised)
      ? right({ format: promised, mediaType: textMediaTypes[promised] })
      : fail('CORRUPT', 'The file is empty. Upload it again.');
  const ends = await readEnds(file);
  const known = detectBySignature(file, ends);
  if (known !== undefined) return known;
  const detected = await detectContent(file, ends, limits);
  return isLeft(detected) ? detected : compareWithName(file, detected.right);
};
