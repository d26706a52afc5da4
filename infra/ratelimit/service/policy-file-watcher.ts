/**
 * Reloads the policy file when it changes. An unusable policy is logged and the last good one stays in force. Files are
 * read one at a time while decisions continue, so the policy that was written last wins.
 */
import { readFile } from 'node:fs/promises';
import { setInterval } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type IndexedPolicy, runInSlices } from '../../../packages/ratelimit/src/server';
import type { PartHealth } from '../../ports/runtime/health';
import type { Log } from '../../ports/runtime/log';

/** Problems of the policy, each with its JSON pointer. */
export type PolicyFaults = readonly string[];
/** Undefined: aborted. */
export type ReadPolicy = (
  bytes: Uint8Array,
  signal?: AbortSignal,
) => Promise<Either<PolicyFaults, IndexedPolicy> | undefined>;

export interface PolicyFileOptions {
  readonly path: string;
  readonly read: ReadPolicy;
  /** Called with each new, valid policy. */
  readonly use: (policy: IndexedPolicy) => void;
  readonly log: Log;
  readonly everyMilliseconds?: number;
}

export interface PolicyFile {
  /** Checks now; resolves when the file's policy is in force or rejected. */
  readonly checkNow: () => Promise<void>;
  readonly health: () => PartHealth;
  /** Drops a policy that is still being read. */
  readonly close: () => Promise<void>;
}

/** Mounted configuration is replaced by links: compare the content, not the modification time. */
const readBytes = async (path: string): Promise<Either<PolicyFaults, Buffer>> => {
  try {
    return right(await readFile(path));
  } catch (error) {
    return left([`The file cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'for no known reason'}.`]);
  }
};

const bytesPerStep = 2 ** 20;

function* areSame(one: Buffer, other: Buffer): Generator<undefined, boolean> {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += bytesPerStep) {
    if (!one.subarray(at, at + bytesPerStep).equals(other.subarray(at, at + bytesPerStep))) return false;
    yield;
  }
  return true;
}

const emptyContent = Buffer.alloc(0);

/** `inForce` is the text of the policy that is in force already. */
export const watchPolicyFile = (options: PolicyFileOptions, inForce: string): PolicyFile => {
  const { path, read, use, log, everyMilliseconds = 1_000 } = options;
  const closing = new AbortController();
  const { signal } = closing;
  let lastContent: Buffer = Buffer.from(inForce);
  let refused: PolicyFaults | undefined;
  const refuse = (faults: PolicyFaults): void => {
    refused = faults;
    log.error({ path, faults }, 'the rate limit policy is not usable: the last good one stays');
  };
  const checkOnce = async (): Promise<void> => {
    const found = await readBytes(path);
    const content = isLeft(found) ? emptyContent : found.right;
    if ((await runInSlices(areSame(content, lastContent), signal)) !== false) return;
    lastContent = content;
    const policy = isLeft(found) ? found : await read(content, signal);
    if (policy === undefined) return;
    if (isLeft(policy)) return refuse(policy.left);
    refused = undefined;
    use(policy.right);
    log.info({ path, version: policy.right.policy.version }, 'a new rate limit policy is in force');
  };
  let last = Promise.resolve();
  const checkNow = (): Promise<void> => {
    last = last.then(checkOnce);
    return last;
  };
  const watching = async (): Promise<void> => {
    try {
      const ticks = setInterval(everyMilliseconds, undefined, { signal, ref: false });
      for await (const _ of ticks) await checkNow();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  const watched = watching();
  return {
    checkNow,
    health: () =>
      refused === undefined
        ? { ok: true }
        : {
            ok: false,
            detail: `The policy's file is not usable; the last valid one stays in force: ${refused.join(' ')}`,
          },
    close: async () => {
      closing.abort();
      await watched;
      await last;
    },
  };
};
