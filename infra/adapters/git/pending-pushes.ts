/**
 * Pushes that may have changed refs and are not announced yet: a file each, with the refs before the push. It is written before Git starts and
 * removed after the announcement, so that the push of a process that died is announced by another.
 */
import { open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isRight } from 'fp-ts/Either';
import * as t from 'io-ts';
import { record } from '../../../domain/kernel/codec';
import { idOf, PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { RepositoryId } from '../../../domain/workflow/ids';
import type { GitLocation } from '../../ports/workflow/git-repositories';

const PendingPush = record('PendingPush', {
  pushId: t.string,
  actorId: PrincipalId,
  before: t.record(t.string, t.string),
  owner: record('PushOwner', { host: t.string, pid: t.number }),
  /** Process group of Git, once it is started. */
  git: t.union([t.number, t.null]),
});
export type PendingPush = t.TypeOf<typeof PendingPush>;

const Location = record('PendingLocation', { tenantId: TenantId, repoId: idOf('PendingRepositoryId') });

export const pendingIn = (root: string): string => join(root, '.pending');

/** No part has a dot. */
const fileOf = (root: string, { tenantId, repoId }: GitLocation): string =>
  join(pendingIn(root), `${tenantId}.${repoId}.json`);

export const thisProcess = { host: hostname(), pid: process.pid };

export const writePending = async (root: string, location: GitLocation, push: PendingPush): Promise<void> => {
  const path = fileOf(root, location);
  const fresh = `${path}.${push.pushId}.new`;
  const file = await open(fresh, 'w');
  await file.writeFile(JSON.stringify(push));
  await file.sync();
  await file.close();
  await rename(fresh, path);
};

/** False: a push of another process is there. */
export const claimPending = async (root: string, location: GitLocation, push: PendingPush): Promise<boolean> => {
  try {
    await writeFile(fileOf(root, location), JSON.stringify(push), { flag: 'wx', flush: true });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
};

/** `broken`: its process died while it wrote it, before Git started, so no ref has changed. */
export const readPending = async (root: string, location: GitLocation): Promise<PendingPush | 'broken' | undefined> => {
  let content: string;
  try {
    content = await readFile(fileOf(root, location), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const push = PendingPush.decode(JSON.parse(content));
    return isRight(push) ? push.right : 'broken';
  } catch {
    return 'broken';
  }
};

export const removePending = (root: string, location: GitLocation): Promise<void> =>
  rm(fileOf(root, location), { force: true });

export const listPending = async (root: string): Promise<readonly GitLocation[]> => {
  const names = await readdir(pendingIn(root));
  return names.flatMap((name) => {
    const [tenantId, repoId, end, ...more] = name.split('.');
    const location = Location.decode({ tenantId, repoId });
    if (end !== 'json' || more.length > 0 || !isRight(location)) return [];
    return [{ tenantId: location.right.tenantId, repoId: location.right.repoId as string as RepositoryId }];
  });
};

const touchMilliseconds = 5_000;
const staleMilliseconds = 60_000;

/** Shows processes of other machines that this one is alive. Returns the function that ends it. */
export const keepPending = (root: string, location: GitLocation): (() => void) => {
  const touching = setInterval(() => {
    const now = new Date();
    utimes(fileOf(root, location), now, now).catch(() => undefined);
  }, touchMilliseconds);
  return () => clearInterval(touching);
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Whether neither its process nor its Git runs any more. `isOwn`: this process would know. */
export const isAbandoned = async (
  root: string,
  location: GitLocation,
  push: PendingPush | 'broken',
): Promise<boolean> => {
  if (push !== 'broken' && push.owner.host === thisProcess.host) {
    const isOwnerAlive = push.owner.pid !== thisProcess.pid && isAlive(push.owner.pid);
    return !isOwnerAlive && (push.git === null || !isAlive(push.git));
  }
  try {
    const { mtimeMs } = await stat(fileOf(root, location));
    return Date.now() - mtimeMs > staleMilliseconds;
  } catch {
    return false;
  }
};
