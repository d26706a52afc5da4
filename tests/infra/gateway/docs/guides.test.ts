/** Guides as pages of the gateway: all are there, their links lead somewhere, and the console's links lead to them. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { guidePages } from '../../../../infra/gateway/docs/guides/pages';
import { guidesIn } from '../../../../infra/gateway/docs/guides/read-guides';
import { groupByTag } from '../../../../infra/gateway/docs/openapi-tags';
import { referencePages } from '../../../../infra/gateway/docs/reference/pages';
import { servedRoutes } from '../../../../tools/generate-client/served-document';

const root = join(__dirname, '..', '..', '..', '..');
const pages = guidePages(guidesIn(root));
const served = servedRoutes();
const reference = referencePages({ ...served, ...groupByTag(served.paths) });

const hasTarget = (href: string, from: string): boolean => {
  const [path = '', anchor] = href.split('#');
  const page = (path === '' ? pages.get(from) : undefined) ?? pages.get(path) ?? reference.get(path);
  return page !== undefined && (anchor === undefined || page.includes(` id="${anchor}"`));
};

const sources = readdirSync(join(root, 'read-api', 'web'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx'))
  .map((file) => readFileSync(join(root, 'read-api', 'web', file), 'utf8'));

describe('the guides of the gateway', () => {
  it('are the README, every guide, and the README of every package', () => {
    const paths = [...pages.keys()];
    assert.ok(paths.includes('/docs/guides'));
    for (const name of readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md')))
      assert.ok(paths.includes(`/docs/guides/${name.replace('.md', '')}`), name);
    for (const name of readdirSync(join(root, 'packages'))) assert.ok(paths.includes(`/docs/guides/packages-${name}`));
  });

  it('link each other by pages, and headings that are there', () => {
    for (const [path, html] of pages)
      for (const [, href = ''] of html.matchAll(/<a href="([^"]+)"/g))
        if (/^(?:#|\/docs\/)/.test(href) && href !== '/docs') assert.ok(hasTarget(href, path), `${path}: ${href}`);
  });

  it('have anchors that differ, and nothing inline that a policy would have to allow', () => {
    for (const [path, html] of pages) {
      const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      assert.equal(new Set(ids).size, ids.length, path);
      assert.doesNotMatch(
        html,
        / style=|<[^>]* on[a-z]+=|<style|<script(?! src="\/(?:pages\/theme\.js"|docs\/search\.js" defer)>)|<img(?! src="\/docs\/icon\.svg")/,
      );
    }
  });

  it('show markup as text', () => {
    const [html = ''] = guidePages([
      { file: 'docs/x.md', markdown: '# X\n\n<b>a</b> [b](javascript:c) <script>d</script>' },
    ]).values();
    const main = html.slice(html.indexOf('<main'));
    assert.doesNotMatch(main, /<b>|javascript:|<script/);
    assert.ok(main.includes('&lt;b&gt;a&lt;/b&gt;'));
  });

  it('are what the console links', () => {
    const names = sources.flatMap((source) => [...source.matchAll(/<Guide\s+name="([^"]+)"|guidePath\('([^']+)'\)/g)]);
    assert.ok(names.length >= 9);
    for (const [, element, call] of names) assert.ok(hasTarget(`/docs/guides/${element ?? call}`, ''), element ?? call);
    for (const source of sources)
      for (const [, group = ''] of source.matchAll(/<Guide[^>]* group="([^"]+)"/g))
        assert.ok(reference.has(`/docs/${group}`), group);
  });

  it('are not named by the console as files, which its readers do not have', () => {
    for (const source of sources)
      assert.doesNotMatch(source.replaceAll(/\/\*\*?[\s\S]*?\*\//g, ''), /docs\/[a-z-]+\.md/);
  });
});
