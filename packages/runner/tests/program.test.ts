/** The program `septet-runner`: frozen past a lease and thawed, ended by signals, killed. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as elapse } from 'node:timers/promises';
import { isLeft } from 'fp-ts/Either';
import { needs } from '../../../tests/support/runner/prerequisites';
import { startRunner } from '../src/index';
import { assignmentOf } from './support/jobs';
import { inProgram, type StartedProgram } from './support/program';

/** Processes whose environment names the directory. */
const programsIn = (directory: string): readonly string[] =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'utf8').includes(`=${directory}/`);
    } catch {
      return false;
    }
  });

const hasBegun = ({ plane }: StartedProgram): Promise<void> => plane.until(() => /^begun$/m.test(plane.log()));

describe('the program of a runner', function () {
  this.timeout(20_000);
  needs('bash');

  it('ends a job whose lease ended while it was frozen, and reports nothing of it', () =>
    inProgram(async (started) => {
      const { plane, program, directory } = started;
      plane.push(assignmentOf({ steps: [{ run: 'echo begun; sleep 600' }], leaseSeconds: 6 }));
      await hasBegun(started);
      program.kill('SIGSTOP');
      // The lease is over for the runner a second after the assignment.
      await elapse(1_100);
      program.kill('SIGCONT');
      await plane.until(() => plane.messages.filter(({ type }) => type === 'ready').length >= 2);
      assert.equal(plane.report(), undefined);
      assert.deepEqual(readdirSync(join(directory, 'jobs')), []);
    }));

  it('drains at the first signal, and leaves its job to others at the second', () =>
    inProgram(async (started) => {
      const { plane, program, directory } = started;
      plane.push(assignmentOf({ steps: [{ run: 'echo begun; sleep 600' }] }));
      await hasBegun(started);
      program.kill('SIGTERM');
      await plane.until(() => plane.messages.some(({ type, slots }) => type === 'ready' && slots === 0));
      const exited = once(program, 'exit');
      program.kill('SIGTERM');
      assert.deepEqual(await exited, [0, null]);
      assert.equal(plane.report(), undefined);
      assert.deepEqual(readdirSync(join(directory, 'jobs')), []);
    }));

  it('ends what a killed runner has left', () =>
    inProgram(async (started) => {
      const { plane, program, directory } = started;
      plane.push(assignmentOf({ steps: [{ run: 'echo begun; exec sleep 600' }] }));
      await hasBegun(started);
      const [job = ''] = readdirSync(join(directory, 'jobs'));
      assert.notEqual(job, '');
      program.kill('SIGKILL');
      await once(program, 'exit');
      const again = await startRunner({ url: plane.url, directory, isolation: 'none', log: () => undefined });
      if (isLeft(again)) assert.fail(again.left);
      assert.deepEqual(readdirSync(join(directory, 'jobs')), []);
      assert.deepEqual(programsIn(directory), []);
      await again.right.close();
    }));

  it('says what is wrong with its options', async () => {
    const file = join(__dirname, '..', 'src', 'main.ts');
    for (const options of [[], ['--url', 'x'], ['--url', 'http://127.0.0.1:9', '--slots', '0'], ['--nonsense']]) {
      const program = spawn(process.execPath, ['-r', 'tsx/cjs', file, ...options], { stdio: 'ignore' });
      assert.deepEqual(await once(program, 'exit'), [1, null]);
    }
  });
});
