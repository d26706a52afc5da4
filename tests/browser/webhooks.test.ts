/** Webhooks in the console: an endpoint is added, tested, and its deliveries are seen and repeated. */
import assert from 'node:assert/strict';
import { type Receiver, startReceiver } from '../contracts/webhooks/receiver';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';

describe("the console's webhooks", () => {
  const stage = useConsole();
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver.close());

  it('are added with a secret that is shown once, tested, delivered again, disabled and removed', async () => {
    const page = await stage.open('/console/webhooks');
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    const form = page.getByRole('dialog', { name: 'New endpoint' });
    await form.getByLabel('Address').fill(receiver.url);
    await form.getByRole('button', { name: 'Add' }).click();
    await form.getByText('Choose at least one event type.').waitFor();
    await form.getByRole('checkbox', { name: 'video.ready' }).check();
    await form.getByRole('button', { name: 'Add' }).click();
    const saved = page.getByRole('dialog', { name: 'Save the secret' });
    const secret = (await saved.getByText(/^whsec_/).textContent()) ?? '';
    receiver.trust(secret);
    assert.deepEqual(await axeViolationsOn(page, { content: saved }), []);
    await saved.getByRole('button', { name: 'Copy the signing secret' }).click();
    await saved.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor();
    const confirm = async (button: string, act: string): Promise<void> => {
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: act, exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    receiver.behave(500);
    await confirm('Send a test event', 'Send');
    const deliveries = page.getByRole('table', { name: 'Deliveries' });
    // Films of other tests are ready meanwhile, and their deliveries are listed too.
    const row = deliveries.getByRole('row').filter({ hasText: 'webhook.test' });
    await row.getByText('Status 500').waitFor();
    receiver.behave(204);
    await row.getByRole('button', { name: /Deliver again/ }).click();
    await row.getByText('delivered', { exact: true }).waitFor();
    const tests = receiver.received.filter(({ body }) => body.type === 'webhook.test');
    assert.deepEqual(
      tests.map(({ verifiedBy }) => verifiedBy),
      [[secret], [secret]],
    );
    assert.equal(tests[0]?.id, tests[1]?.id);
    await row.getByRole('button', { name: /Attempts of webhook.test/ }).click();
    await page.getByRole('table', { name: 'Attempts' }).getByText('It answers 500.').waitFor();
    assert.deepEqual(await axeViolationsOn(page, { content: row }), []);
    await confirm('Disable', 'Disable');
    await page.getByText('disabled', { exact: true }).waitFor();
    await confirm('Remove', 'Remove');
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  });
});
