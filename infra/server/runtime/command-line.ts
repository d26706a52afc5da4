/** Shared by all command-line tools: reads arguments, prints lines, exits with a code. */
import { type Either, isLeft } from 'fp-ts/Either';
import {
  type CommandSet,
  helpOf,
  mistakeIn,
  type Parsed,
  type ParsedCommand,
  parseCommandSet,
  parseTool,
  type Refusal,
  type Tool,
} from '../../../packages/command-line/src/index';

/** The result, on stdout; all else goes to stderr. */
export const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

export const stop = (line: string, code: number): never => {
  process.stderr.write(`${line}\n`);
  process.exit(code);
};

const orExit = <Found>(parsed: Either<Refusal, Found>): Found => {
  if (!isLeft(parsed)) return parsed.right;
  const { text, code } = parsed.left;
  if (code !== 0) return stop(text, code);
  printLine(text);
  process.exit(0);
};

const ownArguments = (): readonly string[] => process.argv.slice(2);

/** Prints help, or what is wrong, and exits, unless the arguments can be used. */
export const readArguments = <Declared extends Tool>(declared: Declared, args = ownArguments()): Parsed<Declared> =>
  orExit(parseTool(declared, args));

/** The same for a tool whose first argument is a command. */
export const readCommand = <Declared extends CommandSet>(
  declared: Declared,
  args = ownArguments(),
): ParsedCommand<Declared> => orExit(parseCommandSet(declared, args));

/** For mistakes that the declaration cannot express. */
export const refuseArguments = (declared: Tool, message: string): never =>
  stop(mistakeIn(declared.name, declared, message).text, 2);

/** The same, of one command. */
export const refuseCommand = (declared: CommandSet, command: string, message: string): never => {
  const of = declared.commands[command];
  return stop(of === undefined ? helpOf(declared) : mistakeIn(`${declared.name} ${command}`, of, message).text, 2);
};

const maxReasonLength = 500;

/** Undefined when it can be recorded; otherwise what is wrong. */
export const faultOfReason = (reason: string): string | undefined => {
  if (reason.trim() === '') return 'Name the reason: --reason TEXT.';
  return reason.length > maxReasonLength ? `--reason is longer than ${maxReasonLength} characters.` : undefined;
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
