/** Documents in the console: their history, a version as it was, sharing, a new title, the trash, the end. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { openEditor } from '../../packages/editor-engine/src/node';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { needs } from '../support/runner/prerequisites';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';

describe('a document in the console', () => {
  needs('bash', 'curl');
  const stage = useConsole();
  const home = temporaryDirectory('console-documents');
  after(() => home.remove());

  /** With two edits, ten minutes of one author: one entry. */
  const drawIn = async (documentId: string): Promise<void> => {
    const [token, baseUrl] = [await stage.token(), stage.system.url];
    const editor = await openEditor({ baseUrl, documentId, userId: 'admin', token: () => token, directory: home.path });
    await editor.whenCommitted();
    const bounds = { x: 0, y: 0, width: 120, height: 80 };
    editor.create([{ type: 'rect', properties: { localBounds: bounds, 'style.fill': '#0f5f5c', name: 'Quay' } }]);
    await editor.whenCommitted();
    editor.create([{ type: 'ellipse', properties: { localBounds: bounds, name: 'Basin' } }]);
    await editor.whenCommitted();
    await editor.close();
  };

  const create = async (title: string): Promise<string> => {
    const made = await (await stage.admin())('/v1/documents', { title });
    return ((await made.json()) as { readonly documentId: string }).documentId;
  };

  const confirm = async (page: Page, opener: Locator, act: string): Promise<void> => {
    await opener.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).waitFor();
    await dialog.getByRole('button', { name: act, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  };

  it('opens a version as it was, with what changed', async () => {
    const documentId = await create('Plan of the quay');
    await drawIn(documentId);
    const page = await stage.openWhen(`/console/documents/${documentId}`, (opened) =>
      opened.getByRole('table', { name: 'History' }).getByRole('link', { name: 'Edits' }),
    );
    await page.getByRole('table', { name: 'History' }).getByRole('link', { name: 'admin' }).waitFor();
    await page.evaluate('document.marked = true');
    await page.getByRole('link', { name: 'Edits' }).click();
    await page.locator('h1:focus', { hasText: 'Version 2' }).waitFor();
    assert.equal(await page.evaluate('document.marked'), true, 'the document was not loaded again');
    const changes = page.getByRole('table', { name: 'Changes' });
    await changes.getByText('Quay').first().waitFor();
    assert.equal(await changes.getByText('created', { exact: true }).count(), 2);
    const drawing = page.getByRole('img', { name: 'Outline of the drawing' });
    assert.deepEqual(
      [await drawing.locator('rect').getAttribute('fill'), await drawing.locator('ellipse').count()],
      ['#0f5f5c', 1],
    );
    await page.getByRole('table', { name: 'Nodes' }).getByText('Basin').first().waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.goto(`/console/documents/${documentId}/versions/1`);
    await page.getByRole('table', { name: 'Nodes' }).waitFor();
    assert.equal(await page.getByRole('img', { name: 'Outline of the drawing' }).locator('ellipse').count(), 0);
    await confirm(page, page.getByRole('button', { name: 'Restore this version' }), 'Restore');
    await page.getByRole('link', { name: 'Restored version 1' }).waitFor();
    await page.locator('h1:focus', { hasText: 'Plan of the quay' }).waitFor();
  });

  it('has a command that draws while nothing is drawn', async () => {
    const documentId = await create('Plan of the jetty');
    const page = await stage.openWhen(`/console/documents/${documentId}`, (opened) =>
      opened.getByRole('heading', { level: 2, name: 'Draw a rectangle' }),
    );
    const command = (await page.locator('.snippet pre').textContent()) ?? '';
    const env = { ...process.env, TOKEN: await stage.token() };
    await promisify(execFile)('bash', ['-ceu', command], { env });
    await stage.until(page, page.getByRole('table', { name: 'History' }).getByRole('link', { name: 'Edits' }));
  });

  it('is shared, renamed, put into the trash, restored, and deleted', async () => {
    const documentId = await create('Plan of the pier');
    const made = await (await stage.admin())('/v1/principals', { principalType: 'PIPELINE' });
    const { principalId } = (await made.json()) as { readonly principalId: string };
    const page = await stage.openWhen(`/console/documents/${documentId}`, (opened) =>
      opened.getByRole('heading', { level: 1, name: 'Plan of the pier' }),
    );
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Share' }).click();
    assert.ok(await dialog.getByRole('button', { name: 'Invite' }).isDisabled());
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Share' }).click();
    await dialog.getByLabel('Name or id').fill(principalId);
    await dialog.getByLabel('Role').selectOption('viewer');
    await dialog.getByText('Invites').waitFor();
    await dialog.getByText(`${stage.system.url}/console/documents/${documentId}`).waitFor();
    await dialog.getByRole('button', { name: 'Copy the address' }).waitFor();
    assert.deepEqual(await axeViolationsOn(page, { names: ['in the light'] }), []);
    await dialog.getByRole('button', { name: 'Invite' }).click();
    const invitations = page.getByRole('table', { name: 'Open invitations' });
    await invitations.getByText('viewer').waitFor();
    await confirm(page, invitations.getByRole('button', { name: /Withdraw/ }), 'Withdraw');
    await page.getByText('No open invitations.').waitFor();
    await page.getByRole('button', { name: 'Rename' }).click();
    await dialog.getByLabel('Title').fill('Plan of the mole');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { level: 1, name: 'Plan of the mole' }).waitFor();
    await page.getByRole('table', { name: 'History' }).getByText('Renamed to “Plan of the mole”').waitFor();
    await confirm(page, page.getByRole('button', { name: 'Move to trash' }), 'Move to trash');
    await confirm(page, page.getByRole('button', { name: 'Restore' }), 'Restore');
    await confirm(page, page.getByRole('button', { name: 'Move to trash' }), 'Move to trash');
    await confirm(page, page.getByRole('button', { name: 'Delete' }), 'Delete');
    await page.waitForURL(/\/console\/documents$/);
    await page.goto('/console/documents?search=mole');
    await page.getByText('No document matches').waitFor();
  });
});
