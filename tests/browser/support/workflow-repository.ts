/** A repository that a page shows, and pushes to it by the real `git`. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { commitFiles, gitWorks } from '../../support/workflow/git-client';

interface Options {
  /** Where the checkout goes. */
  readonly folder: string;
  readonly name: string;
  /** A password. */
  readonly token: string;
  /** By path: what is committed. */
  readonly files: Readonly<Record<string, string>>;
}

/** Pushes the commit to a branch. */
export type Push = (branch: string) => Promise<unknown>;

/** The page shows the address of the repository. */
export const checkOutFrom = async (page: Page, { folder, name, token, files }: Options): Promise<Push> => {
  const address = page.getByText(new RegExp(`/git/main/${name}\\.git$`)).first();
  const url = new URL((await address.textContent()) ?? '');
  Object.assign(url, { username: 'ada', password: token });
  const checkout = join(folder, name);
  mkdirSync(checkout);
  await gitWorks(checkout, 'init', '--quiet', '--initial-branch=main');
  await commitFiles(checkout, files);
  return (branch) => gitWorks(checkout, 'push', '--quiet', url.href, `HEAD:refs/heads/${branch}`);
};
