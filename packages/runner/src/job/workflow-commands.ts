/** Commands that programs print, a line each: `::error file=a.ts,line=3::message`. */

export interface WorkflowCommand {
  /** In lower case. */
  readonly name: string;
  readonly properties: { readonly [name: string]: string };
  readonly message: string;
}

const unescapeMessage = (text: string): string =>
  text.replace(/%0D/gi, '\r').replace(/%0A/gi, '\n').replace(/%25/g, '%');

const unescapeProperty = (text: string): string => unescapeMessage(text.replace(/%3A/gi, ':').replace(/%2C/gi, ','));

const nameForm = /^[A-Za-z][\w-]*$/;

const propertiesOf = (text: string): WorkflowCommand['properties'] =>
  Object.fromEntries(
    text
      .split(',')
      .map((pair) => pair.trim())
      .filter((pair) => pair.indexOf('=') > 0)
      .map((pair) => [pair.slice(0, pair.indexOf('=')).trim(), unescapeProperty(pair.slice(pair.indexOf('=') + 1))]),
  );

/** A script, or a name made of its first line, without the values of its `add-mask` commands: it is logged before they run. */
export const hideMaskedValues = (text: string): string => text.replace(/(::[^\S\n]*add-mask[^:\n]*::).+/gi, '$1***');

/** What stands behind the command, as it was printed. */
export const rawMessage = (line: string): string => {
  const text = line.trimStart();
  return text.slice(text.indexOf('::', 2) + 2);
};

export const parseCommand = (line: string): WorkflowCommand | undefined => {
  const text = line.trimStart();
  const end = text.indexOf('::', 2);
  if (!text.startsWith('::') || end < 0) return undefined;
  const head = text.slice(2, end);
  const blank = head.search(/\s/);
  const name = blank < 0 ? head : head.slice(0, blank);
  if (!nameForm.test(name)) return undefined;
  return {
    name: name.toLowerCase(),
    properties: propertiesOf(blank < 0 ? '' : head.slice(blank)),
    message: unescapeMessage(text.slice(end + 2)),
  };
};

export interface CommandReader {
  /** The command of a line, unless commands are stopped. `hides`: the line is not for the log. */
  readonly read: (line: string) => { readonly command: WorkflowCommand | undefined; readonly hides: boolean };
}

/** Of one stream of one step: `::stop-commands::TOKEN` makes text of all commands until `::TOKEN::`. */
export const openCommandReader = (): CommandReader => {
  let stopToken: string | undefined;
  return {
    read: (line) => {
      if (stopToken !== undefined) {
        if (line.trim() !== `::${stopToken}::`) return { command: undefined, hides: false };
        stopToken = undefined;
        return { command: undefined, hides: true };
      }
      const command = parseCommand(line);
      if (command?.name !== 'stop-commands' || command.message === '') return { command, hides: false };
      stopToken = command.message;
      return { command: undefined, hides: true };
    },
  };
};
