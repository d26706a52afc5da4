/** What a file is, by its bytes, and whether its name says the same. */
import { fileTypeFromBuffer } from 'file-type';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { FileFormat, ReadFailure } from '../../../../domain/files/content/read-result';
import { fail, type ReadableFile, type ReadLimits } from '../reader';
import { decodeText, isText } from '../text/decode';
import { streamNames } from './compound-file';
import type { DetectedFile } from './detected-file';
import { endingOf, formatOfName } from './names';
import { detectOffice } from './office';
import { endsAsZip, type FileEnds, holdsPdf, isCompoundFile, isPdf, isZip, readEnds } from './signatures';

type Detection = Either<ReadFailure, DetectedFile>;

const mediaTypes = {
  csv: 'text/csv',
  markdown: 'text/markdown',
  html: 'text/html',
  text: 'text/plain',
  code: 'text/plain',
} as const;
type TextFormat = keyof typeof mediaTypes;

const isTextFormat = (format: FileFormat | undefined): format is TextFormat =>
  format !== undefined && Object.hasOwn(mediaTypes, format);

const contents: Readonly<Record<FileFormat, string>> = {
  pdf: 'a PDF',
  docx: 'a Word document',
  pptx: 'a PowerPoint presentation',
  xlsx: 'an Excel workbook',
  csv: 'text',
  markdown: 'text',
  html: 'a web page',
  text: 'text',
  code: 'text',
  image: 'a picture',
  audio: 'a sound recording',
  video: 'a film',
};

const mismatch = (name: string, content: string): Either<ReadFailure, never> =>
  fail(
    'TYPE_MISMATCH',
    `The name ends in ".${endingOf(name).slice(0, 20)}", but the content is ${content}. Rename it, or upload the right file.`,
  );

/** Programs differ in which of the two they show, so that what was checked is not what is seen. */
const twoThings = (one: string, other: string): Either<ReadFailure, never> =>
  fail('TYPE_MISMATCH', `The file is ${one} and ${other} at once. Save it again in the program that made it.`);

const webPage = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)*<(?:!doctype html|html|head|body)[\s>]/i;

/** Of bytes that are text, the name says what kind; without one, the beginning. */
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
  return right({ format, mediaType: mediaTypes[format] });
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
    'Office files of before 2007 are not read. Save it as DOCX, XLSX, PPTX or PDF and upload that.',
  );
};

const detectBinary = async ({ head }: FileEnds): Promise<Detection> => {
  const { mime = '' } = (await fileTypeFromBuffer(head).catch(() => undefined)) ?? {};
  const [kind] = mime.split('/');
  if (kind === 'image' || kind === 'audio' || kind === 'video') return right({ format: kind, mediaType: mime });
  return fail('UNSUPPORTED_TYPE', 'Files of this type are not read.');
};

const isSameFamily = (promised: FileFormat, format: FileFormat): boolean =>
  promised === format ||
  (isTextFormat(promised) && isTextFormat(format)) ||
  // The same containers hold both.
  ((promised === 'audio' || promised === 'video') && (format === 'audio' || format === 'video'));

const compareWithName = ({ name }: ReadableFile, detected: DetectedFile): Detection => {
  const promised = formatOfName(name);
  return promised === undefined || isSameFamily(promised, detected.format)
    ? right(detected)
    : mismatch(name, contents[detected.format]);
};

const detectContent = async (file: ReadableFile, ends: FileEnds, limits: ReadLimits): Promise<Detection> => {
  if (isZip(ends)) return holdsPdf(ends) ? twoThings('an archive', 'a PDF') : detectOffice(file, limits);
  if (isPdf(ends))
    return endsAsZip(ends) ? twoThings('a PDF', 'an archive') : right({ format: 'pdf', mediaType: 'application/pdf' });
  if (isCompoundFile(ends)) return detectCompound(file);
  if (isText(ends.head) && !holdsPdf(ends)) return detectText(file, ends);
  const detected = await detectBinary(ends);
  if (holdsPdf(ends)) {
    const isKnown = !isLeft(detected) || webPage.test(ends.head.toString('latin1'));
    // Printers and mail put their own lines in front of a PDF.
    if (!isKnown) return right({ format: 'pdf', mediaType: 'application/pdf' });
    return twoThings(isLeft(detected) ? contents.html : contents[detected.right.format], 'a PDF');
  }
  return !isLeft(detected) && endsAsZip(ends) ? twoThings(contents[detected.right.format], 'an archive') : detected;
};

/** Refuses what no reader reads, what is encrypted, what its name contradicts, and what is two things at once. */
export const detectFormat = async (file: ReadableFile, limits: ReadLimits): Promise<Detection> => {
  const promised = formatOfName(file.name);
  if (file.size === 0)
    return isTextFormat(promised)
      ? right({ format: promised, mediaType: mediaTypes[promised] })
      : fail('CORRUPT', 'The file is empty. Upload it again.');
  const detected = await detectContent(file, await readEnds(file), limits);
  return isLeft(detected) ? detected : compareWithName(file, detected.right);
};
