/** The contract of every local server; a subject defines how a value is stored in it. */

import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft } from 'fp-ts/Either';
import { textForOperators } from '../../../domain/kernel/rejection';
import type { LocalServer, StartOptions, UnavailableServer } from '../../../infra/operate/launch/servers/local-server';
import { commandOf, isRunning } from '../../../packages/data-directory/src/process-identity';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { descendantsOf } from '../../support/processes/launcher';
import { ended, kill, markOfRunning, startLauncher } from '../../support/processes/local-launcher';
import { MissingPrerequisite } from '../../support/runner/missing-prerequisite';
import { toolsDirectory } from '../../support/servers/shared-servers';

export interface Subject {
  readonly name: 'postgres' | 'valkey' | 'elasticsearch';
  readonly start: (options: StartOptions) => Promise<Either<UnavailableServer, LocalServer>>;
  readonly write: (url: string, value: string) => Promise<void>;
  readonly read: (url: string) => Promise<string>;
  /** False: what happens to it when its launcher is killed is not tried. */
  readonly isLeftBehind?: boolean;
}

const quiet = (directory: string): StartOptions => ({ directory, tools: toolsDirectory, progress: () => undefined });

const started = async ({ start }: Subject, directory: string): Promise<LocalServer> => {
  const server = await start(quiet(directory));
  if (!isLeft(server)) return server.right;
  const { name, kind } = server.left;
  const why = `${name}: ${textForOperators(server.left)}`;
  throw kind === 'missing' ? new MissingPrerequisite(why) : new Error(why);
};

const uidOf = (pid: number): number => Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

/** Every directory around it is closed to others. */
const survives = (subject: Subject, directory: () => string): void => {
  it('keeps its data when it is killed and restarted on its port, and stops on request; never runs as root', async () => {
    const first = await started(subject, directory());
    assert.notEqual(uidOf(first.pid), 0);
    await subject.write(first.url, 'kept');
    kill(first.pid);
    assert.equal((await first.exited).signal, 'SIGKILL');
    const again = await subject.start({ ...quiet(directory()), port: Number(new URL(first.url).port) });
    if (isLeft(again)) throw new Error(again.left.detail);
    assert.equal(again.right.url, first.url);
    assert.equal(await subject.read(first.url), 'kept');
    const process = markOfRunning(again.right.pid);
    await again.right.stop();
    assert.equal(isRunning(process), false);
    assert.equal(existsSync(join(directory(), 'process.json')), false);
    await again.right.stop();
  });
};

const leavesNothing = (subject: Subject, directory: () => string): void => {
  it('is refused on a directory where it runs already, and ends with its launcher, even when that is killed', async () => {
    const { launcher, server } = await startLauncher(subject.name, directory());
    const second = await subject.start(quiet(directory()));
    assert.ok(isLeft(second));
    assert.match(second.left.detail, new RegExp(`already runs on .* started by process ${launcher.pid}`));
    assert.ok(isRunning(server));
    kill(launcher.pid);
    await ended(server);
  });

  it('is taken over when it was left behind by a killed launcher and watchdog', async () => {
    const { launcher, server } = await startLauncher(subject.name, directory());
    const guards = descendantsOf(launcher.pid).filter((pid) => commandOf(pid).includes('watchdog'));
    assert.equal(guards.length, 1);
    for (const pid of [...guards, launcher.pid]) kill(pid);
    await ended(launcher);
    assert.ok(isRunning(server), 'the leftover is what this test is about');
    const next = await started(subject, directory());
    assert.equal(isRunning(server), false);
    assert.equal(await subject.read(next.url), 'kept');
    await next.stop();
  });
};

export const localServerContract = (subject: Subject): void => {
  describe(`${subject.name} on this machine`, () => {
    const { path: root, remove } = temporaryDirectory('local-server');
    const closed = join(root, 'closed');
    const directory = (): string => join(closed, 'inner', subject.name);
    before(async () => {
      mkdirSync(join(closed, 'inner'), { recursive: true });
      chmodSync(closed, 0o700);
      // Skips all where this machine cannot have it: a launcher of its own would only fail.
      if (subject.isLeftBehind ?? true) await (await started(subject, directory())).stop();
    });
    after(remove);
    survives(subject, directory);
    if (subject.isLeftBehind ?? true) leavesNothing(subject, directory);
  });
};
