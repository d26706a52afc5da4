/** Whether every process of a copy takes work, with all its parts whole and no view behind. */
import assert from 'node:assert/strict';
import { pauseAfter } from '../../../support/waiting/eventually';
import type { Copy } from './process-copy';

interface Health {
  readonly status: string;
  readonly parts: Readonly<Record<string, { readonly ok: boolean; readonly detail?: string }>>;
}

const requestTimeoutMilliseconds = 15_000;

/** What is wrong with one process, and which views of it are behind. */
const troublesOf = async (name: string, port: number): Promise<readonly string[]> => {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`, {
      signal: AbortSignal.timeout(requestTimeoutMilliseconds),
    });
    const { status, parts } = (await response.json()) as Health;
    const broken = Object.entries(parts).filter(([, { ok }]) => !ok);
    return [...(status === 'ready' ? [] : [`${name} is ${status}`]), ...broken.map(([part]) => `${name}: ${part}`)];
  } catch {
    return [`${name} does not answer`];
  }
};

/** Fixed text of the projections' health, with how far behind each view is. */
const behind = /\b([1-9]\d*|an unknown number of) events behind/;

const lagOf = async (port: number): Promise<readonly string[]> => {
  const response = await fetch(`http://127.0.0.1:${port}/healthz`, {
    signal: AbortSignal.timeout(requestTimeoutMilliseconds),
  });
  const { parts } = (await response.json()) as Health;
  return Object.entries(parts).flatMap(([view, { detail = '' }]) => (behind.test(detail) ? [`${view} is behind`] : []));
};

const troubles = async ({ ports }: Copy): Promise<readonly string[]> =>
  (await Promise.all(Object.entries(ports).map(([name, port]) => troublesOf(name, port as number)))).flat();

/** Copies of a projector take turns under a load: a view is behind when it is in all of them. A process is away in any of them. */
const inAll = (found: readonly (readonly string[])[]): readonly string[] => {
  const everywhere = (one: string): boolean => found.every((some) => some.includes(one));
  return found.flat().filter((one) => (!one.startsWith('projections: ') && !one.endsWith('behind')) || everywhere(one));
};

/** Without any progress: a system starts as slowly as a busy machine lets it, one process after the other. */
const stallTimeoutMilliseconds = 120_000;

const until = async (copies: readonly Copy[], check: (copy: Copy) => Promise<readonly string[]>): Promise<void> => {
  const began = performance.now();
  let last = '';
  let changedAt = began;
  for (;;) {
    const found = await Promise.all(copies.map(check)).catch((error: unknown) => [[String(error)]]);
    const left = inAll(found);
    if (left.length === 0) return;
    const now = performance.now();
    const text = left.join('\n');
    if (text !== last) [last, changedAt] = [text, now];
    if (now - changedAt > stallTimeoutMilliseconds) assert.fail(text);
    await pauseAfter(now - began);
  }
};

export const untilHealthy = (copies: readonly Copy[]): Promise<void> => until(copies, troubles);

export const untilCaughtUp = (copies: readonly Copy[]): Promise<void> =>
  until(copies, ({ ports }) => lagOf(ports.projections as number));
