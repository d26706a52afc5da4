/** Clients' regular expressions run on the thread that serves everybody, and may backtrack for ever: they are bounded. */
import { setFlagsFromString } from 'node:v8';
import { createContext, Script } from 'node:vm';
import { handlerFailed, invalidArgument } from '../errors';

export type TextTest = (text: string) => boolean;

// V8's linear engine takes over from the usual one when that backtracks too much; the first flag lets us ask whether it
// knows an expression at all: look-around and back references it does not.
setFlagsFromString('--enable-experimental-regexp-engine');
setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');

const isLinear = (source: string): boolean => {
  try {
    return new RegExp(source, 'l') instanceof RegExp;
  } catch {
    return false;
  }
};

/** Of one test, in milliseconds. */
const maxTestMilliseconds = 100;

/** Slower by tens of microseconds each time, which is what a limit on running code costs. */
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

/** Not in Unicode mode: .NET, which a real node asks, takes `\-` and the like, and matches UTF-16 units as well. */
export const compilePattern = (source: string): TextTest => {
  try {
    const pattern = new RegExp(source);
    return isLinear(source) ? (text) => pattern.test(text) : withTimeLimit(pattern);
  } catch {
    throw handlerFailed();
  }
};
