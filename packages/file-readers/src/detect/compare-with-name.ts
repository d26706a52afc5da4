/** Whether a file's name agrees with its content. */
import { type Either, right } from 'fp-ts/Either';
import type { FileFormat, ReadFailure } from '../../../../domain/files/content/read-result';
import { fail, type ReadableFile } from '../reader';
import type { DetectedFile } from './detected-file';
import { endingOf, formatOfName } from './names';

export const textMediaTypes = {
  csv: 'text/csv',
  markdown: 'text/markdown',
  html: 'text/html',
  text: 'text/plain',
  code: 'text/plain',
} as const;
export type TextFormat = keyof typeof textMediaTypes;

export const isTextFormat = (format: FileFormat | undefined): format is TextFormat =>
  format !== undefined && Object.hasOwn(textMediaTypes, format);

/** As sentences name them. */
export const contents: Readonly<Record<FileFormat, string>> = {
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

export const mismatch = (name: string, content: string): Either<ReadFailure, never> =>
  fail(
    'TYPE_MISMATCH',
    `The name ends in ".${endingOf(name).slice(0, 20)}", but the content is ${content}. Rename it, or upload the right file.`,
  );

const isSameFamily = (promised: FileFormat, format: FileFormat): boolean =>
  promised === format ||
  (isTextFormat(promised) && isTextFormat(format)) ||
  // The same containers hold both.
  ((promised === 'audio' || promised === 'video') && (format === 'audio' || format === 'video'));

export const compareWithName = (
  { name }: Pick<ReadableFile, 'name'>,
  detected: DetectedFile,
): Either<ReadFailure, DetectedFile> => {
  const promised = formatOfName(name);
  return promised === undefined || isSameFamily(promised, detected.format)
    ? right(detected)
    : mismatch(name, contents[detected.format]);
};
