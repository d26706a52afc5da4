/** The service behind the upload of a file of places: an import is created, its file uploaded whole, then it is started. */
import {
  cancelPlaceImport,
  createPlaceImport,
  listPlaceImports,
  signPlaceImportFile,
  startPlaceImport,
} from '../../../../packages/client/src/operations';
import type { FileFormat, NewImport, PlaceImport } from '../../../../packages/client/src/schemas';
import { type Answer, read, send } from '../../kernel/api-client';
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

/** By the end of its name; JSON lines where that says nothing. */
const formatOf = ({ name }: File): FileFormat =>
  formatsByEnding[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'jsonl';

export type ImportSettings = Omit<NewImport, 'fileName' | 'format' | 'size'>;

/** In one order, and without what is not set. */
const settingsKey = ({ source, category, attribution, synthetic, mapping }: ImportSettings | PlaceImport): string =>
  JSON.stringify([source, category ?? null, attribution ?? null, synthetic ?? false, mapping ?? null]);

/** An import of the same file that was never uploaded. */
const pendingImport = async (file: File, settings: ImportSettings): Promise<PlaceImport | undefined> => {
  const { items } = contentOf(await read(listPlaceImports({ status: 'created', limit: 50 })));
  return items.find(
    (one) => one.fileName === file.name && one.size === file.size && settingsKey(one) === settingsKey(settings),
  );
};

/** Answers the id of the import. */
export const importService = (settings: () => ImportSettings): UploadService<string> => {
  let importId = '';
  return {
    begin: async (file) => {
      const wanted = settings();
      const pending = await pendingImport(file, wanted);
      const body = { ...wanted, fileName: file.name, size: file.size, format: formatOf(file) };
      importId = pending?.importId ?? contentOf(await send(createPlaceImport({ body }))).importId;
      // One request takes the whole file.
      return { partSize: Math.max(1, file.size), stored: [] };
    },
    sign: async () => {
      const { url, headers } = contentOf(await send(signPlaceImportFile({ importId })));
      return { url, headers };
    },
    complete: async () => contentOf(await send(startPlaceImport({ importId }))).importId,
  };
};

export const cancelImport = async (importId: string): Promise<Problem | undefined> => {
  const answer = await send(cancelPlaceImport({ importId }));
  return answer.ok ? undefined : answer.problem;
};
