/** Defaults for what lines of a file lack, and the upload of the file. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FileFormat } from '../../../../packages/client/src/schemas';
import { FileUpload } from '../../components/file-upload';
import { CheckField, TextField } from '../../components/form-fields';
import type { Problem } from '../../kernel/problem';
import { navigate } from '../../kernel/router';
import { showToast } from '../../kernel/toasts';
import { UploadError } from '../../kernel/upload';
import { useFirstField } from '../../kernel/use-first-field';
import { importPath } from '../paths';
import { fileEndings, ImportRefused, type ImportSettings, importService, knownFormatOf } from './file-import';
import { FilePreview } from './file-preview';
import { mappingOf } from './mapping-text';
import { TrySample } from './try-sample';

const noDraft = { source: '', category: '', attribution: '', fields: '', identifying: '', synthetic: false };

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

const settingsOf = (draft: typeof noDraft): ImportSettings => ({
  source: draft.source.trim(),
  category: orNull(draft.category),
  attribution: orNull(draft.attribution),
  synthetic: draft.synthetic,
  mapping: mappingOf(draft.fields, draft.identifying),
});

const joinedWords = 'lower-case letters and digits, joined by _ . or -';

/** By the beginning of a pointer: the label of its field, and what it expects. */
const fieldWords: Readonly<Record<string, readonly [label: string, expected: string]>> = {
  '/body/source': ['Source', joinedWords],
  '/body/category': ['Category', joinedWords],
  '/body/attribution': ['Attribution', 'at most 300 characters'],
  '/body/mapping/fields': ['Columns', 'a field of a place and its column on each line, as lat: latitude'],
  '/body/mapping/entityIdFrom': ['Columns that identify a place', 'at most 8 names of columns'],
  '/body/size': ['File', 'of at least one byte and at most a gibibyte'],
};

const explained = ({ pointer, expected }: Problem['errors'][number]): readonly [label: string, expected: string] => {
  const known = Object.entries(fieldWords).find(([beginning]) => pointer.startsWith(beginning));
  return known?.[1] ?? [pointer.replace('/body/', ''), expected];
};

/** A field may have several faults of one kind. */
const sentenceOf = ({ detail, errors }: Problem): string => {
  const isAtFields = ({ pointer }: Problem['errors'][number]): boolean =>
    pointer !== '/body/size' && Object.keys(fieldWords).some((beginning) => pointer.startsWith(beginning));
  if (errors.length > 0 && errors.every(isAtFields)) return 'The import was not started: see the marked fields.';
  const sentences = errors.map(explained).map(([label, expected]) => `${label} must be ${expected}.`);
  return sentences.length === 0 ? detail : [...new Set(sentences)].join(' ');
};

const formatNames: { readonly [format in FileFormat]: string } = {
  csv: 'CSV',
  geojson: 'GeoJSON',
  jsonl: 'JSON lines',
};

/** What the import will do with the file. */
const describe = (file: File, { source }: typeof noDraft) => {
  const under = source.trim() === '' ? 'its source' : `the source ${source.trim()}`;
  const format = knownFormatOf(file);
  if (format === undefined) return null;
  return (
    <>
      <p>
        Read as {formatNames[format]}. New and changed places are recorded under {under}; lines with mistakes are
        refused and listed.
      </p>
      <FilePreview file={file} />
    </>
  );
};

const refuse = (file: File): string | undefined =>
  knownFormatOf(file) === undefined ? `The name of the file must end in ${fileEndings.join(', ')}.` : undefined;

/** What was typed last, for another attempt with the same columns. */
let lastDraft = noDraft;

export const NewImport = ({ close }: { readonly close: () => void }) => {
  const form = useFirstField<HTMLFormElement>();
  const [draft, setDraft] = useState(lastDraft);
  const [problem, setProblem] = useState<Problem>();
  const latest = useRef(draft);
  latest.current = draft;
  const service = useMemo(() => importService(() => settingsOf(latest.current)), []);
  const set = (change: Partial<typeof noDraft>): void => setDraft((before) => ({ ...before, ...change }));
  useEffect(() => {
    lastDraft = draft;
  }, [draft]);
  const faultAt = (pointer: string): string | undefined => {
    const fault = problem?.errors.find((one) => one.pointer.startsWith(pointer));
    return fault === undefined ? undefined : `Must be ${explained(fault)[1]}`;
  };
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [problem]);
  const messageOf = (error: unknown): string => {
    if (!(error instanceof ImportRefused))
      return error instanceof UploadError ? error.message : 'The file could not be uploaded.';
    setProblem(error.problem);
    return sentenceOf(error.problem);
  };
  const done = (importId: string): void => {
    showToast('The import was started.');
    navigate(importPath(importId));
  };
  return (
    <section class="section" aria-label="Import a file">
      {/* The upload starts by its button, once the fields are valid. */}
      <form ref={form} class="form import-form" onSubmit={(event) => event.preventDefault()}>
        <TextField
          label="Source"
          help="Who publishes the places, in lower case, such as geonames. Each source has its own versions."
          fault={faultAt('/body/source')}
          value={draft.source}
          onType={(source) => set({ source })}
          maxLength={64}
          isRequired
        />
        <TextField
          label="Category"
          help="Optional. For lines without a category."
          fault={faultAt('/body/category')}
          value={draft.category}
          onType={(category) => set({ category })}
          maxLength={64}
        />
        <TextField
          label="Attribution"
          help="Optional. Shown with each place: whom to credit, and the licence."
          fault={faultAt('/body/attribution')}
          value={draft.attribution}
          onType={(attribution) => set({ attribution })}
          maxLength={300}
        />
        <TextField
          label="Columns"
          help="Each place needs entity_id, name, category, lat and lng; of GeoJSON, the geometry has lat and lng. Optional, for CSV and GeoJSON whose columns have other names: a field and its column on each line, as lat: latitude. Columns named as the fields need no line; a field with nothing after its colon is left out."
          fault={faultAt('/body/mapping/fields')}
          value={draft.fields}
          onType={(fields) => set({ fields })}
          maxLength={20_000}
          rows={4}
        />
        <TextField
          label="Columns that identify a place"
          help="Optional. If lines have no id. Separated by commas."
          fault={faultAt('/body/mapping/entityIdFrom')}
          value={draft.identifying}
          onType={(identifying) => set({ identifying })}
          maxLength={1_000}
        />
        <CheckField
          label="The places are synthetic"
          help="For tests and demonstrations. Each is shown as such."
          checked={draft.synthetic}
          onCheck={(synthetic) => set({ synthetic })}
        />
        <FileUpload
          name="place import"
          label="File: JSON lines, CSV or GeoJSON"
          accept={fileEndings.join(',')}
          service={service}
          onDone={done}
          messageOf={messageOf}
          confirmation={{ act: 'Import', describe: (file) => describe(file, draft), refuse, cancel: close }}
        />
        <p class="help">
          No file at hand? <TrySample />
        </p>
      </form>
    </section>
  );
};
