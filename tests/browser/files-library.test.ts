/** The library of files: dropped, processed, filed, shared, taken back, into the trash and out of it, by two people in their browsers. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Locator, Page, Route } from 'playwright-core';
import { partBytes } from '../../commands/kernel/uploads/file-parts';
import { axeViolationsOn } from './support/axe';
import { setPassword, usePersonPages } from './support/person-pages';

const folder = join(__dirname, '../packages/file-readers/files');
const samples = ['pdf/crazyones.pdf', 'docx/doc-coreprops.docx', 'csv/iris.csv'].map((name) => join(folder, name));

interface Dropped {
  readonly name: string;
  /** In base64. */
  readonly content: string;
}

/** As a person drops them: the page gets the events of a drag that has files. */
const drop = async (page: Page, files: readonly Dropped[]): Promise<void> => {
  const dataTransfer = await page.evaluateHandle<unknown>(`(() => {
    const transfer = new DataTransfer();
    for (const { name, content } of ${JSON.stringify(files)})
      transfer.items.add(new File([Uint8Array.from(atob(content), (one) => one.charCodeAt(0))], name));
    return transfer;
  })()`);
  await page.dispatchEvent('body', 'dragenter', { dataTransfer });
  await page.getByText(/^Drop the files/).waitFor();
  await page.dispatchEvent('body', 'drop', { dataTransfer });
};

/** More than one request may have; its content is of the page, so that it does not go through the test. */
const dropLarge = async (page: Page, megabytes: number): Promise<void> => {
  const dataTransfer = await page.evaluateHandle<unknown>(`(() => {
    const line = new TextEncoder().encode('The quay is open. '.repeat(1_000).slice(0, 10_000));
    const parts = Array.from({ length: ${megabytes} * 100 }, () => line);
    const transfer = new DataTransfer();
    transfer.items.add(new File(parts, 'large.pdf', { type: 'application/pdf', lastModified: 1_700_000_000_000 }));
    return transfer;
  })()`);
  await page.dispatchEvent('body', 'drop', { dataTransfer });
};

const rowOf = (page: Page, table: string, text: string): Locator =>
  page.getByRole('table', { name: table, exact: true }).getByRole('row').filter({ hasText: text });

/** Where there is no room for its column, the state stands below the name. */
const stateOf = (page: Page, file: string, state: string): Locator =>
  rowOf(page, 'Files', file).getByText(state, { exact: true }).filter({ visible: true });

/** Lists follow views, which may be behind what another person did. */
const until = async (page: Page, expected: Locator): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await expected.first().waitFor({ timeout: 3_000 });
    } catch (error) {
      if (attempt === 10) throw error;
    }
    await page.reload();
  }
};

describe('the library of files', function () {
  this.timeout(240_000);
  const { stage, open, enrolled } = usePersonPages();

  const person = async (login: string, displayName: string, look: { readonly expects?: RegExp } = {}) => {
    const home = stage.system.url;
    const { principalId = '', path } = await enrolled(login, { displayName });
    const scopes = ['files:read', 'files:write'];
    const granted = await (await stage.admin())(`/v1/principals/${principalId}/scopes/grant`, { scopes });
    assert.ok(granted.ok, await granted.text());
    const page = await open(path, look, home);
    await setPassword(page);
    // What the scopes permit is the start page.
    await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor();
    return { principalId, page, home };
  };

  const confirm = async (page: Page, opener: Locator, act: string): Promise<void> => {
    await opener.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: act, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  };

  it('takes files that are dropped, files them, shares them with a group, and takes all of it back', async () => {
    const fay = await person('fay.files@example.org', 'Fay Weldon');
    const gil = await person('gil.files@example.org', 'Gil Scott');
    const { page, home } = fay;
    await page.getByText('No files here yet').waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    await drop(
      page,
      samples.map((path) => ({ name: basename(path), content: readFileSync(path).toString('base64') })),
    );
    await page.getByText('3 uploaded').waitFor();
    for (const path of samples) await stateOf(page, basename(path), 'ready').waitFor({ timeout: 120_000 });
    assert.deepEqual(await axeViolationsOn(page), []);

    await page.getByRole('button', { name: 'Create a folder' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Contracts');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'Contracts', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Move Contracts' }).click();
    assert.deepEqual(await axeViolationsOn(page, { names: ['on a phone', 'in the light'] }), []);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Move crazyones.pdf' }).click();
    await dialog.getByLabel('Folder').selectOption({ label: 'Contracts' });
    assert.deepEqual(await axeViolationsOn(page, { names: ['in the light'] }), []);
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await rowOf(page, 'Files', 'crazyones.pdf').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Contracts', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Contracts' }).waitFor();
    await rowOf(page, 'Files', 'crazyones.pdf').waitFor();
    assert.deepEqual(
      await page.getByRole('navigation', { name: 'Where this is' }).getByRole('link').allTextContents(),
      ['Files'],
    );
    const contracts = page.url();

    await page.goto(`${home}/console/files/groups`);
    await page.getByRole('button', { name: 'Create a group' }).click();
    await dialog.getByLabel('Name').fill('Legal of Fay');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'Legal of Fay' }).waitFor();
    await page.getByRole('button', { name: 'Add a member' }).click();
    await dialog.getByLabel('Name or id').fill('Gil Scott');
    await dialog.getByText('This is Gil Scott.').waitFor();
    await dialog.getByRole('button', { name: 'Add' }).click();
    await rowOf(page, 'Members', 'Gil Scott').waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);

    await page.goto(`${contracts}/sharing`);
    await page.getByText('Not shared.').waitFor();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await dialog.getByLabel('With').selectOption('group');
    await dialog.getByLabel('Group').selectOption({ label: 'Legal of Fay' });
    assert.deepEqual(await axeViolationsOn(page, { names: ['in the light'] }), []);
    await dialog.getByRole('button', { name: 'Share', exact: true }).click();
    const viewers = page.getByRole('table', { name: 'Who sees it' });
    const why = viewers.getByRole('row').filter({ hasText: 'Gil Scott' });
    await why.getByText('As a viewer by the group Legal of Fay').waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);

    await until(gil.page, gil.page.getByRole('link', { name: 'Contracts', exact: true }));
    assert.equal(await rowOf(gil.page, 'Files', 'iris.csv').count(), 0);
    await gil.page.getByRole('link', { name: 'Contracts', exact: true }).click();
    await gil.page.getByRole('heading', { level: 1, name: 'Contracts' }).waitFor();
    await rowOf(gil.page, 'Files', 'crazyones.pdf').waitFor();
    for (const name of ['Upload files', 'Create a folder', 'Rename', 'Move crazyones.pdf', 'Trash crazyones.pdf'])
      assert.equal(await gil.page.getByRole('button', { name }).count(), 0, name);
    await gil.page.getByRole('link', { name: 'crazyones.pdf', exact: true }).click();
    await gil.page.getByRole('heading', { level: 1, name: 'crazyones.pdf' }).waitFor();
    const ofFile = gil.page.getByRole('table', { name: 'Who sees it' });
    await ofFile.getByText('Fay Weldon').waitFor();
    const saving = gil.page.waitForEvent('download');
    await gil.page.getByRole('button', { name: /^Download\b.*crazyones/ }).click();
    assert.equal((await saving).suggestedFilename(), 'crazyones.pdf');

    await confirm(page, page.getByRole('button', { name: /^Revoke/ }), 'Revoke');
    await page.getByText('Not shared.').waitFor();
    await gil.page.goto(`${home}/console/files`);
    await gil.page.getByText('No files here yet').waitFor();
    assert.equal(await gil.page.getByRole('link', { name: 'Contracts', exact: true }).count(), 0);

    await page.goto(contracts);
    await confirm(page, page.getByRole('button', { name: 'Trash crazyones.pdf' }), 'Move to trash');
    await page.getByText('No files in this folder').waitFor();
    await page.goto(`${home}/console/files/trash`);
    await rowOf(page, 'Files in the trash', 'crazyones.pdf')
      .getByText(/ago|just now/)
      .filter({ visible: true })
      .waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.getByRole('button', { name: 'Restore crazyones.pdf' }).click();
    await page.getByText('The trash is empty').waitFor();
    await page.goto(contracts);
    await rowOf(page, 'Files', 'crazyones.pdf').waitFor();
  });

  it('shows the stages of a file, takes a new version, renames it, and deletes it for ever', async () => {
    const { page, home } = await person('hal.files@example.org', 'Hal Foster', { expects: /status of 404/ });
    await drop(page, [{ name: 'Notes.md', content: btoa('# Quay\n\nThe quay is open.') }]);
    await page.getByRole('region', { name: 'Uploads' }).getByRole('link', { name: 'Notes.md' }).click();
    await page.getByRole('heading', { level: 1, name: 'Notes.md' }).waitFor();
    const stages = page.getByRole('list', { name: 'Stages' });
    await stages.waitFor();
    assert.deepEqual((await stages.locator('.stage-name').allTextContents()).slice(0, 3), [
      'Check of the upload',
      'Type of the content',
      'Text',
    ]);
    const stagesBefore = await stages.elementHandle();
    await page.getByRole('region', { name: 'Processing' }).getByText('Version 1: ready').waitFor();
    const versions = page.getByRole('table', { name: 'Versions' });
    await versions.getByRole('row', { name: /^1 answers/ }).waitFor();
    await versions.getByRole('button', { name: /^Copy the SHA-256 of version 1:/ }).waitFor();
    assert.equal(await (await stagesBefore.getProperty('isConnected')).jsonValue(), true, 'the stages stay');
    assert.ok((await stages.getByText('done', { exact: true }).count()) >= 5);
    const notNeeded = stages.getByRole('listitem').filter({ hasText: 'not needed' });
    assert.deepEqual(await notNeeded.locator('.stage-name').allTextContents(), ['Text in pictures', 'Speech']);
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.locator('input[type=file]').setInputFiles({
      name: 'Notes.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Quay\n\nThe quay is closed.'),
    });
    await versions.getByRole('row', { name: /^2 answers/ }).waitFor();
    assert.equal(await versions.getByText('answers').count(), 1);
    await page.getByRole('button', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Notes of the quay.md');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { level: 1, name: 'Notes of the quay.md' }).waitFor();
    const address = page.url();
    await confirm(page, page.getByRole('button', { name: 'Delete', exact: true }), 'Delete for ever');
    await page.waitForURL(`${address}/deletion`);
    await page.getByText('deleted', { exact: true }).waitFor();
    const steps = page.getByRole('list', { name: 'Steps' });
    assert.equal(await steps.getByText('done', { exact: true }).count(), 5);
    await steps.getByText('Counted again: nothing is left.').waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.getByRole('link', { name: 'Deletions' }).click();
    await page.getByRole('heading', { level: 1, name: 'Deletions' }).waitFor();
    await rowOf(page, 'Deletions', '5 of 5').getByText('By its owner').waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.goto(address);
    await page.getByText('There is no such file').first().waitFor();
    await page.goto(`${home}/console/files`);
    await page.getByText('No files here yet').waitFor();
  });

  it('holds a file against deletion, and explains who sees it, for administrators who do not see it themselves', async () => {
    const { principalId, page, home } = await person('lee.files@example.org', 'Lee Miller', {
      expects: /status of 409/,
    });
    await drop(page, [{ name: 'Case.md', content: btoa('# Case\n\nThe quay is in dispute.') }]);
    await page.getByRole('region', { name: 'Uploads' }).getByRole('link', { name: 'Case.md' }).click();
    await page.getByRole('region', { name: 'Processing' }).getByText('Version 1: ready').waitFor();
    const address = page.url();
    assert.equal(await page.getByRole('region', { name: 'Legal hold' }).count(), 0);

    const admin = await stage.open(new URL(address).pathname, { expects: /status of 404/ });
    await admin.getByText('There is no such file').first().waitFor();
    const hold = admin.getByRole('region', { name: 'Legal hold' });
    await hold.getByRole('button', { name: 'Hold', exact: true }).click();
    const dialog = admin.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Case 2026-117');
    await dialog.getByRole('button', { name: 'Hold', exact: true }).click();
    await hold.getByText('Held by you').waitFor();
    const why = admin.getByRole('region', { name: 'Why a person sees it' });
    await why.getByLabel('Name or id').fill(principalId);
    await why.getByText('sees the file as owner. It is theirs.').waitFor();
    const { principalId: stranger = '' } = await enrolled('max.files@example.org', { displayName: 'Max Ernst' });
    await why.getByLabel('Name or id').fill(stranger);
    await why.getByText('does not see the file. Nothing shares it with them.').waitFor();
    assert.deepEqual(await axeViolationsOn(admin), []);

    await page.getByText('It cannot be deleted for ever').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for ever' }).click();
    await page.getByRole('dialog').getByText('under a legal hold').first().waitFor();
    await page.keyboard.press('Escape');
    await confirm(admin, hold.getByRole('button', { name: 'Lift the hold' }), 'Lift the hold');
    await hold.getByText('None.').waitFor();
    await confirm(page, page.getByRole('button', { name: 'Delete', exact: true }), 'Delete for ever');
    await page.waitForURL(`${address}/deletion`);
    await page.goto(`${home}/console/files`);
    await page.getByText('No files here yet').waitFor();
  });

  it('says why a file is refused, and goes on with the others', async () => {
    const { page } = await person('ida.files@example.org', 'Ida Lupino');
    await drop(page, [
      { name: 'empty.txt', content: '' },
      // What a file is, its content decides: these are no characters.
      { name: 'setup.exe', content: btoa(`MZ\x90\0\x03${'\0\x04\xff'.repeat(40)}`) },
      { name: 'plan.txt', content: btoa('The plan of the quay.') },
    ]);
    const list = page.getByRole('region', { name: 'Uploads' });
    const lineOf = (name: string): Locator => list.getByRole('listitem').filter({ hasText: name });
    await lineOf('empty.txt').getByText('The file is empty.').waitFor();
    await lineOf('plan.txt').getByText('ready', { exact: true }).waitFor();
    await lineOf('setup.exe').getByText('failed', { exact: true }).waitFor();
    await lineOf('setup.exe').getByRole('link', { name: 'See its stages' }).waitFor();
    for (const name of ['empty.txt', 'setup.exe'])
      assert.equal(await lineOf(name).getByRole('button', { name: 'Try again' }).count(), 0, name);
    await list.getByText('2 uploaded, 1 not uploaded').waitFor();
    await stateOf(page, 'plan.txt', 'ready').waitFor();
    await stateOf(page, 'setup.exe', 'failed').waitFor();
    await list.getByRole('button', { name: 'Dismiss empty.txt' }).click();
    await lineOf('empty.txt').waitFor({ state: 'detached' });
  });

  const dropText = (page: Page, ...names: readonly string[]): Promise<void> =>
    drop(
      page,
      names.map((name) => ({ name, content: btoa(`The quay of ${name} is open.`) })),
    );
  const namesOf = (page: Page): Promise<readonly string[]> =>
    page.getByRole('table', { name: 'Files', exact: true }).locator('.file-name').allTextContents();

  it('asks where a file of the name is there: a new version, or both', async () => {
    const { page } = await person('uma.files@example.org', 'Uma Thurman');
    const list = page.getByRole('region', { name: 'Uploads' });
    await dropText(page, 'Lease.md');
    await stateOf(page, 'Lease.md', 'ready').waitFor();
    await list.getByRole('button', { name: 'Dismiss Lease.md' }).click();
    await dropText(page, 'Lease.md');
    await list.getByText('1 question to answer').waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    assert.deepEqual(await namesOf(page), ['Lease.md'], 'nothing is uploaded before the answer');
    await list.getByRole('button', { name: 'Keep both Lease.md' }).click();
    await list.getByRole('link', { name: 'Lease (2).md' }).waitFor();
    await stateOf(page, 'Lease (2).md', 'ready').waitFor();
    await dropText(page, 'Lease.md');
    await list.getByRole('button', { name: 'New version Lease.md' }).click();
    await list.getByText('2 uploaded').waitFor();
    assert.deepEqual([...(await namesOf(page))].sort(), ['Lease (2).md', 'Lease.md']);
    await page
      .getByRole('table', { name: 'Files', exact: true })
      .getByRole('link', { name: 'Lease.md', exact: true })
      .click();
    await page
      .getByRole('table', { name: 'Versions' })
      .getByRole('row', { name: /^2 answers/ })
      .waitFor();
  });

  it('does one thing with several files, deletes a folder with all that is in it, and empties the trash', async () => {
    const { page, home } = await person('vic.files@example.org', 'Vic Reeves', { expects: /status of 404/ });
    const dialog = page.getByRole('dialog');
    const box = (name: string): Locator => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
    await page.getByRole('button', { name: 'Create a folder' }).click();
    await dialog.getByLabel('Name').fill('Attic');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'Attic', exact: true }).waitFor();
    const names = ['a.md', 'b.md', 'c.md', 'd.md', 'e.md'];
    await dropText(page, ...names);
    for (const name of names) await stateOf(page, name, 'ready').waitFor({ timeout: 120_000 });
    await page.getByRole('button', { name: 'File', exact: true }).click();
    await page.waitForURL(/sort=name/);
    await until(page, page.getByRole('columnheader', { name: 'File' }));
    await box('a.md').click();
    await box('c.md').click({ modifiers: ['Shift'] });
    await page.getByText('3 files selected').waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.getByRole('button', { name: 'Move the selected files' }).click();
    await dialog.getByLabel('Folder').selectOption({ label: 'Attic' });
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await rowOf(page, 'Files', 'a.md').waitFor({ state: 'detached' });
    assert.deepEqual(await namesOf(page), ['d.md', 'e.md']);

    await page.getByRole('checkbox', { name: 'Select all files shown' }).click();
    await page.getByText('2 files selected').waitFor();
    // One of them is taken away by another window meanwhile.
    const other = await page.context().newPage();
    await other.goto(
      await rowOf(page, 'Files', 'e.md')
        .locator('a.file-name')
        .evaluate((link) => String((link as unknown as { href: string }).href)),
    );
    await confirm(other, other.getByRole('button', { name: 'Delete', exact: true }), 'Delete for ever');
    await other.close();
    await page.getByRole('button', { name: 'Trash the selected files' }).click();
    await dialog.getByRole('heading', { name: 'Move 2 files to the trash?' }).waitFor();
    await dialog.getByRole('button', { name: 'Move to trash' }).click();
    await dialog.getByText('1 was not done').waitFor();
    await dialog.getByRole('listitem').filter({ hasText: 'e.md' }).waitFor();
    assert.equal(await dialog.getByRole('listitem').count(), 1);
    await dialog.getByRole('button', { name: 'Close' }).click();

    await confirm(page, page.getByRole('button', { name: 'Trash Attic' }), 'Move to trash');
    await page.goto(`${home}/console/files/trash`);
    await rowOf(page, 'Folders in the trash', 'Attic').waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    await box('d.md').click();
    await page.getByRole('button', { name: 'Restore the selected files' }).click();
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await rowOf(page, 'Files in the trash', 'd.md').waitFor({ state: 'detached' });
    await page.goto(`${home}/console/files`);
    await confirm(page, page.getByRole('button', { name: 'Trash d.md' }), 'Move to trash');
    await page.goto(`${home}/console/files/trash`);
    await rowOf(page, 'Files in the trash', 'd.md')
      .getByRole('button', { name: /^Delete for ever/ })
      .click();
    await dialog.getByText('Nobody can bring it back.').waitFor();
    assert.equal(await dialog.getByText('move it to the trash').count(), 0, 'it is in the trash');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Empty the trash' }).click();
    await dialog.getByText('1 folder and 1 file').waitFor();
    assert.deepEqual(await axeViolationsOn(page, { names: ['in the light'] }), []);
    await dialog.getByRole('button', { name: 'Delete for ever' }).click();
    await page.getByText('The trash is empty').waitFor();
    await page.getByRole('link', { name: 'Deletions' }).click();
    // Three of the folder, the one of the trash, and the one that the other window deleted.
    await until(page, page.getByText('5 deletions'));
    await until(page, page.getByRole('table', { name: 'Deletions' }).getByText('5 of 5').nth(4));
  });

  it('tries a file again when its name has the right ending, and offers that where it can help alone', async () => {
    const { page } = await person('wim.files@example.org', 'Wim Wenders');
    const pdf = readFileSync(samples[0] ?? '').toString('base64');
    await drop(page, [{ name: 'report.docx', content: pdf }]);
    const line = page.getByRole('region', { name: 'Uploads' }).getByRole('listitem');
    await line.getByText('failed', { exact: true }).waitFor();
    await line.getByText(/Rename it/).waitFor();
    await line.getByRole('link', { name: 'report.docx' }).click();
    await page.getByRole('button', { name: 'Retry now' }).waitFor();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('report.pdf');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('region', { name: 'Processing' }).getByText('Version 1: ready').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Retry now' }).count(), 0);
  });

  it('sorts by columns, finds by name in folders below, and from anywhere by the keyboard', async () => {
    const { page } = await person('xan.files@example.org', 'Xan Brooks');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Create a folder' }).click();
    await dialog.getByLabel('Name').fill('Harbour');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dropText(page, 'File 10.md', 'File 9.md', 'Ölberg.md');
    for (const name of ['File 10.md', 'File 9.md', 'Ölberg.md']) await stateOf(page, name, 'ready').waitFor();
    await page.getByRole('button', { name: 'File', exact: true }).click();
    await page.getByRole('columnheader', { name: 'File' }).and(page.locator('[aria-sort=ascending]')).waitFor();
    await page.waitForURL(/direction=asc/);
    const table = page.getByRole('table', { name: 'Files', exact: true });
    // The newest file comes first before, and may be any of the three: the order is there when the last two stand as they shall.
    await table.getByRole('row').nth(2).filter({ hasText: 'File 10.md' }).waitFor();
    await table.getByRole('row').nth(3).filter({ hasText: 'Ölberg.md' }).waitFor();
    assert.deepEqual(await namesOf(page), ['File 9.md', 'File 10.md', 'Ölberg.md']);
    await page.getByRole('button', { name: 'File', exact: true }).click();
    await table.getByRole('row').nth(1).filter({ hasText: 'Ölberg.md' }).waitFor();
    await page.getByRole('button', { name: 'Move Ölberg.md' }).click();
    await dialog.getByLabel('Folder').selectOption({ label: 'Harbour' });
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await rowOf(page, 'Files', 'Ölberg.md').waitFor({ state: 'detached' });
    await page.getByLabel('Name', { exact: true }).fill('olb');
    const found = rowOf(page, 'Files', 'Ölberg.md');
    await found.getByText('In Harbour').filter({ visible: true }).waitFor();
    assert.deepEqual(await namesOf(page), ['Ölberg.md']);
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.getByLabel('Name', { exact: true }).fill('nowhere');
    await page.getByText('No file has this in its name').waitFor();
    await page.keyboard.press('Control+k');
    await dialog.getByRole('combobox').fill('ölberg');
    await dialog.getByRole('option', { name: /Ölberg/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Ölberg.md' }).waitFor();
  });

  it('shows how much is used, and has administrators hand over what has lost its owner', async () => {
    const { principalId, page } = await person('yul.files@example.org', 'Yul Brynner', { expects: /status of 40[13]/ });
    await dropText(page, 'Orphan.md');
    await stateOf(page, 'Orphan.md', 'ready').waitFor();
    await page.getByRole('link', { name: 'Storage used' }).click();
    await page.getByRole('progressbar', { name: 'Storage', exact: true }).waitFor();
    await page.getByText(/of 1\.0 TB/).waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    const suspended = await (await stage.admin())(`/v1/principals/${principalId}/suspend`, { reason: 'left' });
    assert.ok(suspended.ok, await suspended.text());
    const { principalId: heir = '' } = await enrolled('zoe.files@example.org', { displayName: 'Zoe Heller' });
    const admin = await stage.open('/console/files/orphans');
    const orphans = admin.getByRole('table', { name: 'Files without an owner' });
    await until(admin, orphans.getByRole('row').filter({ hasText: 'Yul Brynner' }));
    assert.deepEqual(await axeViolationsOn(admin), []);
    await orphans
      .getByRole('row')
      .filter({ hasText: 'Yul Brynner' })
      .getByRole('button', { name: /^Hand over/ })
      .click();
    const dialog = admin.getByRole('dialog');
    await dialog.getByLabel('Name or id of the new owner').fill(heir);
    await dialog.getByText(/^This is Zoe Heller\b/).waitFor();
    await dialog.getByRole('button', { name: 'Hand over', exact: true }).click();
    await until(admin, admin.getByText('Every file has an active owner'));
  });

  it('continues by itself when the network breaks off after the upload began', async () => {
    const expects = /Failed to load resource|net::ERR/;
    const { page } = await person('joe.files@example.org', 'Joe Orton', { expects });
    const context = page.context();
    const began: Route[] = [];
    await page.route(/\/blobs\//, async (route) => {
      if (route.request().method() !== 'PUT' || began.length > 0) return route.continue();
      began.push(route);
      await context.setOffline(true);
      await route.abort('internetdisconnected');
    });
    await drop(page, [{ name: 'broken off.txt', content: btoa('The plan of the pier.') }]);
    const line = page.getByRole('region', { name: 'Uploads' }).getByRole('listitem');
    await line.getByText(/^The network is away/).waitFor();
    assert.equal(await line.getByText('uploaded', { exact: true }).count(), 0);
    await context.setOffline(false);
    await line.getByText('ready', { exact: true }).waitFor();
    await rowOf(page, 'Files', 'broken off.txt').waitFor();
    assert.equal(began.length, 1);
  });

  it('continues with the parts that are missing, when the page was closed and the same file is dropped again', async () => {
    const { page, home } = await person('kim.files@example.org', 'Kim Novak', { expects: /net::ERR|Failed to load/ });
    const context = page.context();
    let passed = 0;
    let isEnough: () => void = () => undefined;
    const enough = new Promise<void>((resolve) => {
      isEnough = resolve;
    });
    await page.route(/\/blobs\//, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      passed += 1;
      if (passed > 4) return isEnough();
      await route.fulfill({ response: await route.fetch() });
    });
    await dropLarge(page, 101);
    await enough;
    await page.close();
    const again = await context.newPage();
    const sent: string[] = [];
    again.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()));
    await again.goto(`${home}/console/files`);
    await again.getByRole('heading', { level: 1, name: 'Files' }).waitFor();
    await stateOf(again, 'large.pdf', 'broken off').waitFor();
    await rowOf(again, 'Files', 'large.pdf')
      .getByText('Choose the same file again')
      .filter({ visible: true })
      .waitFor();
    await dropLarge(again, 101);
    await again.getByText('1 uploaded').waitFor();
    await rowOf(again, 'Files', 'large.pdf').getByRole('cell', { name: '101 MB' }).waitFor();
    assert.ok(sent.length > 0 && sent.length <= Math.ceil(101_000_000 / partBytes) - 4, String(sent.length));
  });
});
