/**
 * Which files an artifact has, and their names in it, as `actions/upload-artifact` 4 has it: patterns of `@actions/glob`, and names from the directory
 * that all searches have in common. Programs in the sandbox match the patterns: one that takes forever ends with its step.
 */
import { posix } from 'node:path';

/** Absolute, as programs in the sandbox name it. A search begins at the path before the first wildcard. */
export interface ArtifactPattern {
  readonly excludes: boolean;
  readonly path: string;
  readonly searchPath: string;
}

export interface ArtifactFiles {
  /** Names are relative to it. */
  readonly root: string;
  readonly names: readonly string[];
  /** How many were left out: something in the search, from where it began, has a dot before its name. */
  readonly hidden: number;
}

interface Places {
  readonly workspace: string;
  readonly home: string;
}

const isWildcard = (segment: string): boolean =>
  /[*?]/.test(segment) || (segment.includes('[') && segment.indexOf(']', segment.indexOf('[')) !== -1);

const withoutMarks = (line: string): { readonly excludes: boolean; readonly rest: string } => {
  let [excludes, rest] = [false, line];
  for (; rest.startsWith('!'); rest = rest.slice(1).trim()) excludes = !excludes;
  return { excludes, rest };
};

const patternOf = (line: string, { workspace, home }: Places): ArtifactPattern => {
  const { excludes, rest } = withoutMarks(line);
  const named = rest === '~' || rest.startsWith('~/') ? `${home}${rest.slice(1)}` : rest;
  const path = posix.resolve(workspace, named);
  const segments = path.split('/');
  const first = segments.findIndex(isWildcard);
  const literal = first === -1 ? path : segments.slice(0, first).join('/');
  return { excludes, path, searchPath: literal === '' ? '/' : literal };
};

/** A line each, without empty lines and comments. */
export const artifactPatterns = (lines: string, places: Places): readonly ArtifactPattern[] =>
  lines
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => patternOf(line, places));

/**
 * Its arguments are patterns behind `+` or `-`. Prints the paths of all files that match, with NUL after each; later patterns decide over earlier
 * ones. A directory that matches stands for all files in it. Links are followed.
 */
export const findFilesScript = `shopt -s globstar nullglob dotglob
export LC_ALL=C
IFS=
chosen=$(mktemp) && matched=$(mktemp) && next=$(mktemp) || exit 4
for argument in "$@"; do
  pattern="\${argument#?}"
  for path in $pattern; do
    if [ -d "$path" ]; then find -L "$path" -type f -print0 2> /dev/null; elif [ -f "$path" ]; then printf '%s\\0' "$path"; fi
  done | sort -zu > "$matched"
  case "$argument" in
    +*) sort -zum "$chosen" "$matched" > "$next";;
    *) comm -z -23 "$chosen" "$matched" > "$next";;
  esac || exit 4
  mv "$next" "$chosen" || exit 4
done
cat "$chosen" || exit 4
rm -f "$chosen" "$matched"`;

export const findFilesArguments = (patterns: readonly ArtifactPattern[]): readonly string[] =>
  patterns.map(({ excludes, path }) => `${excludes ? '-' : '+'}${path}`);

const isWithin = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`);

/** None lies in another one. */
const searchPathsOf = (patterns: readonly ArtifactPattern[]): readonly string[] => {
  const all = new Set(patterns.filter(({ excludes }) => !excludes).map(({ searchPath }) => searchPath));
  return [...all].filter((path) => ![...all].some((other) => other !== path && isWithin(path, other)));
};

const commonDirectory = (paths: readonly string[]): string => {
  const [first = [], ...others] = paths.map((path) => path.split('/'));
  const different = first.findIndex((segment, index) => others.some((segments) => segments[index] !== segment));
  const common = first.slice(0, different === -1 ? first.length : different).join('/');
  return common === '' ? '/' : common;
};

export const nameArtifactFiles = (
  patterns: readonly ArtifactPattern[],
  found: readonly string[],
  includesHidden: boolean,
): ArtifactFiles => {
  const searchPaths = searchPathsOf(patterns);
  const isHidden = (file: string): boolean => {
    const start = searchPaths.find((path) => isWithin(file, path)) ?? '/';
    return posix
      .relative(posix.dirname(start), file)
      .split('/')
      .some((name) => name.startsWith('.'));
  };
  const files = includesHidden ? found : found.filter((file) => !isHidden(file));
  const [start = '/'] = searchPaths;
  const isOneFile = searchPaths.length === 1 && files.length === 1 && files[0] === start;
  const root = isOneFile ? posix.dirname(start) : commonDirectory(searchPaths);
  return { root, names: files.map((file) => posix.relative(root, file)), hidden: found.length - files.length };
};
