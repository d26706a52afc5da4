/** Turns failures for want of a prerequisite into skips: of the test, or in a `before` hook, of its whole `describe`. */
import type { Context, Suite } from 'mocha';
import { MissingPrerequisite } from '../support/runner/missing-prerequisite';
import { skip } from '../support/runner/skip';

type Body = (this: Context) => unknown;

interface Hooked {
  fn?: Body | undefined;
}

/** Mocha has no public way to its hooks. */
interface Hooks {
  readonly _beforeAll: readonly Hooked[];
  readonly _beforeEach: readonly Hooked[];
  readonly _afterEach: readonly Hooked[];
  readonly _afterAll: readonly Hooked[];
}

const handled = (body: Body, handle: (context: Context, error: unknown) => unknown): Body =>
  function () {
    try {
      const result = body.call(this);
      return result instanceof Promise ? result.catch((error: unknown) => handle(this, error)) : result;
    } catch (error) {
      return handle(this, error);
    }
  };

const replace = (runnables: readonly Hooked[], change: (body: Body) => Body): void => {
  for (const runnable of runnables) if (runnable.fn !== undefined) runnable.fn = change(runnable.fn);
};

export const skipWhereMissing = (suite: Suite): void => {
  const { _beforeAll, _beforeEach, _afterEach, _afterAll } = suite as unknown as Hooks;
  let isSkipped = false;
  const skipInstead = (context: Context, error: unknown): never => {
    if (!(error instanceof MissingPrerequisite)) throw error;
    isSkipped = true;
    return skip(context, error.message);
  };
  /** Such a hook undoes what one before it has not done. */
  const ignoreInstead = (_context: Context, error: unknown): void => {
    if (!isSkipped) throw error;
  };
  for (const runnables of [_beforeAll, _beforeEach, suite.tests as readonly Hooked[]])
    replace(runnables, (body) => handled(body, skipInstead));
  for (const runnables of [_afterEach, _afterAll]) replace(runnables, (body) => handled(body, ignoreInstead));
  for (const inner of suite.suites) skipWhereMissing(inner);
};
