/** Which Office document an archive is: by the type of its main part. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ReadFailure } from '../../../../domain/files/content/read-result';
import { type Archive, openArchive } from '../archive/open-archive';
import { fail, type ReadableFile, type ReadLimits } from '../reader';
import { readPart, relationshipsOf } from '../xml/read-part';
import type { DetectedFile } from './detected-file';

const typesName = '[Content_Types].xml';
const maxMimetype = 200;

const openXml = 'application/vnd.openxmlformats-officedocument';
const mediaTypes = {
  docx: `${openXml}.wordprocessingml.document`,
  pptx: `${openXml}.presentationml.presentation`,
  xlsx: `${openXml}.spreadsheetml.sheet`,
} as const;

/** Templates, slide shows and documents with macros are read as documents: macros never run. */
const formatOfMainPart = (type: string): keyof typeof mediaTypes | undefined => {
  if (!type.endsWith('.main+xml')) return undefined;
  if (/wordprocessingml|ms-word\.(?:document|template)/.test(type)) return 'docx';
  if (/presentationml|ms-powerpoint\./.test(type)) return 'pptx';
  return /spreadsheetml|ms-excel\.(?:sheet|template)/.test(type) ? 'xlsx' : undefined;
};

/** Type of the part that the document is, by the archive's own relations. */
const mainPartType = async (archive: Archive): Promise<Either<ReadFailure, string | undefined>> => {
  const relationships = await relationshipsOf(archive, '');
  if (isLeft(relationships)) return relationships;
  const main = relationships.right.find(({ type }) => type === 'officeDocument');
  if (main === undefined) return right(undefined);
  let byName: string | undefined;
  let byEnding: string | undefined;
  const read = await readPart(archive, typesName, {
    open: (name, attributes) => {
      const type = attributes.get('ContentType');
      if (name === 'Override' && attributes.get('PartName')?.toLowerCase() === `/${main.target}`.toLowerCase())
        byName ??= type;
      if (name === 'Default' && main.target.toLowerCase().endsWith(`.${attributes.get('Extension')?.toLowerCase()}`))
        byEnding ??= type;
    },
  });
  return isLeft(read) ? read : right(byName ?? byEnding);
};

const unsupported = async (archive: Archive): Promise<Either<ReadFailure, never>> => {
  const mimetype = await archive.bytes('mimetype', maxMimetype);
  const declared = isLeft(mimetype) ? '' : mimetype.right.toString('latin1');
  if (declared.includes('opendocument'))
    return fail(
      'UNSUPPORTED_TYPE',
      'OpenDocument files are not read. Save it as DOCX, XLSX, PPTX or PDF and upload that.',
    );
  if (declared.includes('epub'))
    return fail('UNSUPPORTED_TYPE', 'Electronic books (EPUB) are not read. Upload a PDF of it.');
  if (archive.sizes.has('xl/workbook.bin'))
    return fail('UNSUPPORTED_TYPE', 'Binary workbooks (XLSB) are not read. Save it as XLSX and upload that.');
  return fail('UNSUPPORTED_TYPE', 'Archives are not read. Unpack it and upload the files in it.');
};

/** Refuses archives that are no Office document, and those that cannot be opened safely. */
export const detectOffice = async (
  file: ReadableFile,
  limits: ReadLimits,
): Promise<Either<ReadFailure, DetectedFile>> => {
  const opened = await openArchive(file, limits);
  if (isLeft(opened)) return opened;
  const archive = opened.right;
  try {
    if (!archive.sizes.has(typesName)) return await unsupported(archive);
    const type = await mainPartType(archive);
    if (isLeft(type)) return type;
    const format = formatOfMainPart(type.right ?? '');
    return format === undefined ? await unsupported(archive) : right({ format, mediaType: mediaTypes[format] });
  } finally {
    archive.close();
  }
};
