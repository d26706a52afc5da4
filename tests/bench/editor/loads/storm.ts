/** Processes that keep opening large documents, each those of its share. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { DocumentId } from '../../../../domain/editor/ids';
import { typescript } from '../../../support/runner/compiled';

export interface Storming {
  readonly port: number;
  readonly blobsDirectory: string;
  readonly documentIds: readonly DocumentId[];
}

export interface Opened {
  /** Whether it was for the first time. */
  readonly kind: 'cold' | 'warm';
  readonly milliseconds: number;
  readonly nodes: number;
  readonly bytes: number;
}

export interface Storm {
  /** Answers what was opened. */
  readonly end: () => Promise<readonly Opened[]>;
}

const begin = (storming: Storming): ChildProcess =>
  fork(join(__dirname, 'storm.main.ts'), [JSON.stringify(storming)], { execArgv: typescript() });

/** Resolves when each has one open. */
export const startStorm = async (storming: Storming, processes: number): Promise<Storm> => {
  const { documentIds } = storming;
  const opened: Opened[] = [];
  const shareOf = (share: number) => documentIds.filter((_, index) => index % processes === share);
  const children = Array.from({ length: processes }, (_, share) => begin({ ...storming, documentIds: shareOf(share) }));
  for (const child of children) child.on('message', (one: Opened) => void opened.push(one));
  const died = children.map(async (child): Promise<never> => {
    const [code] = await once(child, 'exit');
    throw new Error(`one who opens documents ended with ${code}`);
  });
  for (const death of died) death.catch(() => undefined);
  await Promise.race([Promise.all(children.map((child) => once(child, 'message'))), ...died]);
  return {
    end: async () => {
      if (children.some(({ exitCode }) => exitCode !== null)) await Promise.race(died);
      for (const child of children) child.kill('SIGKILL');
      await Promise.allSettled(died);
      return opened;
    },
  };
};
