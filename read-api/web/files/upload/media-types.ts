/** Media types by the ends of names: browsers take theirs from the machine, where CSV may be a spreadsheet, and Markdown unknown. */

const office = 'application/vnd.openxmlformats-officedocument';

const types: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  docx: `${office}.wordprocessingml.document`,
  pptx: `${office}.presentationml.presentation`,
  xlsx: `${office}.spreadsheetml.sheet`,
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  md: 'text/markdown',
  markdown: 'text/markdown',
  txt: 'text/plain',
  log: 'text/plain',
  html: 'text/html',
  htm: 'text/html',
  json: 'application/json',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  toml: 'application/toml',
  sql: 'application/sql',
  js: 'text/javascript',
  ts: 'application/typescript',
  srt: 'text/plain',
  vtt: 'text/vtt',
};

/** What the content is, the server finds out. */
export const mediaTypeOf = ({ name, type }: Pick<File, 'name' | 'type'>): string => {
  const ending = name.includes('.') ? (name.split('.').at(-1)?.toLowerCase() ?? '') : '';
  const known = Object.hasOwn(types, ending) ? types[ending] : undefined;
  const [told = ''] = type.split(';');
  return known ?? (told.trim() === '' ? 'application/octet-stream' : told.trim());
};
