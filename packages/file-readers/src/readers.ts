/** The reader of each format. */
import type { FileFormat } from '../../../domain/files/content/read-result';
import { readCode } from './code/read-code';
import { readCsv } from './csv/read-csv';
import { readDocx } from './docx/read-docx';
import { readHtml } from './html/read-html';
import { readImage } from './image/read-image';
import { readMarkdown } from './markdown/read-markdown';
import { readPdf } from './pdf/read-pdf';
import { readPptx } from './pptx/read-pptx';
import type { Reader } from './reader';
import { readText } from './text/read-text';
import { readXlsx } from './xlsx/read-xlsx';

export const readers: { readonly [Format in FileFormat]?: Reader } = {
  pdf: readPdf,
  docx: readDocx,
  pptx: readPptx,
  xlsx: readXlsx,
  csv: readCsv,
  markdown: readMarkdown,
  html: readHtml,
  text: readText,
  code: readCode,
  image: readImage,
};
