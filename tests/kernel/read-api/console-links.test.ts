/** Where the ids in events lead in the console. */
import assert from 'node:assert/strict';

// Paths are the router's, which knows where the page is.
Object.assign(globalThis, { location: new URL('https://septet.example/console') });
const { aggregateOf, linksOf } = require('../../../read-api/web/references/targets') as {
  readonly aggregateOf: (stream: string) => { readonly kind: string; readonly id: string } | undefined;
  readonly linksOf: (stream: string, isOwnTenant: boolean) => (field: string, value: string) => string | undefined;
};

Reflect.deleteProperty(globalThis, 'location');

const linkOf = (stream: string, field: string, value: string, isOwnTenant = true): string | undefined =>
  linksOf(stream, isOwnTenant)(field, value);

describe('links of ids in the console', () => {
  it('lead to places, imports, repositories, runs and their jobs', () => {
    const run = 'workflow.run-acme.run-1';
    assert.equal(linkOf('geo.place-acme.p-1', 'entityId', 'p-1'), '/console/places?place=p-1');
    assert.equal(linkOf('geo.import-acme.i-1', 'importId', 'i-1'), '/console/place-imports/i-1');
    assert.equal(linkOf(run, 'repoId', 'r-1'), '/console/repositories/r-1/runs');
    assert.equal(linkOf(run, 'runId', 'run-1'), '/console/runs/run-1');
    assert.equal(linkOf(run, 'jobId', 'j-1'), '/console/runs/run-1/jobs/j-1');
    assert.equal(linkOf('workflow.trigger-acme.t-1', 'jobId', 'j-1'), undefined);
  });

  it('lead from a stream to what it is about, by the declared aggregates', () => {
    assert.deepEqual(aggregateOf('workflow.run-acme.run-1'), { kind: 'run', id: 'run-1' });
    assert.deepEqual(aggregateOf('editor.log-acme.d-1'), { kind: 'document', id: 'd-1' });
    assert.deepEqual(aggregateOf('identity.authenticators-acme.p-1'), { kind: 'principal', id: 'p-1' });
    assert.equal(aggregateOf('identity.code-acme.c-1'), undefined);
    assert.equal(aggregateOf('identity.signingKeys-platform.keys'), undefined);
  });

  it('lead nowhere for what is of another tenant, but to its stream', () => {
    const run = 'workflow.run-other.run-1';
    assert.equal(linkOf(run, 'runId', 'run-1', false), undefined);
    assert.equal(linkOf(run, 'jobId', 'j-1', false), undefined);
    assert.equal(linkOf(run, 'stream', run, false), `/console/streams/${run}`);
  });
});
