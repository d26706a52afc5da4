/** Shared by all command-line tools: prints lines, parses arguments, exits with a code. */
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** The result, on stdout; all else goes to stderr. */
export const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

export const stop = (line: string, code: number): never => {
  process.stderr.write(`${line}\n`);
  process.exit(code);
};

/**
 * No tool has options of one letter, and a key id may begin with a dash: such arguments are positionals, after all others.
 * After an option that takes a value, `parseArgs` itself refuses them.
 */
const withDashedPositionals = (args: readonly string[]): string[] => {
  const isDashed = (arg: string, index: number): boolean => /^-[^-]/.test(arg) && !args[index - 1]?.startsWith('--');
  if (args.includes('--')) return [...args];
  const dashed = args.filter(isDashed);
  return dashed.length === 0 ? [...args] : [...args.filter((arg, index) => !isDashed(arg, index)), '--', ...dashed];
};

/** Prints the usage and exits at an unknown option. */
export const parseArguments = <const Options extends NonNullable<ParseArgsConfig['options']>>(
  options: Options,
  usage: string,
  args: readonly string[] = process.argv.slice(2),
) => {
  try {
    return parseArgs({ args: withDashedPositionals(args), allowPositionals: true, options });
  } catch (error) {
    return stop(`${(error as Error).message}\n${usage}`, 2);
  }
};

/** An error with a code has a readable message; any other is printed with its location, as a defect. */
const textOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? error.message : String(error.stack);
};

/** Runs to the end of the process, also where something still holds it open. Answers a code, or nothing for 0. */
export const runTool = (main: () => Promise<unknown>): void => {
  main().then(
    (code) => process.exit(typeof code === 'number' ? code : 0),
    (error: unknown) => stop(textOf(error), 1),
  );
};
