/** Where the console draws the jobs of a run. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { inGraphOrder, layOutGraph } from '../../../read-api/web/workflow/runs/graph-layout';

const job = (key: string, ...needs: readonly string[]) => ({ key, needs });

describe('the graph of a run', () => {
  it('has what a job needs to its left', () => {
    const { nodes, edges } = layOutGraph([
      job('deploy', 'test', 'build'),
      job('test', 'build'),
      job('build'),
      job('lint'),
    ]);
    assert.deepEqual(
      nodes.map(({ key, level, row }) => [key, level, row]),
      [
        ['build', 0, 0],
        ['deploy', 2, 0],
        ['lint', 0, 1],
        ['test', 1, 0],
      ],
    );
    assert.deepEqual(
      edges.map(({ from, to }) => `${from} ${to}`),
      ['test deploy', 'build deploy', 'build test'],
    );
  });

  it('has one box for a matrix', () =>
    assert.deepEqual(
      layOutGraph([job('test'), job('test'), job('test')]).nodes.map(({ jobs }) => jobs.length),
      [3],
    ));

  it('orders jobs as it draws them, those of a matrix by name', () => {
    const jobs = ['test (two)', 'compile', 'test (one)'].map((name) =>
      name === 'compile' ? { name, ...job('compile') } : { name, ...job('test', 'compile') },
    );
    assert.deepEqual(
      inGraphOrder(jobs).map(({ name }) => name),
      ['compile', 'test (one)', 'test (two)'],
    );
  });

  it('ends for graphs that no server sends', () => {
    const { nodes } = layOutGraph([job('a', 'b'), job('b', 'a'), job('c', 'gone')]);
    assert.equal(nodes.length, 3);
  });

  it('puts no two boxes in one place', () =>
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(30), { maxLength: 4 }), { maxLength: 30 }), (graph) => {
        const jobs = graph.map((needs, index) =>
          job(`k${index}`, ...needs.filter((other) => other < index).map((other) => `k${other}`)),
        );
        const { nodes } = layOutGraph(jobs);
        const levels = new Map(nodes.map(({ key, level }) => [key, level]));
        assert.equal(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size, jobs.length);
        for (const { key, needs } of jobs)
          for (const needed of needs) assert.ok((levels.get(needed) ?? 0) < (levels.get(key) ?? 0));
      }),
    ));
});
