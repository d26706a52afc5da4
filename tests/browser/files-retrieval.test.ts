/** From a search in real files to the place that each result names: the box on the page, the rows, the lines, the slide, the picture. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import { uploadFile } from '../support/files/upload-file';
import { eventually } from '../support/waiting/eventually';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';
import { layoutFaultsOf } from './support/layout-faults';

const directory = join(__dirname, '..', 'packages', 'file-readers', 'files');

const office = 'application/vnd.openxmlformats-officedocument';
const types: { readonly [path: string]: string } = {
  'pdf/crazyones.pdf': 'application/pdf',
  'pdf/form_dd0293.pdf': 'application/pdf',
  'docx/par-rendered-page-breaks.docx': `${office}.wordprocessingml.document`,
  'pptx/shp-pos-and-size.pptx': `${office}.presentationml.presentation`,
  'xlsx/no_cell_ids.xlsx': `${office}.spreadsheetml.sheet`,
  'csv/iris.csv': 'text/csv',
  'markdown/textwrap-readme.markdown': 'text/markdown',
  'code/escape.go': 'text/plain',
  'html/go-asm.html': 'text/html',
  'text/candide-windows-1252.txt': 'text/plain',
  'scans/typewriter.png': 'image/png',
};

const subtitles = `1
00:00:01,000 --> 00:00:04,000
The sea is calm tonight.

2
00:00:05,000 --> 00:00:09,000
The lighthouse keeper sleeps.
`;

/** What is drawn below a box: the share of dark pixels, and the box of the same word as the reader of PDF places it. */
interface DrawnWord {
  readonly darkness: number;
  /** Area in common by area of both. */
  readonly overlap: number;
}

/** Runs in the page. The boxes of words, in their order, held to the text that stands there. */
const drawnWords = (words: readonly string[]): string => `(() => {
  const canvas = document.querySelector('.pdf-page canvas');
  const drawn = canvas.getBoundingClientRect();
  const context = canvas.getContext('2d');
  const scale = canvas.width / drawn.width;
  const places = [];
  const texts = document.createTreeWalker(document.querySelector('.pdf-text'), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data } = texts.currentNode;
    for (const word of ${JSON.stringify(words)})
      for (let at = data.indexOf(word); at >= 0; at = data.indexOf(word, at + 1)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, at);
        range.setEnd(texts.currentNode, at + word.length);
        places.push(range.getBoundingClientRect());
      }
  }
  const overlapOf = (one, other) => {
    const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    if (width <= 0 || height <= 0) return 0;
    return (width * height) / (one.width * one.height + other.width * other.height - width * height);
  };
  return [...document.querySelectorAll('.region.word')].map((region) => {
    const box = region.getBoundingClientRect();
    const pixels = context.getImageData(
      Math.round((box.left - drawn.left) * scale), Math.round((box.top - drawn.top) * scale),
      Math.max(1, Math.round(box.width * scale)), Math.max(1, Math.round(box.height * scale)),
    ).data;
    let dark = 0;
    for (let at = 0; at < pixels.length; at += 4) if (pixels[at] + pixels[at + 1] + pixels[at + 2] < 384) dark += 1;
    return { darkness: dark / (pixels.length / 4), overlap: Math.max(0, ...places.map((one) => overlapOf(one, box))) };
  });
})()`;

const isInView = (selector: string): string => `(() => {
  const { top, bottom, left, right } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
  return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
})()`;

describe('search in files, and the places it leads to', function () {
  this.timeout(240_000);
  const stage = useConsole();
  const fileIds = new Map<string, string>();

  let authorization = '';
  const send = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${stage.system.url}${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  before(async () => {
    authorization = `Bearer ${await stage.token()}`;
    for (const [path, mimeType] of Object.entries(types)) {
      const content = readFileSync(join(directory, path));
      const { fileId } = await uploadFile({ send }, { filename: basename(path), mimeType, content });
      fileIds.set(path, fileId);
    }
    const { fileId } = await uploadFile(
      { send },
      { filename: 'subtitles.srt', mimeType: 'text/plain', content: Buffer.from(subtitles) },
    );
    fileIds.set('subtitles.srt', fileId);
    for (const [path, fileId] of fileIds)
      await eventually(async () => {
        const status = (await (await send('GET', `/v1/files/${fileId}/status`)).json()) as { readonly status: string };
        assert.match(status.status, /READY$/, `${path}: ${JSON.stringify(status)}`);
      });
  });

  /** Searches until the index has the file, which is after it is ready. */
  const searched = async (query: string, path: string): Promise<Page> => {
    const page = await stage.open('/console/files/search?mode=keyword');
    await page.getByRole('searchbox', { name: 'Words or a sentence' }).fill(query);
    await page.keyboard.press('Enter');
    await page.waitForURL(/query=/);
    await stage.until(page, page.getByRole('link', { name: basename(path) }));
    return page;
  };
  const opened = async (query: string, path: string): Promise<Page> => {
    const page = await searched(query, path);
    await page
      .getByRole('list', { name: 'Passages, the best first' })
      .getByRole('link', { name: basename(path) })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: basename(path) }).waitFor();
    return page;
  };
  const placeOf = (page: Page): Promise<string | null> => page.locator('.lead').textContent();

  it('shows why a passage was found and where it stands, and goes back to it', async () => {
    const page = await searched('square holes', 'pdf/crazyones.pdf');
    const result = page.getByRole('listitem').filter({ hasText: 'crazyones.pdf' }).first();
    assert.deepEqual(await result.locator('mark').allTextContents(), ['square', 'holes']);
    await result.getByRole('link', { name: 'crazyones.pdf Page 1' }).waitFor();
    const snippet = result.locator('.snippet-text');
    const lines = (await snippet.textContent())?.split('\n') ?? [];
    assert.ok(lines.length > 1, 'the passage has one line only');
    assert.deepEqual((await snippet.innerText()).split('\n'), lines);
    await page.getByLabel('Find by').selectOption('hybrid');
    await page.waitForURL((url) => !url.searchParams.has('mode'));
    await page.goBack();
    await page.waitForURL(/mode=keyword/);
    assert.equal(await page.getByRole('searchbox').inputValue(), 'square holes');
    await result.getByRole('link').click();
    await page.locator('.pdf-page.is-drawn').waitFor();
    await page.getByRole('link', { name: 'Results for “square holes”' }).click();
    await result.waitFor();
    assert.deepEqual(await axeViolationsOn(page, { content: result }), []);
    assert.deepEqual(await layoutFaultsOf(page), []);
  });

  it('says what to do where nothing is found, and searches in the files of the address alone', async () => {
    const page = await stage.open('/console/files/search');
    await page.getByText('What are you looking for?').waitFor();
    await page.getByRole('searchbox').fill('xyzzyplugh');
    await page.getByLabel('Find by').selectOption('keyword');
    await page.getByRole('heading', { name: 'No passage was found' }).waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.goto(`/console/files/search?mode=keyword&query=square+holes&files=${fileIds.get('csv/iris.csv')}`);
    await page.getByLabel('In', { exact: true }).getByText('File: iris.csv').waitFor({ state: 'attached' });
    await page.getByRole('heading', { name: 'No passage was found' }).waitFor();
    await page.getByRole('link', { name: 'Search all files' }).click();
    await page.getByRole('link', { name: 'crazyones.pdf' }).first().waitFor();
  });

  it('finds a phrase in quotes as it stands, and marks it as a whole', async () => {
    const page = await searched('"square holes" pegs', 'pdf/crazyones.pdf');
    const result = page.getByRole('listitem').filter({ hasText: 'crazyones.pdf' }).first();
    assert.deepEqual(await result.locator('mark').allTextContents(), ['pegs', 'square holes']);
    await page.goto('/console/files/search?query=%22holes+square%22');
    await page.getByRole('heading', { name: 'No passage was found' }).waitFor();
  });

  it('shows what is near in meaning only after what has words of the search', async () => {
    const page = await searched('square holes', 'pdf/crazyones.pdf');
    await page.goto('/console/files/search?query=square+holes');
    const hits = page.getByRole('list', { name: 'Passages, the best first' });
    await hits.getByRole('link', { name: 'crazyones.pdf' }).first().waitFor();
    for (const text of await hits.getByRole('listitem').allTextContents()) assert.match(text, /square|hole/i);
    const count = await hits.getByRole('listitem').count();
    await page.getByText(new RegExp(`^${count} passages? with words of the search`)).waitFor();
    await page.getByRole('heading', { name: 'Nearest in meaning' }).waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
  });

  it('searches in one folder, reached from the folder and the file', async () => {
    const created = await send('POST', '/v1/file-folders', { name: 'Retrieval tests' });
    const { folderId } = (await created.json()) as { readonly folderId: string };
    const fileId = fileIds.get('csv/iris.csv') ?? '';
    const page = await stage.open(`/console/files/${fileId}`);
    await page.getByRole('link', { name: 'Search in it' }).click();
    await page.waitForURL((url) => url.searchParams.get('files') === fileId);
    await page.goto(`/console/files/folders/${folderId}`);
    await page.getByRole('link', { name: 'Search in it' }).click();
    await page.waitForURL((url) => url.searchParams.get('folders') === folderId);
    const field = page.getByLabel('In', { exact: true });
    await field.getByText('Folder: Retrieval tests').waitFor({ state: 'attached' });
    assert.equal(await field.inputValue(), folderId);
    await page.getByRole('searchbox').fill('square holes');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No passage was found' }).waitFor();
    await field.selectOption({ label: 'All files' });
    await page.getByRole('link', { name: 'crazyones.pdf' }).first().waitFor();
  });

  it('shows subtitles with their times, at the line that has the words', async () => {
    const page = await opened('lighthouse keeper', 'subtitles.srt');
    const cited = page.locator('.cue.cited');
    await cited.first().waitFor();
    assert.deepEqual(await cited.allTextContents(), [
      '00:01The sea is calm tonight.',
      '00:05The lighthouse keeper sleeps.',
    ]);
    assert.deepEqual(await page.locator('.cue mark').allTextContents(), ['lighthouse', 'keeper']);
    assert.deepEqual(await axeViolationsOn(page, { content: page.locator('.cues') }), []);
  });

  it('opens the version that was cited, and says that a newer one answers', async () => {
    const first = Buffer.from('The anchorage is closed in winter.\n');
    const uploaded = await uploadFile({ send }, { filename: 'harbour.txt', mimeType: 'text/plain', content: first });
    const status = async () =>
      (await (await send('GET', `/v1/files/${uploaded.fileId}`)).json()) as {
        readonly currentVersionId: string | null;
        readonly status: string;
      };
    await eventually(async () => assert.match((await status()).status, /READY$/));
    const cited = await opened('anchorage winter', 'harbour.txt');
    await cited.locator('.file-line.cited').waitFor();
    const address = cited.url();
    const before = (await status()).currentVersionId;
    const content = Buffer.from('The anchorage is open.\n');
    await uploadFile({ send }, { filename: 'harbour.txt', mimeType: 'text/plain', content, fileId: uploaded.fileId });
    await eventually(async () => assert.notEqual((await status()).currentVersionId, before));
    await cited.goto(address);
    await cited.locator('.file-line.cited').getByText('closed in winter').waitFor();
    await cited.getByText('A newer one answers now.').waitFor();
    await cited.getByRole('link', { name: 'Open the newer version' }).click();
    await cited.getByText('A newer one answers now.').waitFor({ state: 'detached' });
  });

  it('draws the page of a PDF with boxes on the very words', async () => {
    const page = await opened('round pegs square holes', 'pdf/crazyones.pdf');
    await page.locator('.region.word').first().waitFor();
    assert.equal(await placeOf(page), 'Page 1');
    const words = await page.evaluate<readonly DrawnWord[]>(drawnWords(['round', 'pegs', 'square', 'holes']));
    assert.equal(words.length, 4);
    for (const word of words) {
      assert.ok(word.darkness > 0.05, JSON.stringify(words));
      assert.ok(word.overlap > 0.5, JSON.stringify(words));
    }
    assert.equal(await page.evaluate(isInView('.region.word')), true);
    assert.match((await page.getByRole('region', { name: 'Text of page 1' }).textContent()) ?? '', /round pegs/);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.getByText('125 %').waitFor();
    await page.locator('.pdf-page.is-drawn .region.word').first().waitFor();
    const larger = await page.evaluate<readonly DrawnWord[]>(drawnWords(['round', 'pegs', 'square', 'holes']));
    for (const word of larger) assert.ok(word.darkness > 0.05 && word.overlap > 0.5, JSON.stringify(larger));
    assert.deepEqual(await axeViolationsOn(page, { content: page.locator('.pdf-page') }), []);
  });

  it('opens a PDF on a phone so that the cited words can be read', async () => {
    const wide = await opened('round pegs square holes', 'pdf/crazyones.pdf');
    const phone = await wide.context().newPage();
    await phone.setViewportSize({ width: 390, height: 844 });
    await phone.goto(wide.url());
    await phone.locator('.pdf-page.is-drawn .region.word').first().waitFor();
    await phone.getByText('200 %').waitFor();
    assert.equal(await phone.evaluate(isInView('.region.word')), true);
    assert.equal(await phone.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
  });

  it('opens a PDF at the page of the citation, and goes on from there by keyboard', async () => {
    const page = await opened('Privacy Act Statement authority purpose', 'pdf/form_dd0293.pdf');
    await page.locator('.pdf-page.is-drawn .region').first().waitFor();
    const [, number = ''] = /^Pages? (\d+)/.exec((await placeOf(page)) ?? '') ?? [];
    const field = page.getByRole('textbox', { name: /^Page/ });
    assert.equal(await field.inputValue(), number);
    await field.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('2');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Text of page 2' }).getByText(/\w/).first().waitFor();
    await page.getByRole('button', { name: 'Previous page' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Text of page 1' }).getByText(/\w/).first().waitFor();
  });

  it('marks the paragraphs of a document', async () => {
    const page = await opened('page breaks in one run', 'docx/par-rendered-page-breaks.docx');
    const cited = page.locator('.passage.cited');
    await cited.getByText('in one run').waitFor();
    assert.match((await placeOf(page)) ?? '', /^Paragraphs? \d/);
    assert.equal(await page.evaluate(isInView('.passage.cited')), true);
    assert.deepEqual(await axeViolationsOn(page, { content: cited }), []);
  });

  it('shows the region of a slide', async () => {
    const page = await opened('autoshape positioned', 'pptx/shp-pos-and-size.pptx');
    await page.locator('.slide .region.word').first().waitFor();
    assert.equal(await placeOf(page), 'Slide 1');
    const { x, y } = await page.evaluate<{ readonly x: number; readonly y: number }>(`(() => {
      const [slide, box] = ['.slide', '.slide .region.word'].map((one) => document.querySelector(one).getBoundingClientRect());
      return { x: (box.left - slide.left) / slide.width, y: (box.top - slide.top) / slide.height };
    })()`);
    // The slide is 10 by 7.5 inches, and the text of the shape names its place: 1 inch from the left, 2 from the top.
    assert.ok(Math.abs(x - 1 / 10) < 0.01 && Math.abs(y - 2 / 7.5) < 0.01, `${x} ${y}`);
    await page.locator('.passage.cited').getByText('autoshape').first().waitFor();
    assert.deepEqual(await axeViolationsOn(page, { content: page.locator('.slide-viewer') }), []);
  });

  it('marks rows of sheets and of CSV, below the names of their columns', async () => {
    const sheet = await opened('Campaign Publisher Impressions', 'xlsx/no_cell_ids.xlsx');
    await sheet.locator('tr.cited').getByText('At the moment no data for report').waitFor();
    assert.equal(await placeOf(sheet), 'Sheet “Sheet1”, row 3');
    await sheet.getByRole('columnheader', { name: 'Publisher' }).waitFor();
    const page = await opened('versicolor', 'csv/iris.csv');
    const cited = page.getByRole('row').and(page.locator('.cited'));
    await cited.first().waitFor();
    const [, from = '', to = ''] = /^Rows (\d+)–(\d+)$/.exec((await placeOf(page)) ?? '') ?? [];
    const rows = readFileSync(join(directory, 'csv/iris.csv'), 'utf8').split('\n');
    const cells = await page.evaluate<readonly (readonly string[])[]>(
      "[...document.querySelectorAll('tr.cited')].map((row) => [...row.children].map((cell) => cell.textContent.replace(' cited', '')))",
    );
    assert.deepEqual(
      cells.map((row) => row.join()),
      rows.slice(Number(from) - 1, Number(to)).map((row, at) => `${Number(from) + at},${row.trim()}`),
    );
    assert.equal(await page.evaluate(isInView('tr.cited')), true);
    assert.deepEqual(await axeViolationsOn(page, { content: cited }), []);
  });

  it('leads from one passage of the file to the next', async () => {
    const page = await opened('virginica', 'csv/iris.csv');
    const steps = page.getByRole('navigation', { name: 'Passages of this file' });
    await steps.getByText(/\d of \d found in this file/).waitFor();
    const before = await placeOf(page);
    const step = steps.getByRole('link').first();
    const name = (await step.textContent()) ?? '';
    await step.click();
    await page.getByText(name.replace(/^.*: /, ''), { exact: true }).first().waitFor();
    assert.notEqual(await placeOf(page), before);
    await page.locator('tr.cited').first().waitFor();
    assert.equal(await page.evaluate(isInView('tr.cited')), true);
    await page.goBack();
    await page
      .getByText(before ?? '', { exact: true })
      .first()
      .waitFor();
  });

  const assertLines = async (query: string, path: string, expected: RegExp): Promise<void> => {
    const page = await opened(query, path);
    const cited = page.locator('.file-line.cited');
    await cited.first().waitFor();
    const [, from = '', to = from] = /^Lines? (\d+)(?:–(\d+))?/.exec((await placeOf(page)) ?? '') ?? [];
    const lines = readFileSync(join(directory, path), 'utf8').split(/\r\n|\n|\r/);
    assert.deepEqual(await cited.locator('code').allTextContents(), lines.slice(Number(from) - 1, Number(to)));
    assert.match(lines.slice(Number(from) - 1, Number(to)).join('\n'), expected);
    assert.equal(await page.evaluate(isInView('.file-line.cited')), true);
    assert.deepEqual(await axeViolationsOn(page, { content: cited }), []);
  };

  it('marks lines of Markdown, of code, and of HTML, which is not rendered', async () => {
    await assertLines('optimal-fit algorithm looks ahead', 'markdown/textwrap-readme.markdown', /optimal-fit/);
    await assertLines('replacementTable entities Windows-1252', 'code/escape.go', /replacementTable/);
    await assertLines('pseudo-registers frame pointer', 'html/go-asm.html', /pseudo/);
  });

  it('shows what was extracted of text in another encoding', async () => {
    const page = await opened('Candide château Thunder-ten-tronckh', 'text/candide-windows-1252.txt');
    await page.getByText('The file is not in UTF-8').waitFor();
    const cited = page.locator('.passage.cited');
    await cited.waitFor();
    assert.match((await cited.textContent()) ?? '', /château/);
    assert.equal(await page.evaluate(isInView('.passage.cited')), true);
  });

  it('draws a picture with boxes on its text', async () => {
    const page = await opened('linzen uien', 'scans/typewriter.png');
    await page.locator('.picture .region').first().waitFor();
    assert.equal(await placeOf(page), 'Picture');
    assert.ok(await page.evaluate<boolean>("document.querySelector('.picture img').naturalWidth > 0"));
    assert.equal(await page.evaluate(isInView('.picture .region')), true);
    assert.deepEqual(await axeViolationsOn(page, { content: page.locator('.picture') }), []);
  });

  describe('answers', () => {
    const question = 'Who has no respect for the status quo?';
    const quote = 'And they have no respect for the status quo.';

    const submitQuestion = async (page: Page, text: string): Promise<void> => {
      await page.getByLabel('Question').fill(text);
      await page.getByRole('button', { name: 'Ask' }).click();
      await page.waitForURL(/question=/);
    };
    /** Loads the answer again until the index has the file. */
    const answered = async (): Promise<Page> => {
      const page = await stage.open('/console/files/ask');
      await submitQuestion(page, question);
      await stage.until(page, page.getByRole('link', { name: /^Citation 1: crazyones\.pdf/ }));
      return page;
    };

    it('lead from each sentence to its words on the page, and back to the answer', async () => {
      const page = await answered();
      await page.locator('h2:focus', { hasText: 'Answer' }).waitFor();
      await page.getByText('These are sentences as they stand in the files.').waitFor();
      await page.locator('.answer').getByText(quote).waitFor();
      await page.getByRole('blockquote').getByText(quote).waitFor();
      assert.deepEqual(await axeViolationsOn(page, { content: page.locator('.answer') }), []);
      assert.deepEqual(await layoutFaultsOf(page), []);
      await page.getByRole('link', { name: 'Citation 1: crazyones.pdf, Page 1' }).click();
      await page.locator('.pdf-page.is-drawn .region.word').first().waitFor();
      const words = await page.evaluate<readonly DrawnWord[]>(drawnWords(quote.split(' ')));
      assert.equal(words.length, quote.split(' ').length);
      for (const word of words) assert.ok(word.darkness > 0.05 && word.overlap > 0.4, JSON.stringify(words));
      await page.getByRole('link', { name: 'Answer', exact: true }).click();
      await page.getByRole('heading', { level: 2, name: 'Answer' }).waitFor();
      assert.equal(await page.getByLabel('Question').inputValue(), question);
    });

    it('name the model that wrote them, and say that it did not answer', async () => {
      const page = await answered();
      const change = async (fields: object): Promise<void> => {
        await page.unroute('**/v1/retrieval/answer');
        await page.route('**/v1/retrieval/answer', async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, json: { ...((await response.json()) as object), ...fields } });
        });
        await page.reload();
      };
      await change({ generator: 'gpt-5-mini' });
      await page.getByText('Written by gpt-5-mini from the passages below.').waitFor();
      await change({ degraded: ['model'] });
      await page.getByText('The model did not answer').waitFor();
    });

    it('are none where the files hold none, and nothing is made up', async () => {
      const page = await answered();
      await submitQuestion(page, 'What is the boiling point of mercury?');
      await page.getByRole('heading', { name: 'No sentence was found that answers this' }).waitFor();
      assert.equal(await page.locator('.answer').count(), 0);
      assert.deepEqual(await axeViolationsOn(page), []);
      await page.getByRole('link', { name: 'search for passages about it' }).click();
      await page.waitForURL(/search\?query=What\+is\+the\+boiling\+point/);
    });

    it('are from the files of the address alone', async () => {
      const page = await answered();
      const address = new URL(page.url());
      address.searchParams.set('files', fileIds.get('csv/iris.csv') ?? '');
      await page.goto(address.href);
      await page.getByLabel('In', { exact: true }).getByText('File: iris.csv').waitFor({ state: 'attached' });
      await page.getByRole('heading', { name: 'No sentence was found that answers this' }).waitFor();
    });
  });

  it('is used by keyboard alone, from the search to the next passage', async () => {
    const page = await stage.open('/console/files/search?mode=keyword');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('virginica');
    await page.keyboard.press('Enter');
    const link = page.getByRole('link', { name: 'iris.csv' }).first();
    await link.waitFor();
    for (let press = 0; press < 6; press += 1) {
      await page.keyboard.press('Tab');
      if ((await page.locator('a:focus', { hasText: 'iris.csv' }).count()) > 0) break;
    }
    await page.keyboard.press('Enter');
    await page.locator('h1:focus', { hasText: 'iris.csv' }).waitFor();
    await page.locator('tr.cited').first().waitFor();
  });

  it('says that a passage is gone, and leads to the file', async () => {
    const fileId = fileIds.get('csv/iris.csv') ?? '';
    const page = await stage.open(`/console/files/${fileId}/view?chunk=gone`, { expects: /404/ });
    await page.getByRole('heading', { name: 'The file has changed since' }).waitFor();
    await page.goto('/console/files/11111111-1111-4111-8111-111111111111/view');
    await page.getByRole('alert').waitFor();
  });
});
