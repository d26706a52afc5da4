/** Fields of one CSV record (RFC 4180), whose line ends are cut off. */
import type { FileRecord } from './file-record';

/** Undefined: a quote is not closed, or something follows it. Quotes inside an unquoted field are text. */
export const csvFields = (record: string, separator: string): readonly string[] | undefined => {
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    if (record[at] === '"') {
      let value = '';
      let from = at + 1;
      for (;;) {
        const end = record.indexOf('"', from);
        if (end < 0) return undefined;
        value += record.slice(from, end);
        at = end + 1;
        if (record[at] !== '"') break;
        value += '"';
        from = at + 1;
      }
      if (at < record.length && record[at] !== separator) return undefined;
      fields.push(value);
    } else {
      const end = record.indexOf(separator, at);
      fields.push(record.slice(at, end < 0 ? record.length : end));
      at = end < 0 ? record.length : end;
    }
    if (at >= record.length) return fields;
    at += 1;
  }
};

/** Undefined: the record declares none. */
export const declaredSeparator = (record: FileRecord): string | undefined =>
  'fault' in record ? undefined : /^"?sep=([,;\t|])"?$/i.exec(record.bytes.toString('latin1'))?.[1];

const separators = [',', ';', '\t', '|'];

/** The one that cuts the header into the most columns. */
export const separatorOf = (header: string): string =>
  separators.reduce((best, one) =>
    (csvFields(header, one)?.length ?? 0) > (csvFields(header, best)?.length ?? 0) ? one : best,
  );
