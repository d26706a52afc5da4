/** What people come to the console for, from its start page on, by mouse and by keyboard alone. The first sign-in is in `tests/faults/live-log.test.ts`. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { sized } from '../support/runner/size';
import { eventually } from '../support/waiting/eventually';
import { useConsole } from './support/fixture';
import { type Hand, hands } from './support/hands';
import { signedIn } from './support/recorded-sign-in';

// The other files of this folder use the mouse, and for what only the long run does here.
const itInLongRun = (title: string, test: () => Promise<void>): void => {
  if (sized({ short: false, long: true })) it(title, test);
};
const used: readonly Hand[] = sized({ short: [hands.keyboard], long: [hands.mouse, hands.keyboard] });
for (const hand of used)
  describe(`tasks by ${hand.name}`, () => {
    const stage = useConsole();
    const unique = `${hand.name.slice(0, 3)}${Date.now().toString(36)}`;

    const send = async (path: string, body: object): Promise<Readonly<Record<string, string>>> => {
      const answer = await (await stage.admin())(path, body);
      assert.ok(answer.ok, `${path} ${answer.status}`);
      return (await answer.json()) as Readonly<Record<string, string>>;
    };
    const suspendedAgent = async (reason: string): Promise<string> => {
      const { principalId = '' } = await send('/v1/principals', {
        principalType: 'AI_AGENT',
        label: `Agent ${unique}`,
      });
      await send(`/v1/principals/${principalId}/suspend`, { reason });
      return principalId;
    };
    /** By the sidebar, which shows some pages once the one above them is open. */
    const start = async (...path: readonly string[]): Promise<Page> => {
      const page = await stage.open('/console/');
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      for (const section of path) {
        await hand.press(page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: section }));
        await page.getByRole('heading', { level: 1, name: section }).waitFor();
      }
      return page;
    };
    const heading = (page: Page, name: string): Promise<void> =>
      page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

    itInLongRun('find Ada by name', async () => {
      await send('/v1/people', { login: `ada.${unique}@example.org`, displayName: `Ada ${unique}` });
      const page = await start('Principals');
      await hand.type(page.getByRole('searchbox'), `ada ${unique}`);
      const found = page.getByRole('link', { name: `Ada ${unique}` });
      await stage.until(page, found);
      await hand.press(found);
      await heading(page, `Ada ${unique}`);
    });

    itInLongRun('learn why an agent was refused, and follow the event to its cause and stream', async () => {
      const principalId = await suspendedAgent(`Leaked ${unique}.`);
      const page = await start('Security events');
      const row = page.getByRole('row', { name: new RegExp(`PrincipalSuspended.*Leaked ${unique}`) });
      await stage.until(page, row);
      await hand.press(row.getByRole('button', { name: /^PrincipalSuspended/ }));
      await hand.press(page.getByRole('link', { name: 'Cause and stream' }));
      await heading(page, 'identity.PrincipalSuspended.v1');
      await page.getByRole('heading', { name: 'Causes and effects' }).waitFor();
      await hand.press(page.getByRole('link', { name: `Principal: Agent ${unique}` }).first());
      await page.waitForURL(new RegExp(principalId));
    });

    itInLongRun('revoke a session, and see it end', async () => {
      const { principalId = '' } = await send('/v1/people', {
        login: `grace.${unique}@example.org`,
        displayName: `Grace ${unique}`,
      });
      await signedIn(stage.system, principalId);
      const page = await start('Principals', 'Sessions');
      const row = page.getByRole('row', { name: new RegExp(`Grace ${unique}`) });
      await stage.until(page, row);
      await hand.type(page.getByRole('searchbox'), `grace ${unique}`);
      await page.getByText('1 session', { exact: true }).waitFor();
      await hand.press(row.getByRole('button', { name: 'End' }));
      await hand.type(page.getByRole('dialog').getByLabel('Reason'), 'A lost laptop.');
      await hand.press(page.getByRole('dialog').getByRole('button', { name: 'End session' }));
      await row.getByText('ended').waitFor();
    });

    it('see a limit being hit', async () => {
      const requests = Array.from({ length: 100 }, () => ({ dimensions: { user: unique } }));
      await send('/v1/ratelimit/check/batch', { requests });
      await send('/v1/ratelimit/check/batch', { requests });
      const page = await start('Rate limits');
      const row = page.getByRole('row', { name: /user-requests/ }).first();
      await stage.until(page, row);
      await hand.press(page.getByRole('link', { name: 'Usage', exact: true }));
      await page.getByRole('heading', { name: 'Would this pass?' }).waitFor();
      await hand.type(page.getByLabel('User'), unique);
      await hand.type(page.getByLabel('Requests'), '90');
      // What was used may have come back while all this was typed, and a busy machine may count without the store for a while.
      await eventually(async () => {
        await send('/v1/ratelimit/check/batch', { requests });
        await page.keyboard.press('Enter');
        await page.getByText('It would be refused.').waitFor({ timeout: 5_000 });
      });
    });

    it('find a document, and who edits it', async () => {
      await send('/v1/documents', { title: `Harbour ${unique}` });
      const page = await start('Documents');
      await hand.press(page.getByRole('main').getByRole('link', { name: 'All documents' }));
      await page.waitForURL(/\/console\/documents$/);
      await hand.type(page.getByRole('searchbox'), unique);
      const found = page.getByRole('link', { name: `Harbour ${unique}` });
      await stage.until(page, found);
      await hand.press(found);
      await heading(page, `Harbour ${unique}`);
      await page.getByText('Nobody has the document open.').waitFor();
      await page.getByRole('table', { name: 'Members' }).getByRole('link', { name: 'admin' }).waitFor();
    });

    it('create a document', async () => {
      const page = await start('Documents');
      await hand.press(page.getByRole('button', { name: 'Create a document' }));
      await hand.type(page.getByRole('dialog').getByLabel('Title'), `Lighthouse ${unique}`);
      await hand.press(page.getByRole('dialog').getByRole('button', { name: 'Create' }));
      await heading(page, `Lighthouse ${unique}`);
      await page.getByText('The drawing has not changed yet.').waitFor();
    });

    it('rebuild a view', async () => {
      const page = await start('Views');
      await hand.press(page.getByRole('button', { name: 'Rebuild editor_invitations' }));
      const dialog = page.getByRole('dialog');
      await hand.type(dialog.getByLabel('Name of the view'), 'editor_invitations');
      await hand.press(dialog.getByRole('button', { name: 'Rebuild' }));
      await dialog.waitFor({ state: 'detached' });
      await page
        .getByRole('row', { name: /editor_invitations/ })
        .getByText('switched', { exact: true })
        .waitFor();
    });
  });
