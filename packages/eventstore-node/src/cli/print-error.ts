/** Prints one line on standard error; answers the exit code. */
export const printError = (message: string, code = 2): number => {
  process.stderr.write(`${message}\n`);
  return code;
};
