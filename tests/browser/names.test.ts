/** People, pipelines and what belongs to them, by their names: found, shown and linked; by keyboard, on a phone and in the dark. */
import assert from 'node:assert/strict';
import { axeViolationsOn } from './support/axe';
import { setPassword, usePersonPages } from './support/person-pages';
import { signedIn } from './support/recorded-sign-in';

const register = async (send: (path: string, body: object) => Promise<Response>, body: object): Promise<string> => {
  const made = await send('/v1/principals', body);
  return ((await made.json()) as { readonly principalId: string }).principalId;
};

describe('names in the console', () => {
  const { stage, open, enrolled } = usePersonPages();

  it('finds Ada by the beginnings of her names, by keyboard alone, and shows her under her name', async () => {
    const { principalId } = await enrolled('ada.names@example.org', { displayName: 'Ada Byron-Names' });
    const page = await stage.openWhen('/console/principals?q=names%20byr', (found) =>
      found.getByRole('link', { name: 'Ada Byron-Names' }),
    );
    await page.goto('/console/principals');
    await page.getByRole('heading', { level: 1, name: 'Principals' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('names byr');
    const row = page.getByRole('row', { name: /Ada Byron-Names/ });
    await page.getByRole('link', { name: 'Person admin', exact: true }).waitFor({ state: 'detached' });
    await row.getByText('ada.names@example.org').waitFor();
    await row.getByRole('button', { name: `Copy the id of Ada Byron-Names` }).waitFor();
    assert.deepEqual(await axeViolationsOn(page, { content: row.getByRole('link') }), []);
    await row.getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Ada Byron-Names' }).waitFor();
    assert.equal(await page.title(), 'Ada Byron-Names · Septet');
    assert.ok(page.url().endsWith(principalId ?? ''));
    await page.getByRole('link', { name: 'Events', exact: true }).waitFor();
    assert.deepEqual(await axeViolationsOn(page, { content: page.getByText('ada.names@example.org') }), []);
  });

  it('labels a pipeline, changes the label, and names it where it acts', async () => {
    const page = await stage.open('/console/principals');
    await page.getByRole('button', { name: 'Register a principal' }).click();
    await page.getByRole('dialog').getByLabel('Type').selectOption({ label: 'Pipeline' });
    await page.getByLabel('Label').fill('Nightly release');
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Nightly release' }).waitFor();
    await page.getByRole('button', { name: 'Change label' }).click();
    await page.getByRole('dialog').getByLabel('Label').fill('Weekly release');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Weekly release' }).waitFor();
  });

  it('looks up the names of a page’s rows in one request', async () => {
    const ids: string[] = [];
    for (const displayName of ['Grace Session-One', 'Alan Session-Two']) {
      const { principalId = '' } = await enrolled(`${displayName.replaceAll(' ', '.')}@example.org`, { displayName });
      await signedIn(stage.system, principalId);
      ids.push(principalId);
    }
    const page = await stage.openWhen('/console/sessions', (found) =>
      found.getByRole('link', { name: 'Alan Session' }),
    );
    const lookups: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('principalIds=')) lookups.push(request.url());
    });
    await page.reload();
    for (const name of ['Grace Session-One', 'Alan Session-Two']) await page.getByRole('link', { name }).waitFor();
    const [first = '', second = ''] = ids;
    assert.equal(lookups.filter((url) => url.includes(first) && url.includes(second)).length, 1);
    assert.equal(lookups.filter((url) => url.includes(first) || url.includes(second)).length, 1);
  });

  it('leads from an event’s fields and actor to what they name, and from a history to its events', async () => {
    const principalId = await register(await stage.admin(), { principalType: 'AI_AGENT', label: 'Reviewer' });
    const page = await stage.openWhen(`/console/principals/${principalId}`, (found) =>
      found.getByRole('heading', { level: 1, name: 'Reviewer' }),
    );
    await page.getByRole('link', { name: 'Principal registered' }).click();
    await page.getByRole('heading', { level: 1, name: /PrincipalRegistered/ }).waitFor();
    const data = page.getByRole('region', { name: 'Data', exact: true });
    assert.equal(await data.getByRole('link').getAttribute('href'), `/console/principals/${principalId}`);
    assert.deepEqual(await axeViolationsOn(page, { content: data }), []);
    await page.getByRole('link', { name: 'Reviewer', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Reviewer' }).waitFor();
  });

  it('says whose login and session a stream is, and finds streams, sessions and grants by a name', async () => {
    const unique = Date.now().toString(36);
    const login = `mary.${unique}@example.org`;
    const { principalId = '' } = await enrolled(login, { displayName: `Mary ${unique}` });
    const { grantId } = await signedIn(stage.system, principalId);
    const page = await stage.openWhen(`/console/streams?of=mary+${unique}&aggregate=login`, (found) =>
      found.getByRole('link', { name: `Login of Mary ${unique}` }),
    );
    assert.deepEqual(await axeViolationsOn(page, { content: page.getByText('Login of') }), []);
    await page.getByRole('link', { name: `Login of Mary ${unique}` }).click();
    await page.getByRole('heading', { level: 1, name: `Login of Mary ${unique}` }).waitFor();
    await page.goto(`/console/streams?of=mary+${unique}&aggregate=session`);
    await page.getByRole('link', { name: `Session of Mary ${unique}` }).waitFor();

    await page.goto('/console/sessions');
    await page.getByLabel('Person', { exact: true }).fill(`mary ${unique}`);
    await page.getByText('1 session', { exact: true }).waitFor();
    await page.getByRole('link', { name: `Mary ${unique}` }).waitFor();
    await page.getByLabel('Person', { exact: true }).fill(`nobody-${unique}`);
    await page.getByText(`No person matches “nobody-${unique}”`).waitFor();

    await page.goto(`/console/grants?principalId=mary+${unique}`);
    const grant = page.locator(`a[href$="${grantId}"]`);
    await stage.until(page, grant);
    await page.getByLabel('Client', { exact: true }).fill('septet command');
    await page.getByText('No grant matches').waitFor();
    await page.goto(`/console/grants?principalId=${principalId}`);
    await page.getByText(`Grants of Mary ${unique}`).waitFor();
    await page.getByRole('button', { name: `Revoke the grant of Mary ${unique}` }).waitFor();
  });

  it('are known to who has document scopes alone: its own, and of whom it shares documents with', async () => {
    const unique = Date.now().toString(36);
    const { principalId = '', path } = await enrolled(`mia.${unique}@example.org`, { displayName: `Mia ${unique}` });
    const send = await stage.admin();
    const scopes = ['documents:read', 'documents:write'];
    assert.ok((await send(`/v1/principals/${principalId}/scopes/grant`, { scopes })).ok);
    const made = await send('/v1/documents', { title: `Plan ${unique}` });
    const { documentId } = (await made.json()) as { readonly documentId: string };
    const invited = await send(`/v1/documents/${documentId}/invitations`, { role: 'viewer', principalId });
    assert.ok(invited.ok);
    const page = await open(path, {}, stage.system.url);
    await setPassword(page);
    await page.goto('/console/services/documents');
    const invitations = page.getByRole('table', { name: 'Invitations to you' });
    await stage.until(page, invitations.getByText(`Plan ${unique}`));
    await invitations.getByText('Person admin', { exact: true }).waitFor();
    await page.getByRole('link', { name: `Mia ${unique}` }).waitFor();
    await invitations.getByRole('button', { name: 'Accept' }).click();
    const members = page.getByRole('table', { name: 'Members' });
    await members.getByText(`Mia ${unique}`, { exact: true }).waitFor();
    await members.getByText('Person admin', { exact: true }).waitFor();
    assert.equal(await members.getByRole('link').count(), 0, 'principals have no page for this reader');
    assert.deepEqual(await axeViolationsOn(page, { content: members }), []);
  });

  it('calls what has no name by its kind, and the clients of every tenant by theirs', async () => {
    const principalId = await register(await stage.admin(), { principalType: 'AI_AGENT' });
    const name = `AI agent ${principalId.slice(0, 8)}`;
    const page = await stage.openWhen(`/console/principals/${principalId}`, (found) =>
      found.getByRole('heading', { level: 1, name }),
    );
    await page.goto('/console/clients/console');
    await page.getByRole('heading', { level: 1, name: 'Septet console' }).waitFor();
    await page.getByText('main~console', { exact: true }).waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.goto('/console/clients');
    await page.getByRole('link', { name: 'Septet command line' }).waitFor();
  });
});
