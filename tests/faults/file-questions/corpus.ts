/** The files of public projects that the readers are tested with, as files that people upload: all of which something can be cited. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const directory = join(__dirname, '..', '..', 'packages', 'file-readers', 'files');

const mimeTypes: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.csv': 'text/csv',
  '.html': 'text/html',
  '.markdown': 'text/markdown',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.tif': 'image/tiff',
};

/** Formats by folder; `pictures` are small and odd, and show no text. */
const folders = ['pdf', 'docx', 'pptx', 'xlsx', 'csv', 'html', 'markdown', 'text', 'code', 'scans', 'turned'] as const;

export interface CorpusFile {
  /** `pdf/crazyones.pdf`. */
  readonly name: string;
  readonly mimeType: string;
  readonly content: Buffer;
}

export const pathOf = (name: string): string => join(directory, name);

export const corpus = (): readonly CorpusFile[] =>
  folders.flatMap((folder) =>
    readdirSync(join(directory, folder))
      // No question is about the page of 70 megapixels, which takes longer to recognise than all others together.
      .filter((name) => !name.endsWith('.json') && name !== 'hugemono.pdf')
      .map((name) => ({
        name: `${folder}/${name}`,
        mimeType: mimeTypes[extname(name)] ?? 'text/plain',
        content: readFileSync(join(directory, folder, name)),
      })),
  );
