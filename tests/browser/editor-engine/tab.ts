/** A page with an engine in it, driven from outside. */
import type { Page } from 'playwright-core';

export interface Tab {
  /** Of an expression in which `editor` is the engine. */
  readonly evaluate: <Value>(expression: string) => Promise<Value>;
  /** Looks at every change of state until the expression holds. */
  readonly until: (expression: string) => Promise<void>;
  readonly reload: () => Promise<void>;
  /** The site may keep as much as it could. */
  readonly liftQuota: () => Promise<void>;
  /** As people do in their browser's settings. */
  readonly clearSite: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export const setQuota = async (opened: Page, quotaSize: number | undefined): Promise<void> => {
  const session = await opened.context().newCDPSession(opened);
  const origin = new URL(opened.url()).origin;
  await session.send('Storage.overrideQuotaForOrigin', { origin, ...(quotaSize === undefined ? {} : { quotaSize }) });
};

export const tabOf = (opened: Page, started: string): Tab => ({
  evaluate: (expression) => opened.evaluate(`(async () => (${expression}))()`),
  until: async (expression) => {
    try {
      await opened.waitForFunction(expression, undefined, { polling: 20 });
    } catch (error) {
      const seen = await opened.evaluate('JSON.stringify([editor.state(), faults, editor.recovered()])');
      throw new Error(`It never was so that ${expression}: ${String(seen)}`, { cause: error });
    }
  },
  reload: async () => {
    await opened.reload();
    await opened.evaluate(started);
  },
  clearSite: async () => {
    const session = await opened.context().newCDPSession(opened);
    const origin = new URL(opened.url()).origin;
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  },
  liftQuota: () => setQuota(opened, undefined),
  close: () => opened.close(),
});
