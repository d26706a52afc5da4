/**
 * kill -9 of the copy that owns a document, at random moments, while people edit it through the gateway: what was acknowledged is in the log,
 * once, and every client ends with the state of the log. `EDITOR_KILLS=200` kills so often, and prints how long each takeover took.
 */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { recordDocument } from '../contracts/editor/sessions/fixture';
import { loggedOperations } from '../contracts/editor/sessions/logged-operations';
import { openTime } from '../packages/editor-engine/simulation/controlled-time';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { logOnNode } from '../support/servers/event-store-fixture';
import { valkeyForTests } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';
import { type Copies, startCopies } from './editor-kills/editor-copies';
import { report } from './editor-kills/report';
import { type Killing, killOnce, type Takeover } from './editor-kills/takeovers';
import { untilSaved, verifySaved } from './editor-kills/verify-saved';
import { keepEditing, openWriter, type Writer } from './editor-kills/writers';

const requestedKills = process.env.EDITOR_KILLS;
const kills = Number(requestedKills ?? 24);
const seed = Number(process.env.EDITOR_KILLS_SEED ?? Date.now() % 1_000_000);
const people = ['ada', 'bob', 'ada', 'bob'];

const print = (line: string): void => {
  if (requestedKills !== undefined) console.log(line);
};

const killAll = async (killing: Killing): Promise<void> => {
  const takeovers: Takeover[] = [];
  for (let turn = 0; turn < kills; turn += 1) {
    const takeover = await killOnce(killing);
    print(`${turn} ${JSON.stringify(takeover)}`);
    takeovers.push(takeover);
  }
  print(report(takeovers));
};

describe('copies of the editor that are killed while people edit', () => {
  const place = temporaryDirectory('editor-kills-kept');
  const open: Writer[] = [];
  let copies: Copies;
  // Before the log does, so that they end as they would.
  after(async () => {
    await Promise.all(open.map(({ close }) => close()));
    await copies.close();
    place.remove();
  });
  const log = logOnNode('editor-kills');
  before(async () => {
    const { url: REDIS_URL } = await valkeyForTests();
    copies = await startCopies({ EVENTSTORE_URL: log.node.url, REDIS_URL, BLOBS_DIR: join(place.path, 'blobs') });
  });

  const arrive = async (documentId: string, userId: string): Promise<Writer> => {
    const directory = join(place.path, `writer-${open.length}`);
    open.push(await openWriter({ copies, documentId, userId, directory }));
    return open.at(-1) as Writer;
  };

  it(`lose and double nothing that they acknowledged (seed ${seed})`, async function () {
    this.timeout(60_000 + kills * 30_000);
    const documentId = await recordDocument(log.store);
    const writers: Writer[] = [];
    for (const userId of people) writers.push(await arrive(documentId, userId));
    const over = new AbortController();
    const editing = keepEditing(writers, seed, over.signal);
    await eventually(async () => assert.ok(writers.every(({ results }) => results.length > 0)));
    await killAll({ copies, documentId, writers, chance: openTime(seed).random });
    over.abort();
    await editing;
    await untilSaved(writers.map(({ engine }) => engine));
    const { engine } = await arrive(documentId, 'ada');
    const operations = await verifySaved(await loggedOperations(log.store, documentId), writers, engine);
    print(`${operations} operations`);
  });
});
