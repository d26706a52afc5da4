/** Every code block of the README, the guides and the packages' READMEs is done by a test, which this page names, or is no code. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { parsePolicy } from '../../packages/ratelimit/src/policy/parse-policy';
import { type CodeBlock, codeBlocksOf, fileNameOf } from '../support/documents/code-blocks';

const root = join(__dirname, '..', '..');
const followed = 'tests/faults/packages/documented.ts';
const signedIn = 'tests/browser/documented.test.ts';
const inPages = 'tests/browser/editor-engine.test.ts';
const inTenant = 'tests/e2e/documented.test.ts';
const restarted = 'tests/faults/raise-a-limit.test.ts';
const compiled = 'tests/infra/recipe-example.test.ts';
const received = 'tests/webhooks/documented.test.ts';

/** Which test does a document's commands and programs. */
const testOf: Readonly<Record<string, string>> = {
  'README.md': followed,
  'docs/agents.md': 'tests/e2e/delegations.test.ts',
  'docs/client.md': followed,
  'docs/editor.md': followed,
  'docs/files.md': inTenant,
  'docs/identity.md': signedIn,
  'docs/limits.md': restarted,
  'docs/models.md': followed,
  'docs/place-search.md': inTenant,
  'docs/places.md': inTenant,
  'docs/rate-limiter.md': followed,
  'docs/recipe.md': compiled,
  'docs/video.md': inTenant,
  'docs/webhooks.md': received,
  'docs/workflows.md': inTenant,
  'packages/client/README.md': followed,
  'packages/editor-engine/README.md': inPages,
  'packages/eventstore-node/README.md': followed,
  'packages/ratelimit/README.md': followed,
  'packages/resource-server/README.md': followed,
  'packages/runner/README.md': inTenant,
};

const documents = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`),
];

const isPolicy = (value: unknown): boolean => typeof value === 'object' && value !== null && 'defaults' in value;

/** What stays in the terminal in which it runs. */
const terminals: Readonly<Record<string, RegExp>> = {
  'README.md': /^\$ npm ci && npm (?:start|test)\n$/,
  'docs/limits.md': /^\$ GATEWAY_RATELIMIT_POLICY_FILE=limits\.json npm start\n$/,
};

const checks: Readonly<Record<string, (block: CodeBlock, document: string) => void>> = {
  // Diagrams, usages and what programs print.
  text: () => undefined,
  // What a reader types in a terminal of its own; the long tests of these documents do it.
  console: ({ text }, document) => {
    assert.match(text, terminals[document] ?? /^$/);
  },
  sh: (_, document) => assert.ok(testOf[document]),
  bash: (_, document) => assert.ok(testOf[document]),
  js: (block, document) => {
    assert.ok(testOf[document]);
    assert.ok(fileNameOf(block), 'a program has the name of its file in its first line');
  },
  python: (_, document) => assert.ok(testOf[document]),
  ts: (_, document) => assert.ok(testOf[document]),
  // Its lines are those of a program that this long test runs.
  java: (_, document) => {
    const test = readFileSync(join(root, 'tests/faults/libraries/resource-server.test.ts'), 'utf8');
    assert.ok(test.includes(document));
  },
  json: ({ text }) => {
    const value: unknown = JSON.parse(text);
    if (isPolicy(value)) assert.deepEqual(parsePolicy(value), { ok: true, policy: value });
  },
  yaml: ({ text }) => assert.ok(typeof parse(text) === 'object'),
};

describe('a code block', () => {
  for (const document of documents)
    for (const block of codeBlocksOf(document))
      it(`of ${document}:${block.line} is of a kind that is checked`, () => {
        const check = checks[block.language];
        assert.ok(check, `${block.language || 'no language'}: use one of ${Object.keys(checks).join(', ')}`);
        check(block, document);
      });

  it('writes into the checkout only files that Git ignores, as some hold secrets', () => {
    const ignored = readFileSync(join(root, '.gitignore'), 'utf8').split('\n');
    const isIgnored = (file: string): boolean =>
      ignored.includes(`/${file}`) ||
      ignored.some((pattern) => pattern.startsWith('*') && file.endsWith(pattern.slice(1)) && !file.includes('/'));
    const written = documents.flatMap((document) =>
      codeBlocksOf(document)
        .filter(({ language }) => language === 'sh' || language === 'bash')
        .flatMap(({ text }) => [...text.matchAll(/(?<![0-9&|]) > ([\w.-]+\.(?:json|txt)|[\w-]*token)\b/g)])
        .map(([, file = '']) => ({ document, file })),
    );
    assert.ok(written.some(({ file }) => file === 'asker-credential.json'));
    assert.deepEqual(
      written.filter(({ file }) => !isIgnored(file)),
      [],
    );
  });

  it('is followed by a test that is there and reads that document', () => {
    for (const [document, test] of Object.entries(testOf)) {
      assert.ok(existsSync(join(root, test)), test);
      // The pages' test reads through a helper beside it.
      const source = test === inPages ? 'tests/browser/editor-engine/documented.ts' : test;
      assert.ok(readFileSync(join(root, source), 'utf8').includes(document.split('/').at(-2) ?? document), document);
    }
  });
});
