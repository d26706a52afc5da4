/** A word of a POSIX shell's command, quoted where it holds anything that a shell would read. */
export const shellWord = (text: string): string =>
  /^[\w.:/@-][\w.:/~@-]*$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
