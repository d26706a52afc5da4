/** Parses arguments by a declaration. */
import { parseArgs } from 'node:util';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Argument, Command, CommandSet, Options, Parsed, ParsedCommand, Refusal, Tool } from './declaration';
import { commandHelp, helpOf, usageOf } from './help';
import { describeUnknown, similarNames, suggestion } from './similar-names';

const help = (text: string): Refusal => ({ text, code: 0 });
const mistake = (message: string, ...lines: readonly string[]): Refusal => ({
  text: [message, ...lines].join('\n'),
  code: 2,
});

const wantsHelp = (args: readonly string[]): boolean => {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).some((arg) => arg === '--help' || arg === '-h');
};

const takesValue = (arg: string | undefined, options: Options): boolean =>
  arg?.startsWith('--') === true && options[arg.slice(2)]?.type === 'string';

/** There are no options of one letter, and a key id may begin with a dash: such arguments are positionals, after all others. */
const withDashedPositionals = (args: readonly string[], options: Options): string[] => {
  const isDashed = (arg: string, index: number): boolean => /^-[^-]/.test(arg) && !takesValue(args[index - 1], options);
  if (args.includes('--')) return [...args];
  const dashed = args.filter(isDashed);
  return dashed.length === 0 ? [...args] : [...args.filter((arg, index) => !isDashed(arg, index)), '--', ...dashed];
};

interface Given {
  /** All values of each option. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly positionals: readonly string[];
}

/** Left: what is wrong with an option. */
const readTokens = (options: Options, args: readonly string[]): Either<string, Given> => {
  const types = Object.fromEntries(Object.entries(options).map(([name, { type }]) => [name, { type }]));
  const { tokens, positionals } = parseArgs({
    args: withDashedPositionals(args, options),
    options: types,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values = new Map<string, readonly string[]>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined) {
      const similar = similarNames(name, Object.keys(options)).map((one) => `--${one}`);
      return left(`There is no option ${rawName}.${suggestion(similar)}`);
    }
    if (option.type === 'boolean') {
      if (value !== undefined) return left(`--${name} takes no value.`);
      values.set(name, ['true']);
      continue;
    }
    if (value === undefined) return left(`--${name} needs a value: --${name} ${option.value}.`);
    if (inlineValue === false && /^-./.test(value))
      return left(
        `--${name} needs a value: --${name} ${option.value}. One that begins with a dash: --${name}=${value}.`,
      );
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return right({ values, positionals });
};

const assignedValue = (option: Options[string], given: readonly string[] | undefined): unknown => {
  if (option.type === 'boolean') return given !== undefined;
  if (option.multiple === true) return given ?? [];
  return given?.at(-1) ?? option.default;
};

/** Left: which one is missing, or one too many. */
const assign = (declared: readonly Argument[], given: readonly string[]): Either<string, Record<string, unknown>> => {
  const found: Record<string, unknown> = {};
  for (const [index, { name, optional, many }] of declared.entries()) {
    const value = many === true ? given.slice(index) : given[index];
    if (optional !== true && (value === undefined || value.length === 0)) return left(`<${name}> is missing.`);
    found[name] = value;
  }
  const extra = declared.at(-1)?.many === true ? undefined : given[declared.length];
  return extra === undefined ? right(found) : left(`Unexpected argument ${extra}.`);
};

const parseInto = (
  { arguments: declared = [], options = {} }: Command,
  args: readonly string[],
): Either<string, Parsed<Command>> => {
  const given = readTokens(options, args);
  if (isLeft(given)) return given;
  const { values, positionals } = given.right;
  const assigned = assign(declared, positionals);
  if (isLeft(assigned)) return assigned;
  for (const [name, option] of Object.entries(options))
    if (option.type === 'string' && option.required === true && !values.has(name))
      return left(`--${name} is missing${option.whenMissing === undefined ? '' : `: ${option.whenMissing}`}.`);
  const parsed = Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, assignedValue(option, values.get(name))]),
  );
  return right({ options: parsed, arguments: assigned.right } as Parsed<Command>);
};

/** Messages of a mistake end with how the command is used. */
export const mistakeIn = (name: string, command: Command, message: string): Refusal =>
  mistake(message, `Usage: ${usageOf(name, command)}`, `${name} --help explains each option.`);

const parseCommandOf = (
  name: string,
  command: Command,
  { args, notes }: { readonly args: readonly string[]; readonly notes?: readonly string[] | undefined },
): Either<Refusal, Parsed<Command>> => {
  if (wantsHelp(args)) return left(help(commandHelp(name, command, notes)));
  const parsed = parseInto(command, args);
  return isLeft(parsed) ? left(mistakeIn(name, command, parsed.left)) : parsed;
};

export const parseTool = <Declared extends Tool>(
  declared: Declared,
  args: readonly string[],
): Either<Refusal, Parsed<Declared>> =>
  parseCommandOf(declared.name, declared, { args, notes: declared.notes }) as Either<Refusal, Parsed<Declared>>;

export const parseCommandSet = <Declared extends CommandSet>(
  declared: Declared,
  args: readonly string[],
): Either<Refusal, ParsedCommand<Declared>> => {
  const { name, commands, notes } = declared;
  const [word, ...rest] = args;
  const text = helpOf(declared);
  if (word === undefined) return left({ text, code: 2 });
  const command = Object.hasOwn(commands, word) ? commands[word] : undefined;
  if (command === undefined) {
    if (wantsHelp(args)) return left(help(text));
    return left(
      mistake(describeUnknown('command', word, Object.keys(commands)), `${name} --help explains each command.`),
    );
  }
  const parsed = parseCommandOf(`${name} ${word}`, command, { args: rest, notes });
  if (isLeft(parsed)) return parsed;
  return right({ command: word, ...parsed.right } as unknown as ParsedCommand<Declared>);
};
