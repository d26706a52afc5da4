/** The service behind the upload of a file of places: an import is created, its file uploaded in parts, then it is started. */
import {
  cancelPlaceImport,
  createPlaceImport,
  resumePlaceImportUpload,
  signPlaceImportPart,
  startPlaceImport,
} from '../../../../packages/client/src/operations';
import type { FileFormat, NewImport, PlaceFileUpload } from '../../../../packages/client/src/schemas';
import { type Answer, send } from '../../kernel/api-client';
import type { Problem } from '../../kernel/problem';
import type { UploadService } from '../../kernel/upload';

/** Of an import that the server refused. */
export class ImportRefused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

const contentOf = <Content>(answer: Answer<Content>): Content => {
  if (!answer.ok) throw new ImportRefused(answer.problem);
  return answer.content;
};

const formatsByEnding: Readonly<Record<string, FileFormat>> = {
  csv: 'csv',
  geojson: 'geojson',
  json: 'geojson',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
};

/** Of files that are read. */
export const fileEndings = Object.keys(formatsByEnding).map((ending) => `.${ending}`);

/** By the end of its name; undefined: it is not read. */
export const knownFormatOf = ({ name }: Pick<File, 'name'>): FileFormat | undefined =>
  formatsByEnding[name.split('.').at(-1)?.toLowerCase() ?? ''];

const formatOf = (file: File): FileFormat => knownFormatOf(file) ?? 'jsonl';

export type ImportSettings = Omit<NewImport, 'fileName' | 'format' | 'size'>;

/** Which bytes an import waits for. The same name and size may be of a file that was changed since, whose parts must not be mixed. */
const fileKeyOf = (file: File, settings: ImportSettings): string =>
  JSON.stringify([file.name, file.size, file.lastModified, settings]);

const storageKey = 'import waiting for its file';

interface PendingImport {
  readonly fileKey: string;
  readonly importId: string;
}

const remember = (pending: PendingImport): void => {
  try {
    localStorage.setItem(storageKey, JSON.stringify(pending));
  } catch {
    // Storage is disabled: an upload that is interrupted begins again.
  }
};

/** Of the import that this browser left waiting for exactly this file. */
const rememberedImport = (fileKey: string): string | undefined => {
  try {
    const pending = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as PendingImport | null;
    return pending?.fileKey === fileKey ? pending.importId : undefined;
  } catch {
    return undefined;
  }
};

interface BegunUpload {
  readonly importId: string;
  readonly upload: PlaceFileUpload;
}

/** Undefined: it was cancelled, started elsewhere, or is another tenant's. */
const resumeUpload = async (importId: string): Promise<BegunUpload | undefined> => {
  const answer = await send(resumePlaceImportUpload({ importId }));
  if (!answer.ok && (answer.problem.status === 404 || answer.problem.status === 409)) return undefined;
  return { importId, upload: contentOf(answer) };
};

/** Answers the id of the import. */
export const importService = (settings: () => ImportSettings): UploadService<string> => {
  let importId = '';
  const beginUpload = async (file: File, wanted: ImportSettings): Promise<BegunUpload> => {
    const body = { ...wanted, fileName: file.name, size: file.size, format: formatOf(file) };
    const created = contentOf(await send(createPlaceImport({ body })));
    return { importId: created.importId, upload: contentOf(await send(resumePlaceImportUpload(created))) };
  };
  return {
    begin: async (file) => {
      const wanted = settings();
      const fileKey = fileKeyOf(file, wanted);
      const remembered = rememberedImport(fileKey);
      const resumed = remembered === undefined ? undefined : await resumeUpload(remembered);
      const { upload, ...begun } = resumed ?? (await beginUpload(file, wanted));
      importId = begun.importId;
      remember({ fileKey, importId });
      // The server knows the etags by itself.
      return { partSize: upload.partBytes, stored: upload.arrived.map((part) => ({ ...part, etag: '' })) };
    },
    sign: async ({ part, sha256 }) => {
      const body = sha256 === undefined ? {} : { sha256 };
      const { url, headers } = contentOf(await send(signPlaceImportPart({ importId, part, body })));
      return { url, headers };
    },
    complete: async () => contentOf(await send(startPlaceImport({ importId }))).importId,
  };
};

export const cancelImport = async (importId: string): Promise<Problem | undefined> => {
  const answer = await send(cancelPlaceImport({ importId }));
  return answer.ok ? undefined : answer.problem;
};
