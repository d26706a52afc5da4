/** The runner's own log: fixed sentences with fields, never a token. */

export type RunnerLog = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields: { readonly [name: string]: string | number | boolean | null },
) => void;

/** A line of JSON each, on standard error. */
export const logToStandardError: RunnerLog = (level, message, fields) => {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`);
};
