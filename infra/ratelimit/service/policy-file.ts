/** The policy from its file, read again when it changes. One that is no good is refused aloud, and the last good one stays. */
import { readFile } from 'node:fs/promises';
import { setInterval } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Policy } from '../../../packages/ratelimit/src/index';
import type { PartHealth } from '../../ports/health';
import type { Log } from '../../ports/log';

/** What is wrong, each with where it stands. */
export type PolicyFaults = readonly string[];
export type ReadPolicy = (text: string) => Either<PolicyFaults, Policy>;

export interface PolicyFileOptions {
  readonly path: string;
  readonly read: ReadPolicy;
  /** A good one that is not the last one. */
  readonly use: (policy: Policy) => void;
  readonly log: Log;
  readonly everyMilliseconds?: number;
}

export interface PolicyFile {
  /** Looks now; answers once what is there is in force, or refused. */
  readonly look: () => Promise<void>;
  readonly health: () => PartHealth;
  readonly close: () => Promise<void>;
}

/** Mounted configuration is exchanged by links: what is read says whether it changed, not its date. */
const textAt = async (path: string): Promise<Either<PolicyFaults, string>> => {
  try {
    return right(await readFile(path, 'utf8'));
  } catch (error) {
    return left([`The file cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'it is no text'}.`]);
  }
};

/** Begins with the text that is in force. */
export const watchPolicyFile = (options: PolicyFileOptions, inForce: string): PolicyFile => {
  const { path, read, use, log, everyMilliseconds = 1_000 } = options;
  const closing = new AbortController();
  let seen: string = inForce;
  let refused: PolicyFaults | undefined;
  const refuse = (faults: PolicyFaults): void => {
    refused = faults;
    log.error({ path, faults }, 'the rate limit policy is not usable: the last good one stays');
  };
  const look = async (): Promise<void> => {
    const found = await textAt(path);
    const content = isLeft(found) ? '' : found.right;
    if (content === seen) return;
    seen = content;
    const policy = isLeft(found) ? found : read(content);
    if (isLeft(policy)) return refuse(policy.left);
    refused = undefined;
    use(policy.right);
    log.info({ path, version: policy.right.version }, 'another rate limit policy is in force');
  };
  const watching = async (): Promise<void> => {
    try {
      const ticks = setInterval(everyMilliseconds, undefined, { signal: closing.signal, ref: false });
      for await (const _ of ticks) await look();
    } catch (error) {
      if (!closing.signal.aborted) throw error;
    }
  };
  const watched = watching();
  return {
    look,
    health: () =>
      refused === undefined
        ? { ok: true }
        : { ok: false, detail: `The policy's file is not usable, the last good one holds: ${refused.join(' ')}` },
    close: async () => {
      closing.abort();
      await watched;
    },
  };
};
