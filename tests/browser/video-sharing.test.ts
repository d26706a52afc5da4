/** Viewers of a video: people by name, entitlements with a beginning and an end, and what the viewer sees of them. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { axeViolationsOn } from './support/axe';
import { useVideoPages } from './support/video-pages';

const localTime = (milliseconds: number): string => {
  const at = new Date(milliseconds);
  return new Date(milliseconds - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

describe('sharing of videos in the console', function () {
  this.timeout(300_000);
  const { stage, person, recordVideo } = useVideoPages();
  const dialogOf = (page: Page) => page.getByRole('dialog');
  const act = async (page: Page, name: string): Promise<void> => {
    await dialogOf(page).getByRole('button', { name, exact: true }).click();
    await dialogOf(page).waitFor({ state: 'detached' });
  };

  it('is by name, with an entitlement where one is needed, until both are taken back', async () => {
    const videoId = await recordVideo({ title: 'Rented film' });
    const { page: viewer } = await person('sal.videos@example.org', 'Sal Ter', { expects: /status of 40[34]/ });
    const watch = `${stage.system.url}/console/videos/${videoId}/watch`;
    await viewer.goto(watch);
    await viewer.getByText('There is no such video').first().waitFor();

    const owner = await stage.open(`/console/videos/${videoId}`);
    const people = owner.getByRole('region', { name: 'People' });
    await people.getByRole('button', { name: 'Share', exact: true }).click();
    await dialogOf(owner).getByLabel('Name or id').fill('sal ter');
    await dialogOf(owner)
      .getByText(/^This is Sal Ter\b/)
      .waitFor();
    assert.deepEqual(await axeViolationsOn(owner, { names: ['on a phone', 'in the dark', 'in the light'] }), []);
    await act(owner, 'Share');
    await people.getByRole('row').filter({ hasText: 'Sal Ter' }).getByText('Shared by name').waitFor();

    const entitlements = owner.getByRole('region', { name: 'Entitlements' });
    await entitlements.getByRole('button', { name: 'Change what is needed' }).click();
    await dialogOf(owner).getByLabel('Rental').check();
    await act(owner, 'Change');
    await entitlements.getByText('a viewer needs a rental').waitFor();
    await viewer.reload();
    await viewer.getByText('Ask its owner for access.').waitFor();

    await entitlements.getByRole('button', { name: 'Grant', exact: true }).click();
    await dialogOf(owner).getByLabel('Name or id of the viewer').fill('sal ter');
    await dialogOf(owner)
      .getByText(/^This is Sal Ter\b/)
      .waitFor();
    const grant = dialogOf(owner).getByRole('button', { name: 'Grant', exact: true });
    assert.ok(await grant.isDisabled(), 'a rental ends');
    await dialogOf(owner)
      .getByLabel('Ends')
      .fill(localTime(Date.now() - 7_200_000));
    await dialogOf(owner).getByText('It has to end after it begins.').waitFor();
    await dialogOf(owner)
      .getByLabel('Ends')
      .fill(localTime(Date.now() + 172_800_000));
    assert.deepEqual(await axeViolationsOn(owner, { names: ['on a phone', 'in the dark', 'in the light'] }), []);
    await act(owner, 'Grant');
    const row = entitlements.getByRole('row').filter({ hasText: 'Sal Ter' });
    await row.getByText('holds').waitFor();
    assert.deepEqual(await axeViolationsOn(owner), []);

    await viewer.goto(`${stage.system.url}/console/videos/entitlements`);
    const own = viewer.getByRole('table', { name: 'Your entitlements' });
    await own.getByRole('link', { name: 'Rented film' }).waitFor();
    assert.deepEqual(await axeViolationsOn(viewer), []);
    await own.getByRole('link', { name: 'Rented film' }).click();
    await viewer.getByRole('region', { name: 'Player: Rented film' }).waitFor();

    await row.getByRole('button', { name: 'Revoke' }).click();
    await act(owner, 'Revoke');
    await row.waitFor({ state: 'detached' });
    await viewer.reload();
    await viewer.getByText('Ask its owner for access.').waitFor();
    await people.getByRole('button', { name: /^Stop sharing/ }).click();
    await act(owner, 'Stop sharing');
    await viewer.reload();
    await viewer.getByText('There is no such video').first().waitFor();
  });

  it('keeps the source as long as is chosen', async () => {
    const videoId = await recordVideo({ title: 'Kept film' });
    const owner = await stage.openWhen(`/console/videos/${videoId}`, (page) => page.getByText('The source is removed'));
    const source = owner.getByRole('region', { name: 'Source' });
    await source.getByRole('button', { name: 'Keep the source' }).click();
    await source.getByText('The source is kept until you choose otherwise.').waitFor();
    await source.getByRole('button', { name: 'Keep it no longer' }).click();
    await source.getByText('The source is removed').waitFor();
  });
});
