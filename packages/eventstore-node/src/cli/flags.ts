/** Parses the flags of a command. Unknown, missing or malformed flags are reported in one line, with exit code 2. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type Either, left, right } from 'fp-ts/Either';

export const printError = (message: string, code = 2): number => {
  process.stderr.write(`${message}\n`);
  return code;
};

type Flags = NonNullable<ParseArgsConfig['options']>;
type Values<Wanted extends Flags> = ReturnType<
  typeof parseArgs<{ readonly args: string[]; readonly options: Wanted; readonly strict: true }>
>['values'];

/** Left is the complaint. */
export const parseFlags = <Wanted extends Flags>(
  argv: readonly string[],
  options: Wanted,
): Either<string, Values<Wanted>> => {
  try {
    return right(parseArgs({ args: [...argv], options, strict: true }).values);
  } catch (error) {
    return left((error as Error).message);
  }
};
