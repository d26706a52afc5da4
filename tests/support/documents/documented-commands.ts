/** Commands of `package.json` in Markdown: in code spans, and in lines of code blocks. */

export interface DocumentedCommand {
  /** `start`, `test`, or what follows `npm run`. */
  readonly script: string;
  /** What follows ` -- `, in one line. Undefined: nothing, so that the script is only named. */
  readonly usage: string | undefined;
}

const command = /(?:^|[\s`(])npm (start|test|run (?:-s |--silent )?[\w:-]+)(?: +-- +([^\n]*))?/;

/** A comment may stand behind, after some space; and the sign that puts the command into the background. */
const withoutComment = (usage: string): string => (usage.split(/ {2,}| [#>] /, 1)[0] as string).replace(/ &$/, '');

const commandIn = (code: string): readonly DocumentedCommand[] => {
  const [, named, usage] = command.exec(code) ?? [];
  if (named === undefined) return [];
  const script = named.replace(/^run (?:-s |--silent )?/, '');
  return [{ script, usage: usage === undefined ? undefined : withoutComment(usage).trim() || undefined }];
};

export const documentedCommands = (markdown: string): readonly DocumentedCommand[] => {
  const parts = markdown.split(/^```.*$/m);
  const blocks = parts.filter((_, index) => index % 2 === 1).join('\n');
  const prose = parts.filter((_, index) => index % 2 === 0).join('\n');
  const spans = [...prose.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll(/\s*\n\s*/g, ' '));
  const lines = [blocks, ...prose.split('\n').filter((line) => /^(?: {4}|# {2,})npm /.test(line))]
    .join('\n')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n');
  return [...spans, ...lines].flatMap(commandIn);
};

const wordsOf = (text: string): readonly string[] =>
  [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');

/** `<view>` and `<part>...` stand for a value. */
const asValue = (word: string): string => word.replace(/^<([^>]+)>(?:\.\.\.)?$/, '$1');

/** A group of words, with the choices that `|` separates. */
interface Group {
  readonly isOptional: boolean;
  readonly choices: readonly (readonly string[])[];
}

const groupsOf = (usage: string): readonly Group[] =>
  [...usage.matchAll(/\[([^\]]*)\]|"[^"]*"|[^\s[\]]+/g)].map(([whole, optional]) =>
    optional === undefined
      ? { isOptional: false, choices: (whole.startsWith('"') ? [whole] : whole.split('|')).map(wordsOf) }
      : { isOptional: true, choices: optional.split(' | ').map(wordsOf) },
  );

/** Arguments for each choice, without what may be left out, and with all of it. */
export const expandUsage = (usage: string): readonly (readonly string[])[] => {
  const groups = groupsOf(usage);
  const build = (chosen: (group: Group, index: number) => readonly string[]): readonly string[] =>
    groups.flatMap((group, index) => chosen(group, index).map(asValue));
  const first = ({ choices }: Group): readonly string[] => choices[0] ?? [];
  const least = (group: Group): readonly string[] => (group.isOptional ? [] : first(group));
  const each = groups.flatMap(({ choices }, at) =>
    choices.map((choice) => build((group, index) => (index === at ? choice : least(group)))),
  );
  const all = [build(least), build(first), ...each];
  return [...new Map(all.map((args) => [args.join('\n'), args])).values()];
};
