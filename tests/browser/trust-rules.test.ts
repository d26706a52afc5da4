/** The console's trust rules: an issuer is trusted, a rule made, a credential tested, and the trust ended. */
import assert from 'node:assert/strict';
import { githubClaims, githubPullRequest } from '../identity/workloads/documented-claims';
import { startWorkloadIssuer, type WorkloadIssuer } from '../support/identity/workload-issuer';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';

describe("the console's trust rules", () => {
  const stage = useConsole();
  let issuer: WorkloadIssuer;
  before(async () => {
    issuer = await startWorkloadIssuer();
  });
  after(() => issuer.close());

  const picture = async (page: Awaited<ReturnType<typeof stage.open>>, name: string): Promise<void> => {
    const directory = process.env.TRUST_RULES_PICTURES;
    if (directory !== undefined) await page.screenshot({ path: `${directory}/${name}.png`, fullPage: true });
  };

  it('are made, tested and ended', async () => {
    const label = `Deployments ${issuer.url.slice(-5)}`;
    const registered = await (await stage.admin())('/v1/principals', { principalType: 'PIPELINE', label });
    assert.equal(registered.status, 201);
    const page = await stage.open('/console/credentials');
    await page.getByRole('link', { name: 'Trust rules' }).click();
    await page.getByRole('heading', { level: 1, name: 'Trust rules' }).waitFor();

    await page.getByRole('button', { name: 'Trust an issuer' }).click();
    const issuerDialog = page.getByRole('dialog');
    await issuerDialog.getByLabel('Name').fill('Test CI');
    await issuerDialog.getByLabel('Issuer').fill(issuer.url);
    await picture(page, 'issuer-dialog');
    await issuerDialog.getByRole('button', { name: 'Trust it' }).click();
    const issuers = page.getByRole('table', { name: 'Issuers' });
    await stage.until(page, issuers.getByText(issuer.url));

    await page.getByRole('button', { name: 'Make a rule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Deployments of main');
    await dialog.getByLabel('Issuer').selectOption({ label: 'Test CI' });
    await dialog.getByLabel('Value of repository').fill('octo-org/octo-repo');
    await dialog.getByLabel('Value of branch').fill('main');
    await dialog.getByLabel('Acts as').selectOption({ label: `${label} (Pipeline)` });
    await dialog.getByRole('checkbox', { name: /principals:read/ }).check();
    await picture(page, 'rule-dialog');
    const content = dialog.getByLabel('Value of branch');
    assert.deepEqual(await axeViolationsOn(page, { content }), []);
    await dialog.getByRole('button', { name: 'Make the rule' }).click();
    const rules = page.getByRole('table', { name: 'Rules' });
    await stage.until(page, rules.getByText('Branch is main'));
    await rules.getByRole('link', { name: label }).waitFor();

    const test = async (credential: string) => {
      await page.getByLabel('Credential').fill(credential);
      await page.getByRole('button', { name: 'Test', exact: true }).click();
    };
    const aud = `${stage.system.url}/tenants/main`;
    await test(await issuer.sign({ ...githubClaims(), aud }));
    await page.getByText('The credential is accepted, and a rule answers it.').waitFor();
    const outcome = page.getByRole('table', { name: 'Outcome of each rule' });
    await outcome.getByText('answers', { exact: true }).waitFor();
    await picture(page, 'tester-answers');
    await test(await issuer.sign({ ...githubPullRequest(), aud }));
    await page.getByText('The credential is accepted, but no rule answers it.').waitFor();
    await outcome.getByText('It needs: Branch is main.').waitFor();
    await test(await issuer.sign({ ...githubClaims(), aud: 'elsewhere' }));
    await page.getByText(`Its audience has to be ${aud}.`).waitFor();
    await picture(page, 'tester-refuses');
    assert.deepEqual(await axeViolationsOn(page, { content: outcome }), []);
    await page.setViewportSize({ width: 390, height: 844 });
    await picture(page, 'phone');
    await page.setViewportSize({ width: 1280, height: 800 });

    await issuers.getByRole('button', { name: 'End Test CI' }).click();
    const ending = page.getByRole('dialog');
    await ending.getByLabel('Reason').fill('Only a test.');
    await ending.getByRole('button', { name: 'End the trust' }).click();
    await stage.until(page, page.getByText('No rules yet'));
  });
});
