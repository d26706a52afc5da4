/** What the ending of a file's name promises. */
import { extname } from 'node:path';
import type { FileFormat } from '../../../../domain/files/content/read-result';

const endings: Readonly<Record<FileFormat, string>> = {
  pdf: 'pdf',
  docx: 'docx docm dotx dotm',
  pptx: 'pptx pptm potx potm ppsx ppsm',
  xlsx: 'xlsx xlsm xltx xltm',
  csv: 'csv tsv tab',
  markdown: 'md markdown mdown mkd',
  html: 'html htm xhtml',
  text: 'txt text log rst adoc asciidoc org srt vtt ini conf cfg env properties',
  code: [
    'c h cc cpp cxx hpp hh cs java kt kts scala groovy go rs swift m mm js mjs cjs jsx ts mts cts tsx vue svelte py pyi rb php pl pm lua r jl',
    'hs erl ex exs clj cljs ml fs fsx dart sh bash zsh fish ps1 bat cmd sql graphql proto thrift json jsonl ndjson json5 yaml yml toml xml xsd',
    'xsl svg css scss less tf hcl gradle cmake mk diff patch tex bib asm s v vhd sol nix ipynb',
  ].join(' '),
  image: 'png jpg jpeg jpe jfif gif webp tif tiff bmp avif heic heif',
  audio: 'mp3 wav flac ogg oga opus m4a aac aif aiff wma amr',
  video: 'mp4 m4v mov mkv webm avi mpg mpeg ogv wmv flv 3gp ts',
};

const formats = new Map(
  (Object.entries(endings) as [FileFormat, string][]).flatMap(([format, list]) =>
    list.split(' ').map((ending) => [ending, format] as const),
  ),
);

/** What programs and their builds are named without an ending. */
const codeNames = new Set([
  'dockerfile',
  'makefile',
  'jenkinsfile',
  'vagrantfile',
  'gemfile',
  'rakefile',
  'cmakelists.txt',
]);

/** Without the dot, in lower case; empty where a name has none. */
export const endingOf = (name: string): string => extname(name).slice(1).toLowerCase();

/** Undefined: the name promises nothing that is known. `ts` may be a film, too. */
export const formatOfName = (name: string): FileFormat | undefined => {
  if (codeNames.has(name.toLowerCase())) return 'code';
  const ending = endingOf(name);
  return ending === 'ts' ? 'code' : formats.get(ending);
};

/** Stands for a file's name, of which readers learn the ending only. */
export const nameWithEnding = (ending: string): string => (ending === '' ? 'file' : `file.${ending}`);
