/** The API reference, made of the document that the services' routes make. */
import assert from 'node:assert/strict';
import { groupByTag } from '../../../../infra/gateway/docs/openapi-tags';
import { entriesOf, type ReferenceDocument } from '../../../../infra/gateway/docs/reference/document';
import { referencePages } from '../../../../infra/gateway/docs/reference/pages';
import { renderProse } from '../../../../infra/gateway/docs/reference/prose';
import { servedRoutes } from '../../../../tools/generate-client/served-document';

const served = servedRoutes();
const document: ReferenceDocument = { ...served, ...groupByTag(served.paths) };
const pages = referencePages(document);
const entries = entriesOf(document);

describe('the API reference', () => {
  it('lists every operation on its first page, and shows each on the page of its group', () => {
    for (const { id, group } of entries) {
      assert.ok(pages.get('/docs')?.includes(`href="/docs/${group}#${id}"`), id);
      assert.ok(pages.get(`/docs/${group}`)?.includes(`id="${id}"`), id);
    }
  });

  it('has a description for every group', () =>
    assert.deepEqual(
      entries.map(({ group }) => group).filter((group) => !document.tags.some(({ name }) => name === group)),
      [],
    ));

  it('shows a command for every operation, with an example of its body', () => {
    const editor = pages.get('/docs/editor') ?? '';
    assert.ok(editor.includes('curl -sS &quot;$SEPTET/v1/documents/'));
    for (const type of ['createNode', 'deleteNode', 'setProperties', 'transformNodes', 'moveChild', 'textOperation'])
      assert.ok(editor.includes(`type: <code>&quot;${type}&quot;</code>`), type);
  });

  it('has anchors that differ, and nothing inline that a policy would have to allow', () => {
    for (const [path, html] of pages) {
      const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      assert.equal(new Set(ids).size, ids.length, path);
      assert.doesNotMatch(
        html,
        / style=| on[a-z]+=|<style|<script(?! src="\/(?:docs\/search\.js" defer|pages\/theme\.js")>)/,
      );
    }
  });

  it('leads back to the console', () => {
    for (const html of pages.values()) assert.match(html, /<a href="\/">Console<\/a>/);
  });

  it('shows markup of a description as text', () => {
    const hostile = '<img src=x onerror=alert(1)> [x](javascript:alert(1)) ["](https://a"onclick=x)';
    assert.equal(
      renderProse(hostile),
      '<p>&lt;img src=x onerror=alert(1)&gt; x) <a href="https://a&quot;onclick=x">&quot;</a></p>',
    );
    const paths = { '/v1/x': { get: { operationId: '"><b>', summary: '<b>', description: '<i>', tags: ['<u>'] } } };
    for (const html of referencePages({ paths, tags: [], components: { schemas: {} } }).values())
      assert.doesNotMatch(html, /<b>|<i>|<u>/);
  });
});
