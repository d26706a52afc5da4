/** Help texts, made of declarations. */
import type { Argument, Command, CommandSet, OptionDeclaration, Options, Program } from './declaration';

const width = 100;
const widestTerm = 30;

const wrapped = (text: string, indent: number): string => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
};

interface Row {
  readonly term: string;
  readonly about: string;
}

/** Terms in one column, their sentences in another. A term that is too long has a line of its own. */
const table = (rows: readonly Row[], indent = 2): string => {
  const column = Math.min(widestTerm, Math.max(0, ...rows.map(({ term }) => term.length))) + 2;
  const start = ' '.repeat(indent);
  return rows
    .map(({ term, about }) => {
      const text = wrapped(about, indent + column);
      return term.length + 2 > column
        ? `${start}${term}\n${' '.repeat(indent + column)}${text}`
        : `${start}${term.padEnd(column)}${text}`;
    })
    .join('\n');
};

const optionTerm = (name: string, option: OptionDeclaration): string =>
  option.type === 'boolean' ? `--${name}` : `--${name} ${option.value}`;

const argumentTerm = ({ name, many }: Argument): string => (many === true ? `<${name}>...` : `<${name}>`);

const optionUsage = (name: string, option: OptionDeclaration): string => {
  const term = optionTerm(name, option);
  if (option.type === 'boolean') return `[${term}]`;
  return option.required === true ? term : `[${term}]${option.multiple === true ? '...' : ''}`;
};

const argumentUsage = (argument: Argument): string =>
  argument.optional === true ? `[${argumentTerm(argument)}]` : argumentTerm(argument);

/** `npm run audit -- <stream> [--verify]`. */
export const usageOf = (name: string, { arguments: declared = [], options = {} }: Command): string =>
  [name, ...declared.map(argumentUsage), ...Object.entries(options).map((one) => optionUsage(...one))].join(' ');

const optionRow = (name: string, option: OptionDeclaration): Row => {
  const isDefaultStated = option.type === 'boolean' || option.default === undefined || option.default === '';
  return {
    term: optionTerm(name, option),
    about: isDefaultStated ? option.about : `${option.about} (default: ${option.default})`,
  };
};

const rowsOf = (declared: readonly Argument[], options: Options): readonly Row[] => [
  ...declared.map((argument) => ({ term: argumentTerm(argument), about: argument.about })),
  ...Object.entries(options).map((one) => optionRow(...one)),
];

const helpRow: Row = { term: '--help', about: 'prints this text' };

const paragraphs = (...texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n\n');

/** Of one command. */
export const commandHelp = (name: string, command: Command, notes: readonly string[] = []): string =>
  paragraphs(
    `Usage: ${wrapped(usageOf(name, command), 11)}`,
    wrapped(command.about, 0),
    table([...rowsOf(command.arguments ?? [], command.options ?? {}), helpRow]),
    ...notes.map((note) => wrapped(note, 0)),
  );

const commandBlock = (name: string, command: Command): string => {
  const rows = rowsOf(command.arguments ?? [], command.options ?? {});
  return [`  ${wrapped(usageOf(name, command), 11)}`, `      ${wrapped(command.about, 6)}`]
    .concat(rows.length === 0 ? [] : [table(rows, 8)])
    .join('\n');
};

const setHelp = ({ name, about, commands, notes = [] }: CommandSet): string =>
  paragraphs(
    `Usage: ${name} <command> [options]`,
    wrapped(about, 0),
    ...Object.entries(commands).map((one) => commandBlock(...one)),
    table([helpRow]),
    ...notes.map((note) => wrapped(note, 0)),
  );

export const helpOf = (program: Program): string =>
  'commands' in program ? setHelp(program) : commandHelp(program.name, program, program.notes);
