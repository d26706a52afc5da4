/** The reader of each format. */
import type { FileFormat } from '../../../domain/files/content/read-result';
import { readCsv } from './csv/read-csv';
import { readPdf } from './pdf/read-pdf';
import type { Reader } from './reader';
import { readText } from './text/read-text';
import { readXlsx } from './xlsx/read-xlsx';

export const readers: { readonly [Format in FileFormat]?: Reader } = {
  pdf: readPdf,
  xlsx: readXlsx,
  csv: readCsv,
  text: readText,
};
