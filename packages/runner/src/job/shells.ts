/** The command line that runs a step's script in its shell. */
import { existsSync } from 'node:fs';
import { type Either, left, right } from 'fp-ts/Either';

interface Shell {
  /** `{0}` is the script. */
  readonly command: string;
  readonly extension: string;
}

const shells: { readonly [name: string]: Shell } = {
  bash: { command: 'bash --noprofile --norc -eo pipefail {0}', extension: '.sh' },
  sh: { command: 'sh -e {0}', extension: '.sh' },
  python: { command: 'python {0}', extension: '.py' },
  pwsh: { command: `pwsh -NoLogo -NonInteractive -File {0}`, extension: '.ps1' },
};

const defaultShell: Shell = { command: 'bash -e {0}', extension: '.sh' };

/** Distributions without `python` have `python3`. */
const python = (): string =>
  ['/usr/local/bin', '/usr/bin', '/bin'].some((folder) => existsSync(`${folder}/python`)) ? 'python' : 'python3';

/** Splits a command at spaces outside of quotes. */
const wordsOf = (command: string): readonly string[] =>
  [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );

export interface ShellCommand {
  readonly extension: string;
  readonly argv: (script: string) => readonly string[];
}

/** Null: `bash -e`. Left: what is wrong with the name. */
export const shellCommand = (shell: string | null): Either<string, ShellCommand> => {
  const known = shell === null || shell.trim() === '' ? defaultShell : shells[shell.trim()];
  if (known === undefined && !shell?.includes('{0}'))
    return left(`The shell ${shell} is not known. It is bash, sh, python, pwsh, or a command with {0}.`);
  const { command, extension } = known ?? { command: shell ?? '', extension: '' };
  const [program = '', ...rest] = wordsOf(command);
  const words = [known === shells.python ? python() : program, ...rest];
  return right({ extension, argv: (script) => words.map((word) => word.replaceAll('{0}', script)) });
};
