/** A repository for the pictures: its push builds, tests in a matrix, and deploys; one test fails. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { connect } from '../../../packages/client/src/index';
import { commitFiles, gitWorks } from '../../support/workflow/git-client';

const build = `name: Build
on:
  push: { branches: [main] }
  workflow_dispatch:
    inputs:
      where: { type: choice, options: [staging, production], required: true }
      shards: { type: number, default: 2, description: Jobs that test at once }
      dry: { type: boolean, default: true }
jobs:
  lint:
    runs-on: ubuntu-latest
    steps:
      - run: echo 214 files, no faults
  compile:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - name: Compile
        run: |
          echo '::group::Modules'
          for module in basket catalogue checkout search; do echo "compiled $module"; done
          echo '::endgroup::'
          echo '::warning file=src/basket.ts,line=12::The basket has no upper bound.'
          echo '{"modules": 4}' > manifest.json
      - uses: actions/upload-artifact@v4
        with: { name: storefront, path: manifest.json }
  test:
    needs: compile
    strategy: { fail-fast: false, matrix: { part: [basket, checkout] } }
    runs-on: ubuntu-latest
    steps:
      - name: Test
        run: |
          for i in $(seq 1 60); do printf '\\033[32m✓\\033[0m %s: case %d\\n' \${{ matrix.part }} $i; done
          if [ \${{ matrix.part }} = checkout ]; then
            printf '\\033[31m✗\\033[0m checkout: a basket that is empty\\n'
            echo '::error file=tests/checkout.test.ts,line=41::Expected 422, received 500.'
            exit 1
          fi
  deploy:
    needs: [lint, test]
    runs-on: ubuntu-latest
    steps:
      - run: echo deployed
`;

interface Options {
  readonly septet: ReturnType<typeof connect>;
  readonly url: string;
  readonly token: string;
  /** Where the checkout goes. */
  readonly folder: string;
}

/** Pushes it, and waits until its run has ended. */
export const pushStorefront = async ({ septet, url, token, folder }: Options) => {
  const { body: repository } = await septet.createRepository({ body: { name: 'storefront' } });
  const checkout = join(folder, 'storefront');
  mkdirSync(checkout);
  await gitWorks(checkout, 'init', '--quiet', '--initial-branch=main');
  await commitFiles(checkout, { '.github/workflows/build.yml': build });
  const address = new URL(repository.clone_url);
  const { protocol, host } = new URL(url);
  Object.assign(address, { protocol, host, username: 'ada', password: token });
  await gitWorks(checkout, 'push', '--quiet', address.href, 'HEAD:refs/heads/main');
  for (;;) {
    for await (const run of septet.listWorkflowRuns.items({ repoId: repository.id })) {
      if (run.completedAt === undefined) continue;
      const { body } = await septet.getWorkflowRun({ runId: run.runId });
      return { repoId: repository.id, run: body };
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
};
