/** The process that most services share: one of them cannot start, and later a defect ends it again and again. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { type Launched, launch } from '../support/processes/launcher';
import { elasticsearchForTests, freshDatabase, indexPrefix, valkeyForTests } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';

describe('the process that services share', function () {
  this.timeout(180_000);
  const home = temporaryDirectory('shared-process');
  const crashFile = join(home.path, 'crash');
  const stranger = createServer();
  let septet: Launched;
  before(async () => {
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const [postgres, valkey, elasticsearch] = await Promise.all([
      freshDatabase(),
      valkeyForTests(),
      elasticsearchForTests(),
    ]);
    septet = await launch({
      directory: process.cwd(),
      arguments: ['--data', join(home.path, 'data')],
      env: {
        POSTGRES_URL: postgres,
        REDIS_URL: valkey.url,
        ELASTICSEARCH_URL: elasticsearch.url,
        ELASTICSEARCH_PREFIX: indexPrefix(),
        SEARCH_PORT: String((stranger.address() as AddressInfo).port),
        CRASH_FILE: crashFile,
      },
      preloads: [join(__dirname, 'system/harness/crash-preload.ts')],
    });
  });
  after(async () => {
    assert.equal(await septet.stop(), 0);
    stranger.close();
    home.remove();
  });

  const runs = (script: string): boolean => septet.processes().some(({ command }) => command.includes(script));
  /** The gateway, and the command API behind it. */
  const answers = async (): Promise<void> => {
    const response = await fetch(`${septet.url}/oauth/jwks`);
    assert.equal(response.status, 200);
  };

  it('goes on without a service that cannot start, there or alone', async () => {
    await eventually(async () =>
      assert.match(
        septet.output(),
        /search +off: It could not start; see its log: \S+search\.log\. It is started again once a minute\./,
      ),
    );
    assert.ok(runs('launch/services.main'));
    await answers();
  });

  it('is given up for one process each when it crashes again and again', async () => {
    writeFileSync(crashFile, '');
    await eventually(async () =>
      assert.match(
        septet.output(),
        /services +the process that they share crashes again and again; each gets a process of its own/,
      ),
    );
    await eventually(answers);
    assert.ok(runs('commands/command-api.main'));
    assert.equal(runs('launch/services.main'), false);
  });
});
