/** How common programs print a value, by the program. */

const percentEncode = (text: string, keep: RegExp): string =>
  [...text]
    .map((character) =>
      keep.test(character)
        ? character
        : encodeURIComponent(character).replace(
            /^[!'()*]$/,
            (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
          ),
    )
    .join('');

const asciiJson = (text: string): string =>
  JSON.stringify(text)
    .replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .slice(1, -1);

const xmlEscape = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

const characterReferences = (text: string, hex: boolean): string =>
  [...text]
    .map((character) => `&#${hex ? `x${character.codePointAt(0)?.toString(16)}` : character.codePointAt(0)};`)
    .join('');

const base64At = (text: string, before: string): string => Buffer.from(`${before}${text}`).toString('base64');

const wrap = (text: string, width: number): string => text.replace(new RegExp(`(.{${width}})`, 'g'), '$1\n');

export const encodings: { readonly [program: string]: (value: string) => string } = {
  'as it is': (value) => value,
  encodeURIComponent: encodeURIComponent,
  encodeURI: encodeURI,
  'urllib.parse.quote': (value) => percentEncode(value, /[\w.~/-]/),
  'curl --data-urlencode': (value) => percentEncode(value, /[\w.~-]/),
  'lower-case percents': (value) => encodeURIComponent(value).replace(/%../g, (each) => each.toLowerCase()),
  'every second character': (value) =>
    [...value]
      .map((character, index) =>
        index % 2 === 0
          ? [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
          : character === '%'
            ? '%25'
            : character,
      )
      .join(''),
  'a form': (value) => new URLSearchParams({ value }).toString().slice('value='.length),
  'JSON.stringify': (value) => JSON.stringify(value).slice(1, -1),
  'json.dumps': asciiJson,
  json_encode: (value) => JSON.stringify(value).slice(1, -1).replaceAll('/', '\\/'),
  'shlex.quote': (value) => `'${value.replaceAll("'", `'"'"'`)}'`,
  'set -x': (value) => `'${value.replaceAll("'", "'\\''")}'`,
  'printf %q': (value) => value.replace(/[^\w./:=@%^+,\u0080-\uffff-]/g, '\\$&'),
  SQL: (value) => `'${value.replaceAll("'", "''")}'`,
  CSV: (value) => `"${value.replaceAll('"', '""')}"`,
  XML: xmlEscape,
  'decimal references': (value) => characterReferences(value, false),
  'hexadecimal references': (value) => characterReferences(value, true),
  base64: (value) => base64At(value, ''),
  'base64 after one byte': (value) => base64At(value, 'x'),
  'base64 after two bytes': (value) => base64At(value, 'xy'),
  'base64 of addresses': (value) => Buffer.from(`user:${value}`).toString('base64url'),
  'base64 -w 76': (value) => wrap(base64At(`${'x'.repeat(57)}${value.repeat(8)}`, ''), 76),
  'xxd -p': (value) => Buffer.from(value).toString('hex'),
  HEX: (value) => Buffer.from(value).toString('hex').toUpperCase(),
};
