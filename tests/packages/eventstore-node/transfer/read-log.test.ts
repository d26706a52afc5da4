import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { openLog } from '../../../../packages/eventstore-node/src/transfer/format/exported-log';
import { encodeHeader, encodeTrailer } from '../../../../packages/eventstore-node/src/transfer/format/header';

const header = encodeHeader({ source: '23.10.6', madeAt: '2026-11-20T00:00:00.000Z', from: null, system: false });
const event = JSON.stringify({
  stream: 's',
  revision: 0,
  id: '3fe40710-9ebf-4651-acbe-f40b2f3674a2',
  type: 'T',
  contentType: 'application/json',
  created: '2026-11-20T12:34:56.1234567Z',
  position: 64,
  data: {},
  metadata: {},
});

const eventsIn = async (...lines: readonly string[]): Promise<number> => {
  const log = await openLog(Readable.from([Buffer.from(lines.map((line) => `${line}\n`).join(''))]));
  let events = 0;
  for await (const _ of log.events) events += 1;
  return events;
};

describe('an exported log', () => {
  it('is read between its first and its last line', async () => {
    assert.equal(await eventsIn(header, event, event, encodeTrailer(2)), 2);
    assert.equal(await eventsIn(header, encodeTrailer(0)), 0);
  });

  it('is refused without the header of this version', async () => {
    for (const first of [event, encodeTrailer(0), header.replace('"version":1', '"version":2')])
      await assert.rejects(eventsIn(first, encodeTrailer(0)), /^Error: Line 1 is not the header/);
    await assert.rejects(eventsIn(), /Line 1 is not the header/);
  });

  it('is refused when its end is missing, miscounted, or not the end', async () => {
    await assert.rejects(eventsIn(header, event), /cut off after 1 events/);
    await assert.rejects(eventsIn(header, event, encodeTrailer(2)), /Line 3 counts 2 events, but there are 1/);
    await assert.rejects(eventsIn(header, encodeTrailer(0), event), /Line 3 comes after the last line/);
    await assert.rejects(eventsIn(header, header, encodeTrailer(0)), /Line 2 is neither/);
  });

  it('names the line that is no event, and quotes nothing of it', async () => {
    for (const line of ['{"secret":', '[]', 'null', '"secret"', ''])
      await assert.rejects(eventsIn(header, event, line), /^Error: Line 3 is not a JSON object\.$/);
    await assert.rejects(eventsIn(header, event, event.replace('"id"', '"secret"')), /^Error: Line 3: the field id/);
  });
});
