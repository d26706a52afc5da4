/** A whole file as text. */
import { readFile } from 'node:fs/promises';
import { type Either, right } from 'fp-ts/Either';
import type { ReadFailure } from '../../../../domain/files/content/read-result';
import { fail, type ReadableFile, type ReadLimits } from '../reader';
import { type DecodedText, decodeText, isText } from './decode';

const sampleBytes = 65_536;

/** Refuses files above `limits.textBytes`, and bytes that are no text in any encoding. */
export const readFileText = async (
  file: ReadableFile,
  limits: ReadLimits,
): Promise<Either<ReadFailure, DecodedText>> => {
  if (file.size > limits.textBytes)
    return fail('TOO_LARGE', `Files of text are read up to ${limits.textBytes} bytes. Split it and upload the parts.`);
  const bytes = await readFile(file.path);
  if (!isText(bytes.subarray(0, sampleBytes)))
    return fail('CORRUPT', 'The file has bytes that are not text. Upload it again, or save it as UTF-8.');
  return right(decodeText(bytes));
};
