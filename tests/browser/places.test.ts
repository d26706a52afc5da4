/** Places in the console: found by words, filters and nearness, in a list and on a map that show the same. */
import assert from 'node:assert/strict';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page, Route } from 'playwright-core';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { sized } from '../support/runner/size';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';
import { type Hand, hands } from './support/hands';

const unique = `q${Date.now().toString(36)}`;
/** Of this run alone, and on the antimeridian. */
const latitude = -45 - (Date.now() % 1_000_000) / 100_000;
const point = `${latitude.toFixed(5)}, 180`;

const allDay = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, open: '00:00', close: '24:00' }));

/** West and east of the antimeridian, within two kilometers. */
const jetty = (at: number) => ({
  entity_id: `${unique}-${at}`,
  version: 1,
  op: 'create',
  source: 'browser-tests',
  data: {
    name: `Jetty ${at} ${unique}`,
    category: at === 7 ? 'ferry_terminal' : 'pier',
    lat: Number((latitude + at / 2_000).toFixed(5)),
    lng: at % 2 === 0 ? 179.99 : -179.99,
    synthetic: true,
    attribution: 'The harbour office, CC BY 4.0',
    hours: at === 7 ? { tz: 'Pacific/Fiji', weekly: allDay } : null,
  },
});

describe('places in the console', () => {
  const stage = useConsole();
  const home = temporaryDirectory('places-console');
  after(home.remove);
  before(async () => {
    if (!('system' in stage)) return;
    const changes = Array.from({ length: 23 }, (_, at) => jetty(at));
    const recorded = await (await stage.admin())('/v1/places:batch', { changes });
    assert.equal(recorded.status, 200);
  });

  const heading = (page: Page, name: string): Promise<void> =>
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const count = (page: Page, text: string): Locator => page.locator('main').getByText(text, { exact: true });
  const ferry = (page: Page): Locator => page.getByRole('link', { name: `Jetty 7 ${unique}`, exact: true });

  const used: readonly Hand[] = sized({ short: [hands.keyboard], long: [hands.mouse, hands.keyboard] });
  for (const hand of used)
    it(`are searched, filtered, paged, opened, and searched nearby, by ${hand.name}`, async () => {
      const page = await stage.open('/console/');
      await heading(page, 'Overview');
      const sections = page.getByRole('navigation', { name: 'Sections' });
      await hand.press(sections.getByRole('link', { name: 'Places' }));
      await heading(page, 'Places');
      await hand.press(sections.getByRole('link', { name: 'Find places' }));
      await heading(page, 'Find places');
      await hand.type(page.getByRole('searchbox'), unique);
      await page.waitForURL(new RegExp(`query=${unique}`));
      await stage.until(page, count(page, '20 places so far'));
      await hand.press(page.getByRole('button', { name: 'Show more' }));
      await count(page, '23 places').waitFor();

      await hand.type(page.getByLabel('Category'), 'ferry_terminal');
      await count(page, '1 place').waitFor();
      await hands.keyboard.type(page.getByLabel('Open now'), ' ');
      await page.waitForURL(/open=true/);
      await hand.press(ferry(page));
      // The focus follows into the details, and back.
      await page.locator('h2:focus', { hasText: `Jetty 7 ${unique}` }).waitFor();
      await page.getByText('synthetic: no such place exists').waitFor();
      await page.getByText('The harbour office, CC BY 4.0').waitFor();
      await page.getByText('00:00 to 24:00').filter({ visible: true }).waitFor();
      await hand.press(page.getByRole('link', { name: '← All places' }));
      await page.locator('a:focus', { hasText: `Jetty 7 ${unique}` }).waitFor();

      await page.keyboard.press('Enter');
      await hand.press(page.getByRole('link', { name: 'Search near it' }));
      await count(page, '20 places so far').waitFor();
      assert.equal(
        await page.getByRole('list', { name: 'Places' }).locator('li .distance').first().textContent(),
        '0 m',
      );
      await page.waitForURL(/radius=5000/);
    });

  if (sized({ short: true, long: false })) return;

  it('are found near a place whose name is typed, or from its name in the words', async () => {
    const page = await stage.open(`/console/places?query=ferry+terminal+near+${unique}`);
    await hands.keyboard.press(page.getByRole('link', { name: `Search “ferry terminal” near ${unique}` }));
    await page.getByText(new RegExp(`^Near Jetty \\d+ ${unique}`)).waitFor();
    await ferry(page).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('radius'), '5000');
    await hands.keyboard.type(page.getByLabel('Near', { exact: true }), 'qqxqqjqq');
    await page.getByText('No place is called “qqxqqjqq”').waitFor();
    await page.getByRole('link', { name: 'load the world’s towns' }).waitFor();
  });

  it('are those of the visible map again when Near is cleared, and of an address with a radius alone', async () => {
    const page = await stage.open(`/console/places?query=${unique}&near=0,0&radius=5000`);
    const area = page.getByLabel('Area');
    await page.getByRole('heading', { name: 'No place was found' }).waitFor();
    await page.getByLabel('Near', { exact: true }).fill('');
    await page.waitForURL((url) => !url.searchParams.has('radius') && url.searchParams.has('box'));
    assert.equal(await area.locator('option:checked').textContent(), 'The visible map');
    assert.deepEqual(await area.locator('option:not([disabled])').allTextContents(), ['The visible map']);
    await page.goto(`/console/places?query=${unique}&radius=5000`);
    await stage.until(page, count(page, '20 places so far'));
    assert.equal(await area.locator('option:checked').textContent(), 'The visible map');
  });

  it('are filtered by what is open, ordered by distance, and name the order’s reason', async () => {
    const page = await stage.open(`/console/places?near=${point}&radius=5000`, { expects: /\b400\b/ });
    await stage.until(page, count(page, '20 places so far'));
    // A closed list of options is chosen from by typing, a box is checked by a space.
    await hands.keyboard.type(page.getByLabel('Order', { exact: true }), 'Near');
    await page.waitForURL(/sort=distance/);
    await page
      .locator('.places li', { hasText: `Jetty 0 ${unique}` })
      .first()
      .waitFor();
    await hands.keyboard.type(page.getByLabel('Explain the order'), ' ');
    await page
      .getByText(/^Score/)
      .first()
      .waitFor();
    await hands.keyboard.type(page.getByLabel('Open now'), ' ');
    await count(page, '1 place').waitFor();
    await ferry(page).waitFor();
    await hands.keyboard.type(page.getByLabel('Near', { exact: true }), '91, 1');
    await page.getByRole('alert').getByText('The search has a mistake').waitFor();
  }).timeout(60_000);

  it('are on a map that is clicked, moved and zoomed, across the antimeridian', async () => {
    const page = await stage.open(`/console/places?near=${point}&radius=5000`);
    await stage.until(page, count(page, '20 places so far'));
    const map = page.getByRole('application');
    // All of them are on one map, not at its two ends.
    assert.equal(await page.locator('.map-place').filter({ visible: true }).count(), 20);
    await page.locator('.map-place').last().click();
    await page.getByRole('region', { name: 'Details' }).getByRole('heading', { name: 'Jetty' }).waitFor();
    await page.goBack();
    await map.click({ position: { x: 40, y: 60 } });
    await page.waitForURL((url) => url.searchParams.get('near') !== point);
    assert.equal(new URL(page.url()).searchParams.get('radius'), '5000');

    await hands.keyboard.type(page.getByLabel('Area'), 'The vis');
    await page.waitForURL(/box=/);
    const widthOf = (url: URL): number => {
      const [, west = 0, , east = 0] = (url.searchParams.get('box') ?? '').split(',').map(Number);
      return east - west;
    };
    const before = widthOf(new URL(page.url()));
    await map.focus();
    await page.keyboard.press('-');
    await page.waitForURL((url) => widthOf(url) > before * 1.5);
    await hands.keyboard.press(page.getByRole('button', { name: 'Zoom in' }));
    await page.waitForURL((url) => widthOf(url) < before * 1.5);
    await page.reload();
    await page.getByText(/the same as in the list/).waitFor({ state: 'attached' });
  });

  it('are for everybody', async () => {
    const page = await stage.open(`/console/places?near=${point}&radius=5000&explain=1`);
    await stage.until(page, count(page, '20 places so far'));
    assert.deepEqual(await axeViolationsOn(page, { content: page.getByText(/^Score/) }), []);
    await page.goto(`/console/places?place=${unique}-7`);
    await page.getByText('All hours').click();
    assert.deepEqual(await axeViolationsOn(page, { content: page.getByText('Monday') }), []);
  });

  it('are imported from a file, whose refused lines are listed', async () => {
    const page = await stage.open('/console/place-imports');
    const lines = ['id,name,y,x', `${unique}-f,Quay f${unique},1.5,2.5`, `${unique}-g,Quay g${unique},91.5,2.5`];
    const fillAndChoose = async (): Promise<void> => {
      await hands.keyboard.press(page.getByRole('button', { name: 'Import a file' }));
      await page.getByLabel('Source', { exact: true }).waitFor();
      await page
        .getByLabel('File: JSON lines, CSV or GeoJSON')
        .setInputFiles({ name: `${unique}.csv`, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
    };
    await hands.keyboard.press(page.getByRole('button', { name: 'Import a file' }));
    const form = page.getByRole('region', { name: 'Import a file' });
    const picture = { name: 'pic.png', mimeType: 'image/png', buffer: Buffer.from('x') };
    await page.getByLabel('File: JSON lines, CSV or GeoJSON').setInputFiles(picture);
    await form.getByText('The name of the file must end in').waitFor();
    assert.ok(await form.getByRole('button', { name: 'Import', exact: true }).isDisabled());
    await hands.keyboard.type(page.getByLabel('Source', { exact: true }), 'browser-files');
    await hands.keyboard.type(page.getByLabel('Category'), 'pier');
    await hands.keyboard.type(page.getByLabel('Columns', { exact: true }), 'entity_id: id\nname: name\nlat: y\nlng: x');
    await hands.keyboard.press(form.getByRole('button', { name: 'Cancel' }));
    // What was typed is still there.
    await fillAndChoose();
    await form.getByText(`${unique}.csv, `).waitFor();
    await form.getByText('id,name,y,x').waitFor();
    await form.getByText(/^Read as CSV\. .* under the source browser-files;/).waitFor();
    assert.deepEqual(await axeViolationsOn(page, { content: form, names: ['in the light'] }), []);
    await hands.keyboard.press(form.getByRole('button', { name: 'Cancel' }));
    await form.waitFor({ state: 'detached' });
    await fillAndChoose();
    await hands.keyboard.press(form.getByRole('button', { name: 'Import', exact: true }));
    await heading(page, `${unique}.csv`);
    await page.getByText('completed', { exact: true }).waitFor();
    await page.getByText('1 recorded, 1 refused').waitFor();
    await page.getByText('1 line was refused.').waitFor();
    await page.getByRole('table', { name: 'Refused lines' }).getByRole('row', { name: /^3/ }).waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.goto(`/console/places?query=f${unique}`);
    await stage.until(page, page.getByRole('link', { name: `Quay f${unique}` }));
  });

  it('are imported from the sample file by one click, and found on the map', async () => {
    const page = await stage.open('/console/places');
    await hands.keyboard.press(page.getByRole('link', { name: 'Import places' }));
    await heading(page, 'Imports');
    const form = page.getByRole('region', { name: 'Import a file' });
    await page.locator('input:focus').waitFor();
    assert.equal(await form.getByLabel('Source').evaluate((field) => field.matches(':focus')), true);
    await hands.keyboard.press(form.getByRole('button', { name: /^Import \d+ sample places$/ }));
    await heading(page, 'sample-places.csv');
    await page.getByText('completed', { exact: true }).waitFor();
    await page.goto('/console/places?query=Eiffel+Tower');
    await stage.until(page, page.getByRole('link', { name: 'Eiffel Tower', exact: true }));
  });

  it('are imported from a file in parts, which goes on after a reload unless the file was changed', async () => {
    // Two parts. Lines that are too long are refused one by one.
    const write = (filler: string): void => {
      const place = { entity_id: `${unique}-h`, data: { name: `Quay h${unique}`, category: 'pier', lat: 1, lng: 2 } };
      const lines = Array.from({ length: 40 }, () => filler.repeat(250_000));
      writeFileSync(file, [JSON.stringify(place), ...lines].join('\n'));
    };
    const file = join(home.path, `${unique}.jsonl`);
    write('x');
    const page = await stage.open('/console/place-imports');
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()));
    const choose = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Import a file' }).click();
      await page.getByLabel('Source', { exact: true }).fill('browser-parts');
      await page.getByLabel('File: JSON lines, CSV or GeoJSON').setInputFiles(file);
      await page.getByRole('button', { name: 'Import', exact: true }).click();
    };
    const interrupt = async (): Promise<void> => {
      const held: Route[] = [];
      await page.route('**/blobs/**', async (route) => {
        if (held.length === 0) held.push(route);
        else await route.continue();
      });
      const arrived = page.waitForResponse((response) => response.request().method() === 'PUT');
      await choose();
      await arrived;
      assert.equal(sent.splice(0).length, 2);
      await page.reload();
      // What is held would be sent after all while the page is there.
      await page.unroute('**/blobs/**');
    };
    await interrupt();
    write('y');
    utimesSync(file, new Date(), new Date(Date.now() + 5_000));
    await interrupt();
    await choose();
    await heading(page, `${unique}.jsonl`);
    assert.equal(sent.length, 1, 'what has arrived is not sent again');
    await page.getByText('1 recorded, 40 refused').waitFor();
  });
});
