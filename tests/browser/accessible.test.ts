import assert from 'node:assert/strict';
import { sized } from '../support/runner/size';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';
import { signedIn } from './support/recorded-sign-in';

/** What the short runs of other files of this folder do not look at on their way: an event, a form, a chart, a map. */
const typicalPages: { readonly [path: string]: string } = {
  '/console/streams/identity.principal-main.admin/1': 'State after',
  '/console/clients/new': 'What kind of application is it?',
  '/console/clients/new?kind=machine': 'Acts as',
  '/console/rate-limits/usage': 'Would this pass?',
  '/console/places': 'Natural Earth',
};

const pages: { readonly [path: string]: string } = {
  ...typicalPages,
  '/console/overview': 'views are live',
  '/console/live': 'identity.',
  '/console/principals/admin': 'Credential issued',
  '/console/streams?search=principal-main': 'Principal: ',
  '/console/streams?search=nothing-has-this-name': 'No stream matches',
  '/console/streams/identity.principal-main.admin': 'CredentialIssued',
  '/console/views': 'identity_principals',
  '/console/processes': 'hostile-',
  '/console/jobs?state=dead': 'Kept for looks.',
  '/console/dead-letters': 'Kept for looks.',
  '/console/health': 'read-api',
  '/console/principals': 'admin',
  '/console/sessions': 'active',
  '/console/grants': 'billing',
  '/console/clients': 'Register a client',
  '/console/signing-keys': 'Key store',
  '/console/security-events': 'Credential issued',
  '/console/principals/admin/activity': 'Credential issued',
  '/console/authorization-decisions': 'Every request that a gateway allowed or denied',
  '/console/approvals': 'What agents may do only with the approval',
  '/console/agent-actions': 'What agents did with the approval',
  '/console/delegations': 'What agents may do for people',
  '/console/apis': 'APIs of your own',
  '/console/detection': 'stand for places',
  '/console/trust-rules': 'Jobs, containers and machines',
  '/console/policy': 'Rules over who may do what',
  '/console/refused-requests': 'Whose requests',
  '/console/sign-in-policy': 'Second factor',
  '/console/documents': 'Documents',
  '/console/files/search': 'What are you looking for?',
  '/console/files/ask': 'What do you want to know?',
  '/console/rate-limits': 'Refusals',
  '/console/rate-limits/refusals': 'Whose requests',
  '/console/access': 'Latest sign-ins',
  '/console/services/documents': 'Recently changed',
  '/console/services/places': 'Latest imports',
  '/console/services/workflows': 'Jobs at once',
  '/console/rate-limits/policies': 'At the gateway',
  '/console/place-imports': 'Import a file',
  '/console/files': 'Upload files',
  '/console/files/groups': 'Create a group',
  '/console/files/trash': 'Nobody finds what lies here',
  '/console/repositories': 'A push starts the workflows',
  '/console/runners': 'Machines that run jobs',
  '/console/nowhere': 'No page has this address',
};

describe('the console is for everybody', () => {
  const stage = useConsole();
  before(async () => {
    await stage.system.deadLetter('Kept for looks.');
    await signedIn(stage.system, 'admin');
  });

  it('on every page', async () => {
    const looked = sized({ short: typicalPages, long: pages });
    const page = await stage.open('/console/');
    for (const [path, content] of Object.entries(looked)) {
      await page.goto(path);
      // The latest events may all be of files that other tests upload meanwhile.
      if (path === '/console/live') await signedIn(stage.system, 'admin');
      const contentLocator = page.locator('main').getByText(content);
      await contentLocator.filter({ visible: true }).first().waitFor();
      assert.deepEqual(await axeViolationsOn(page, { content: contentLocator }), []);
    }
  });

  it('where one signs in, and in dialogs', async () => {
    const stranger = await stage.open('/console/sign-in', { isStranger: true });
    await stranger.getByLabel('Client id').waitFor();
    assert.deepEqual(await axeViolationsOn(stranger), []);
    const page = await stage.open('/console/dead-letters', { expects: /4\d\d/ });
    await page.getByRole('button', { name: 'Discard' }).first().click();
    await page.getByRole('dialog').waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.goto('/console/principals/admin');
    await page.getByRole('button', { name: 'New credential' }).click();
    await page.getByRole('dialog').getByRole('checkbox', { name: 'principals:read' }).check();
    await page.getByLabel('Days until it expires').fill('99999');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('dialog').locator('[aria-invalid="true"]').first().waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
  });

  it('on a phone, behind its menu', async () => {
    const page = await stage.open('/console/streams', { width: 360 });
    assert.equal(await page.getByRole('link', { name: 'Views' }).isVisible(), false);
    await page.getByRole('button', { name: 'Menu' }).click();
    assert.deepEqual(await axeViolationsOn(page, { names: ['on a phone'] }), []);
    await page.getByRole('link', { name: 'Views' }).click();
    await page.getByRole('heading', { level: 1, name: 'Views' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Streams' }).isVisible(), false);
  });
});
