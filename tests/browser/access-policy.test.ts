/** The console's access policy: faults at their lines, a version, what it decides, and its enforcement. */
import assert from 'node:assert/strict';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';

describe("the console's access policy", () => {
  const stage = useConsole();

  const picture = async (page: Awaited<ReturnType<typeof stage.open>>, name: string): Promise<void> => {
    const directory = process.env.SCREENSHOTS;
    if (directory === undefined) return;
    await page.screenshot({ path: `${directory}/${name}.png`, fullPage: true });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.screenshot({ path: `${directory}/${name}-390.png`, fullPage: true });
    await page.setViewportSize({ width: 1280, height: 900 });
  };

  it('is checked, added, explained, enforced and turned off', async () => {
    const page = await stage.open('/console/policy');
    const text = page.getByLabel('Document as JSON');
    await text.fill('{\n  "covers": [],\n  "rules": [\n    { "ruleId": "a", "effect": "PERMIT" }\n  ]\n}');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('Line 4').waitFor();
    await page.getByText('/rules/0/effect').waitFor();
    await picture(page, 'policy-faults');

    // Nothing that another test calls.
    const rule = { ruleId: 'no-such-place', effect: 'DENY', resource: { paths: ['/v1/no-such-place/**'] } };
    await text.fill(JSON.stringify({ covers: [], rules: [rule] }, undefined, 2));
    await page.getByLabel('Note').fill('A place that is closed.');
    await page.getByRole('button', { name: /Add as version/ }).click();
    const row = page.getByRole('row', { name: /A place that is closed/ }).first();
    await stage.until(page, row);

    await row.getByRole('button', { name: 'Open' }).click();
    await page.getByLabel('Path', { exact: true }).fill('/v1/no-such-place/7');
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await page.getByRole('table', { name: 'What each rule finds' }).getByText('decides').waitFor();
    assert.deepEqual(await axeViolationsOn(page, { content: page.getByText('decides', { exact: true }) }), []);
    await picture(page, 'policy-explained');

    await row.getByRole('button', { name: 'Shadow', exact: false }).click();
    await row.getByText('in shadow').waitFor();
    await page.getByText(/requests would have been decided otherwise/).waitFor();
    await row.getByRole('button', { name: 'Enforce' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Enforce', exact: true }).click();
    await row.getByText('enforced').waitFor();
    await picture(page, 'policy-enforced');
    await page.getByRole('button', { name: 'Turn off', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('Tried out.');
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off', exact: true }).click();
    await row.getByText('enforced').waitFor({ state: 'detached' });
  });
});
