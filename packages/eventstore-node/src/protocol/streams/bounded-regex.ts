/** Runs regular expressions of clients with a bound: they run on the one thread, and may backtrack without end. */
import { setFlagsFromString } from 'node:v8';
import { createContext, Script } from 'node:vm';
import { handlerFailed, invalidArgument } from '../errors';

export type TextTest = (text: string) => boolean;

// V8's linear engine takes over when the usual one backtracks too much. The first flag reports whether the linear engine
// supports an expression at all: it does not support look-around and back references.
setFlagsFromString('--enable-experimental-regexp-engine');
setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');

const isLinear = (source: string): boolean => {
  try {
    return new RegExp(source, 'l') instanceof RegExp;
  } catch {
    return false;
  }
};

/** Time limit of one test, in milliseconds. */
const maxTestMilliseconds = 100;

/** A time limit on running code costs tens of microseconds per test. */
const withTimeLimit = (pattern: RegExp): TextTest => {
  const scope = { pattern, text: '' };
  const context = createContext(scope);
  const script = new Script('pattern.test(text)');
  return (text) => {
    scope.text = text;
    try {
      return script.runInContext(context, { timeout: maxTestMilliseconds }) as boolean;
    } catch {
      throw invalidArgument("The filter's regular expression takes too long.");
    }
  };
};

/** Not in Unicode mode: .NET, which EventStoreDB uses, accepts `\-` and the like, and matches UTF-16 units as well. */
export const compilePattern = (source: string): TextTest => {
  try {
    const pattern = new RegExp(source);
    return isLinear(source) ? (text) => pattern.test(text) : withTimeLimit(pattern);
  } catch {
    throw handlerFailed();
  }
};
