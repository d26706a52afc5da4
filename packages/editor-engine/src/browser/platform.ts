/** `Platform` of a page or a program. */
import type { Platform } from '../ports/platform';

interface Page {
  readonly visibilityState: string;
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

/** Undefined in a program, which counts as visible. */
const currentPage = (): Page | undefined => (globalThis as { readonly document?: Page }).document;

const listenForResume = (listener: () => void): (() => void) => {
  const page = currentPage();
  if (page === undefined) return () => undefined;
  const seen = (): void => (page.visibilityState === 'visible' ? listener() : undefined);
  const target = globalThis as unknown as Page;
  page.addEventListener('visibilitychange', seen);
  target.addEventListener('online', listener);
  return () => {
    page.removeEventListener('visibilitychange', seen);
    target.removeEventListener('online', listener);
  };
};

export const defaultPlatform = (): Platform => ({
  now: () => Date.now(),
  schedule: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
  enqueueMicrotask: (run) => queueMicrotask(run),
  random: () => Math.random(),
  isVisible: () => currentPage()?.visibilityState !== 'hidden',
  onResume: listenForResume,
});
