/**
 * kill -9 of `npm start` at random moments, while it starts and while it serves, each time started again at once on the same directory: it comes up with
 * all its parts, and has everything that it accepted.
 *
 * `LAUNCHER_KILLS=40` kills so often; `LAUNCHER_KILLS_SEED=<n>` kills at the same moments again.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../infra/operate/launch/free-port';
import { entryPath } from '../../infra/server/bundle/entry-path';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { jsonOf } from '../support/identity/admin';
import { exitOf } from '../support/processes/child-exit';
import { linkTools } from '../support/processes/launcher';
import { freshSeed, seededRandom, shuffled } from '../support/random/seeded-random';
import { hasPrerequisite } from '../support/runner/prerequisites';
import { eventually } from '../support/waiting/eventually';

const kills = Number(process.env.LAUNCHER_KILLS ?? 12);
const seed = Number(process.env.LAUNCHER_KILLS_SEED ?? freshSeed());
/**
 * A start prints about forty lines until it is up. A later moment is so many commands after that. The time until the last moment has as many
 * parts as there are kills: each part has one.
 */
const lastMoment = 50;

interface Credential {
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Started {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  /** Resolves with how many lines there are, or rejects with the output when it ends before that. */
  readonly until: (holds: () => boolean) => Promise<void>;
}

/** Also Elasticsearch and the runner have come up, or are known to be off. */
const isComplete = ({ lines }: Started): boolean => lines.some((line) => line.includes('The start is complete.'));
const isUp = ({ lines }: Started): boolean => lines.some((line) => line.includes('Ctrl-C'));

describe(`npm start, killed ${kills} times (LAUNCHER_KILLS_SEED=${seed})`, function () {
  this.timeout(1_400_000);
  const home = temporaryDirectory('launcher-kills');
  const data = join(home.path, 'data');
  let port: string;
  let running: Started | undefined;
  let credential: Credential | undefined;
  const accepted: string[] = [];
  before(async () => {
    linkTools(data);
    port = String(await freePort());
  });
  after(async () => {
    running?.child.kill('SIGKILL');
    home.remove();
  });

  const start = (...more: readonly string[]): Started => {
    const script = [entryPath('infra/operate/launch/launch.main'), '--data', data, '--port', port, ...more];
    const child = spawn(process.execPath, script, { stdio: ['ignore', 'pipe', 'pipe'] });
    const lines: string[] = [];
    let look: () => void = () => undefined;
    for (const stream of [child.stdout, child.stderr])
      createInterface(stream).on('line', (line) => {
        lines.push(line);
        look();
      });
    const until = (holds: () => boolean): Promise<void> =>
      new Promise((resolve, reject) => {
        look = () => holds() && resolve();
        look();
        child.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${lines.join('\n')}`)));
      });
    return { child, lines, until };
  };

  const send = (path: string, body: object, headers: object) =>
    fetch(`http://localhost:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  /** The code stays valid until it is spent. */
  const signIn = async ({ lines }: Started): Promise<void> => {
    const code = /sign-in code:\s+(\S+)/.exec(lines.join('\n'))?.[1];
    const answer = await send('/v1/bootstrap', { code }, {});
    assert.equal(answer.status, 201, `the code ${code}`);
    const { clientId, clientSecret } = await jsonOf(answer);
    credential = { clientId: String(clientId), clientSecret: String(clientSecret) };
  };
  const authorization = async (): Promise<string> => {
    const { clientId = '', clientSecret = '' } = credential ?? {};
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const issued = await fetch(`http://localhost:${port}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    assert.equal(issued.status, 200);
    return `Bearer ${String((await jsonOf(issued)).access_token)}`;
  };
  const register = async (headers: object): Promise<void> => {
    const answer = await send('/v1/principals', { principalType: 'PIPELINE' }, headers);
    assert.equal(answer.status, 201);
    accepted.push(String((await jsonOf(answer)).principalId));
  };

  /** What needs a program that this machine lacks is off anyway. */
  const offLines = async ({ lines }: Started): Promise<readonly string[]> => {
    const isolated = await hasPrerequisite('isolation');
    return lines.filter(
      (line) =>
        /^ +[\d.:]+(?: s)? +\S+ +(?:off|error)\b/.test(line) &&
        !/ (?:install|set) /i.test(line) &&
        (isolated || !/^ +[\d.:]+(?: s)? +(?:runner|sandboxes) /.test(line)),
    );
  };

  it('comes up again each time, with all its parts and everything that it accepted', async () => {
    const random = seededRandom(seed).next;
    const parts = shuffled([...Array(kills).keys()], random);
    let comeUps = 0;
    for (const [count, part] of parts.entries()) {
      const moment = 1 + Math.floor(((part + random()) / kills) * lastMoment);
      // Both forms on one directory, in turn.
      const started = start(...(count % 2 === 0 ? [] : ['--processes']));
      running = started;
      await started.until(() => started.lines.length >= moment || isUp(started));
      if (isUp(started)) {
        comeUps += 1;
        assert.deepEqual(await offLines(started), []);
        if (credential === undefined) await signIn(started);
        const headers = { authorization: await authorization() };
        for (let more = started.lines.length; more < moment; more += 1)
          await register({ ...headers, 'idempotency-key': randomUUID() });
      }
      started.child.kill('SIGKILL');
      await exitOf(started.child);
    }
    const last = start();
    running = last;
    await last.until(() => isComplete(last));
    assert.deepEqual(await offLines(last), []);
    if (await hasPrerequisite('isolation')) assert.ok(last.lines.some((line) => / runner +ready, /.test(line)));
    if (credential === undefined) await signIn(last);
    const headers = { authorization: await authorization() };
    for (const id of accepted)
      await eventually(async () => {
        const found = await fetch(`http://localhost:${port}/v1/principals/${id}`, { headers });
        assert.equal(found.status, 200);
      });
    console.log(`      killed ${kills} times, ${comeUps} of them when it was up; ${accepted.length} commands accepted`);
    last.child.kill('SIGINT');
    assert.equal(await exitOf(last.child), 0);
    running = undefined;
  });
});
