/** Mappings as people type them: `lat: latitude` on each line, `status:` for a field that no column has. */
import type { NewMapping } from '../../../../packages/client/src/schemas';

/** A line without a colon is a field whose column has no name, which the server refuses by the field's name. */
const entryOf = (line: string): readonly [field: string, column: string | null] => {
  const at = line.indexOf(':');
  if (at < 0) return [line, ''];
  const column = line.slice(at + 1).trim();
  return [line.slice(0, at).trim(), column === '' ? null : column];
};

/** Null: nothing is mapped. */
export const mappingOf = (fields: string, identifying: string): NewMapping | null => {
  const lines = fields.split('\n').map((line) => line.trim());
  const entries = lines.filter((line) => line !== '').map(entryOf);
  const columns = identifying.split(',').map((name) => name.trim());
  const entityIdFrom = columns.filter((name) => name !== '');
  if (entries.length === 0 && entityIdFrom.length === 0) return null;
  return { fields: Object.fromEntries(entries), entityIdFrom: entityIdFrom.length === 0 ? null : entityIdFrom };
};
