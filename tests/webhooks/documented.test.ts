/** The receivers of docs/webhooks.md accept what is signed here, and nothing else. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatWebhookSecret, webhookHeaders } from '../../commands/webhooks/signature';
import { freePort } from '../../infra/operate/launch/free-port';
import { codeBlocksOf } from '../support/documents/code-blocks';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { exitOf } from '../support/processes/child-exit';
import { needs } from '../support/runner/prerequisites';
import { eventually } from '../support/waiting/eventually';

const [key, other] = [randomBytes(32), randomBytes(32)];
const id = '0b0e6f3c-5f1c-5d1e-9a52-1a2b3c4d5e6f';
const body = JSON.stringify({ type: 'video.ready', timestamp: '2026-01-31T12:00:00.000Z', data: { videoId: 'v-ä' } });
const now = () => Math.floor(Date.now() / 1_000);
const headersOf = (keys: readonly Buffer[], timestamp = now()) => webhookHeaders({ id, timestamp, body }, keys);

const accepts = (language: 'js' | 'python', program: string): void => {
  const home = temporaryDirectory('webhook-receiver');
  let receiver: ChildProcess;
  let url: string;
  let printed = '';
  before(async () => {
    const [block] = codeBlocksOf('docs/webhooks.md').filter((one) => one.language === language);
    const path = join(home.path, language === 'js' ? 'receive.mjs' : 'receive.py');
    writeFileSync(path, block?.text ?? '');
    const port = String(await freePort());
    url = `http://127.0.0.1:${port}/`;
    receiver = spawn(program, [path], {
      env: { ...process.env, WEBHOOK_SECRET: formatWebhookSecret(key), PORT: port },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    receiver.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8');
    });
    await eventually(() => fetch(url, { method: 'POST' }));
  });
  after(async () => {
    const ended = exitOf(receiver);
    receiver.kill('SIGKILL');
    await ended;
    home.remove();
  });

  const post = async (headers: Readonly<Record<string, string>>, content = body): Promise<number> =>
    (await fetch(url, { method: 'POST', headers, body: content })).status;

  it('takes what is signed with its secret, alone or beside another', async () => {
    assert.equal(await post(headersOf([key])), 204);
    assert.equal(await post(headersOf([other, key])), 204);
    await eventually(async () => assert.equal(printed, `${id} video.ready\n`.repeat(2)));
  });

  it('refuses another secret, another body, another id, old and early timestamps, and requests without them', async () => {
    assert.equal(await post(headersOf([other])), 400);
    assert.equal(await post(headersOf([key]), `${body} `), 400);
    assert.equal(await post({ ...headersOf([key]), 'webhook-id': 'another' }), 400);
    assert.equal(await post(headersOf([key], now() - 310)), 400);
    assert.equal(await post(headersOf([key], now() + 310)), 400);
    assert.equal(await post({ ...headersOf([key]), 'webhook-timestamp': 'soon' }), 400);
    assert.equal(await post({ ...headersOf([key]), 'webhook-signature': 'v1,ÿ' }), 400);
    assert.equal(await post({}), 400);
  });
};

describe('the receiver of webhooks that is documented', () => {
  describe('in Node', () => accepts('js', process.execPath));
  describe('in Python', () => {
    needs('python');
    accepts('python', 'python3');
  });
});
