#!/usr/bin/env node
/**
 * The program `eventstore-node <command>`, in this project `npm run eventstore -- <command>`. Each command is a file of
 * this folder.
 */
import { printError } from './flags';

const usages: Readonly<Record<string, string>> = {
  serve: `serve --data DIR [--certs DIR] [--host 127.0.0.1] [--port 2113] [--insecure-anywhere]
      speaks EventStoreDB's gRPC protocol; --port 0 takes a free port`,
  backup: `backup --data DIR --out DIR
      a consistent copy of a log, also while it is served`,
  restore: `restore --from BACKUP --data DIR [--verify]
      a backup into a directory that holds no log`,
  stats: `stats (--data DIR | --url URL)
      what a log holds and takes`,
  export: `export --url URL [--out FILE|-] [--from POSITION] [--system]
      the log of any EventStoreDB as lines of JSON`,
  import: `import (--url URL | --data DIR) [--in FILE|-] [--system]
      such lines into any EventStoreDB, or into a directory that holds no log`,
  scavenge: `scavenge --url esdb://… | --data DIR
      removes what metadata, deletes and tombstones allow: of a running node, or of a directory that none serves`,
  certs: `certs --out DIR [--host NAME]... [--ip ADDRESS]... [--days N] [--renew]
      an authority, once, and a certificate for a node, which --renew replaces
      (for localhost, 127.0.0.1 and ::1 when nothing is named)`,
  verify: `verify --data DIR
      walks everything, also while it is served; names the first damage and ends with 1`,
};

/** Returns the exit code. */
type Run = (argv: readonly string[]) => Promise<number>;

const program = process.env.npm_lifecycle_event === 'eventstore' ? 'npm run eventstore --' : 'eventstore-node';

const usage = (): string =>
  [`Usage: ${program} <command>`, ...Object.values(usages).map((text) => `  ${text}`)].join('\n\n');

interface Command {
  readonly run: Run;
}

/** Loaded only when it is requested, so that a node loads only what serving needs. */
const commands: Readonly<Record<string, () => Command>> = {
  serve: () => require('./serve') as Command,
  backup: () => require('./backup') as Command,
  restore: () => require('./restore') as Command,
  stats: () => require('./stats') as Command,
  export: () => require('./export') as Command,
  import: () => require('./import') as Command,
  scavenge: () => require('./scavenge') as Command,
  certs: () => require('./certs') as Command,
  verify: () => require('./verify') as Command,
};

const main = async (argv: readonly string[]): Promise<number> => {
  const [command = '', ...rest] = argv;
  const load = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (load === undefined) return printError(usage());
  const code = await load().run(rest);
  return code === 2 ? printError(usages[command] ?? '') : code;
};

if (require.main === module)
  main(process.argv.slice(2)).then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      process.exitCode = printError(error instanceof Error ? error.message : String(error), 1);
    },
  );
