/** What a program takes on its command line. */

interface TextOption {
  readonly type: 'string';
  /** Stands for the value in help, as DIR. */
  readonly value: string;
  readonly about: string;
  /** Required ones are reported when they are missing. */
  readonly required?: boolean;
  /** What would happen without it, for that report. */
  readonly whenMissing?: string;
  readonly default?: string;
  /** May be given more than once. */
  readonly multiple?: boolean;
}

interface SwitchOption {
  readonly type: 'boolean';
  readonly about: string;
}

export type OptionDeclaration = TextOption | SwitchOption;
export type Options = Readonly<Record<string, OptionDeclaration>>;

export interface Argument {
  readonly name: string;
  readonly about: string;
  readonly optional?: boolean;
  /** Takes all that follow; only the last argument may. */
  readonly many?: boolean;
}

export interface Command {
  /** One sentence. */
  readonly about: string;
  readonly arguments?: readonly Argument[];
  readonly options?: Options;
}

/** A program that does one thing. */
export interface Tool extends Command {
  /** How it is called, as `npm run audit --`. */
  readonly name: string;
  /** Paragraphs below its options. */
  readonly notes?: readonly string[];
}

/** A program whose first argument is a command. */
export interface CommandSet {
  readonly name: string;
  readonly about: string;
  readonly commands: Readonly<Record<string, Command>>;
  readonly notes?: readonly string[];
}

export type Program = Tool | CommandSet;

/** Keeps the types of names and options. */
export const tool = <const Declared extends Tool>(declared: Declared): Declared => declared;
export const commandSet = <const Declared extends CommandSet>(declared: Declared): Declared => declared;

type ValueOf<Declared> = Declared extends { readonly type: 'boolean' }
  ? boolean
  : Declared extends { readonly multiple: true }
    ? readonly string[]
    : Declared extends { readonly required: true } | { readonly default: string }
      ? string
      : string | undefined;

type ArgumentValue<Declared> = Declared extends { readonly many: true }
  ? readonly string[]
  : Declared extends { readonly optional: true }
    ? string | undefined
    : string;

type OptionsOf<Declared> = Declared extends { readonly options: infer Of } ? Of : Record<never, never>;
type ArgumentsOf<Declared> = Declared extends { readonly arguments: infer Of extends readonly Argument[] }
  ? Of
  : readonly [];

export interface Parsed<Declared extends Command> {
  readonly options: { readonly [Name in keyof OptionsOf<Declared>]: ValueOf<OptionsOf<Declared>[Name]> };
  readonly arguments: {
    readonly [One in ArgumentsOf<Declared>[number] as One['name']]: ArgumentValue<One>;
  };
}

/** One of the commands, with what it was given. */
export type ParsedCommand<Declared extends CommandSet> = {
  readonly [Name in keyof Declared['commands'] & string]: { readonly command: Name } & Parsed<
    Declared['commands'][Name]
  >;
}[keyof Declared['commands'] & string];

/** What to print instead of running: help, or what is wrong. */
export interface Refusal {
  readonly text: string;
  /** 0: help was requested. */
  readonly code: 0 | 2;
}
