#!/usr/bin/env node
/** The program `eventstore-node <command>`, in this project `npm run eventstore -- <command>`. Each command is a file of this folder. */
import { isLeft } from 'fp-ts/Either';
import { parseCommandSet, usageOf } from '../../../command-line/src/index';
import { printError } from './print-error';
import { type OptionsOf, program } from './program';

interface Command<Options> {
  /** Returns the exit code; 2: the options do not fit. */
  readonly run: (options: Options) => Promise<number>;
}

type Commands = { readonly [Name in keyof typeof program.commands]: () => Command<OptionsOf<Name>> };

/** Loaded only when it is requested, so that a node loads only what serving needs. */
const commands: Commands = {
  serve: () => require('./serve') as Command<OptionsOf<'serve'>>,
  backup: () => require('./backup') as Command<OptionsOf<'backup'>>,
  restore: () => require('./restore') as Command<OptionsOf<'restore'>>,
  stats: () => require('./stats') as Command<OptionsOf<'stats'>>,
  export: () => require('./export') as Command<OptionsOf<'export'>>,
  import: () => require('./import') as Command<OptionsOf<'import'>>,
  scavenge: () => require('./scavenge') as Command<OptionsOf<'scavenge'>>,
  certs: () => require('./certs') as Command<OptionsOf<'certs'>>,
  verify: () => require('./verify') as Command<OptionsOf<'verify'>>,
};

const main = async (argv: readonly string[]): Promise<number> => {
  const parsed = parseCommandSet(program, argv);
  if (isLeft(parsed)) {
    const { text, code } = parsed.left;
    if (code !== 0) return printError(text, code);
    process.stdout.write(`${text}\n`);
    return 0;
  }
  const { command, options } = parsed.right;
  const code = await (commands[command]() as Command<typeof options>).run(options);
  return code === 2 ? printError(`Usage: ${usageOf(`${program.name} ${command}`, program.commands[command])}`) : code;
};

export { program };

if (require.main === module)
  main(process.argv.slice(2)).then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      process.exitCode = printError(error instanceof Error ? error.message : String(error), 1);
    },
  );
