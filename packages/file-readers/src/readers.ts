/** The reader of each format. Each is loaded when a file of its format is read: a process reads one file, and loading all takes longer than most files. */
import type { FileFormat } from '../../../domain/files/content/read-result';
import type { Reader } from './reader';
import { subtitleFormatOf } from './subtitles/subtitle-format';

const loaded =
  (load: () => Reader): Reader =>
  (file, limits) =>
    load()(file, limits);

const readMedia = loaded(() => (require('./media/read-media') as typeof import('./media/read-media')).readMedia);
const readPlainText = loaded(() => (require('./text/read-text') as typeof import('./text/read-text')).readText);

export const readers: { readonly [Format in FileFormat]: Reader } = {
  pdf: loaded(() => (require('./pdf/read-pdf') as typeof import('./pdf/read-pdf')).readPdf),
  docx: loaded(() => (require('./docx/read-docx') as typeof import('./docx/read-docx')).readDocx),
  pptx: loaded(() => (require('./pptx/read-pptx') as typeof import('./pptx/read-pptx')).readPptx),
  xlsx: loaded(() => (require('./xlsx/read-xlsx') as typeof import('./xlsx/read-xlsx')).readXlsx),
  csv: loaded(() => (require('./csv/read-csv') as typeof import('./csv/read-csv')).readCsv),
  markdown: loaded(
    () => (require('./markdown/read-markdown') as typeof import('./markdown/read-markdown')).readMarkdown,
  ),
  html: loaded(() => (require('./html/read-html') as typeof import('./html/read-html')).readHtml),
  text: (file, limits) => {
    const subtitles = subtitleFormatOf(file.name);
    if (subtitles === undefined) return readPlainText(file, limits);
    const { readSubtitles } = require('./subtitles/read-subtitles') as typeof import('./subtitles/read-subtitles');
    return readSubtitles(subtitles)(file, limits);
  },
  code: loaded(() => (require('./code/read-code') as typeof import('./code/read-code')).readCode),
  image: loaded(() => (require('./image/read-image') as typeof import('./image/read-image')).readImage),
  audio: readMedia,
  video: readMedia,
};
