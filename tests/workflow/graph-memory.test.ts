/** What the workflow service remembers of the graphs that it stored. */
import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { isRight } from 'fp-ts/Either';
import { rememberGraphs } from '../../commands/workflow/graph-memory';
import { openLocalBlobs } from '../../infra/blobs/local/local-blob-store';
import type { BlobStore } from '../../infra/ports/blob-store';
import { useTemporaryDirectory } from '../support/files/temporary-directory';
import { value } from '../support/workflow/control-service';

const graphKey = (name: string): string => `workflow/acme/graphs/run-1/${name}.json`;

describe('graphs of runs that were stored here', () => {
  const directory = useTemporaryDirectory('graph-memory');
  let stored: BlobStore;
  let blobs: BlobStore;
  let reads = 0;
  before(() => {
    stored = value(openLocalBlobs({ directory, secret: 'x'.repeat(43), url: 'http://127.0.0.1:1/blobs' }));
    const counted: BlobStore = {
      ...stored,
      get: (request) => {
        reads += 1;
        return stored.get(request);
      },
    };
    blobs = rememberGraphs(counted, 100);
  });
  beforeEach(() => {
    reads = 0;
  });
  after(() => stored.close());

  const put = async (key: string, text: string): Promise<void> => {
    const body = Buffer.from(text);
    value(await blobs.put({ key, body, size: body.length, contentType: 'application/json' }));
  };
  const get = async (key: string): Promise<string | undefined> => {
    const found = await blobs.get({ key });
    return isRight(found) ? (await buffer(found.right.body)).toString() : undefined;
  };

  it('are read from memory, and are in the store all the same', async () => {
    await put(graphKey('one'), '{"jobs":{}}');
    assert.equal(await get(graphKey('one')), '{"jobs":{}}');
    assert.equal(reads, 0);
    const { info } = value(await blobs.get({ key: graphKey('one') }));
    assert.deepEqual(info, value(await stored.head(graphKey('one'))));
  });

  it('are read from the store once others have taken their room', async () => {
    await put(graphKey('first'), 'a'.repeat(60));
    await put(graphKey('second'), 'b'.repeat(60));
    assert.equal(await get(graphKey('second')), 'b'.repeat(60));
    assert.equal(reads, 0);
    assert.equal(await get(graphKey('first')), 'a'.repeat(60));
    assert.equal(reads, 1);
  });

  it('are gone when they are removed; other blobs are not remembered', async () => {
    await put(graphKey('gone'), 'gone');
    value(await blobs.remove(graphKey('gone')));
    assert.equal(await get(graphKey('gone')), undefined);
    await put('workflow/acme/logs/one', 'a log');
    assert.equal(await get('workflow/acme/logs/one'), 'a log');
    assert.equal(reads, 2);
  });
});
