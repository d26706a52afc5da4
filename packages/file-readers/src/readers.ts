/** The reader of each format. */
import type { FileFormat } from '../../../domain/files/content/read-result';
import { readPdf } from './pdf/read-pdf';
import type { Reader } from './reader';
import { readText } from './text/read-text';

export const readers: { readonly [Format in FileFormat]?: Reader } = {
  pdf: readPdf,
  text: readText,
};
