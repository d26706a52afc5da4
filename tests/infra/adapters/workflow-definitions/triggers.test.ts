import { strict as assert } from 'node:assert';
import { isRight } from 'fp-ts/Either';
import { opened } from './fixture';

const { definitions, expand, problems, starts, triggerProblems } = opened();

const on = (text: string): string => `on:\n${text}\njobs: {}\n`;
const push = (...lines: readonly string[]): string => on(['  push:', ...lines.map((line) => `    ${line}`)].join('\n'));
const pullRequest = (...lines: readonly string[]): string =>
  on(['  pull_request:', ...lines.map((line) => `    ${line}`)].join('\n'));
const branch = (name: string) => ({ ref: `refs/heads/${name}`, branch: name });
const tag = (name: string) => ({ eventType: 'tag' as const, ref: `refs/tags/${name}`, branch: name });
const merge = (baseBranch: string, activity: string | null = 'opened') =>
  ({ eventType: 'pull_request', ref: 'refs/pull/7/merge', branch: 'topic', baseBranch, activity }) as const;

describe('the events that start a workflow', () => {
  after(definitions.close);

  it('are one name, a list, or a mapping', async () => {
    assert.equal(await starts('on: push\n', {}), true);
    assert.equal(await starts('on: [pull_request, push]\n', {}), true);
    assert.equal(await starts('on: { push: , pull_request: }\n', {}), true);
    assert.equal(await starts('on: pull_request\n', {}), false);
  });

  it('count pull_request_target as a pull request, whose run is refused by name', async () => {
    assert.equal(await starts('on: { pull_request_target: }\n', merge('main')), true);
    assert.equal(await starts('on: { pull_request_target: { branches: main } }\n', merge('topic')), false);
    assert.equal(await starts('on: { pull_request_target: }\n', {}), false);
    const jobs = 'jobs: { a: { runs-on: linux, steps: [{ run: "true" }] } }';
    const contexts = { github: { event_name: 'pull_request' } };
    assert.deepEqual(await problems(`on: [push, pull_request_target]\n${jobs}\n`, { contexts }), [
      [1, 1, '"pull_request_target" is not supported: "pull_request" is.'],
    ]);
    for (const [events, name] of [
      ['[push, pull_request_target]', 'push'],
      ['[pull_request, pull_request_target]', 'pull_request'],
    ] as const)
      assert.equal(
        (await expand(`on: ${events}\n${jobs}\n`, { contexts: { github: { event_name: name } } })).jobs.length,
        1,
      );
  });

  it('include pushed tags, dispatches and schedules', async () => {
    assert.equal(await starts('on: push\n', tag('v1')), true);
    assert.equal(await starts('on: workflow_dispatch\n', { eventType: 'workflow_dispatch' }), true);
    assert.equal(await starts("on: { schedule: [{ cron: '0 0 * * *' }] }\n", { eventType: 'schedule' }), true);
    assert.equal(await starts('on: push\n', { eventType: 'workflow_dispatch' }), false);
  });

  it('are filtered by branch, in either direction', async () => {
    assert.equal(await starts(push("branches: [main, 'releases/**']"), branch('releases/1/x')), true);
    assert.equal(await starts(push("branches: [main, 'releases/**']"), branch('topic')), false);
    assert.equal(await starts(push("branches-ignore: [main, 'releases/**']"), branch('releases/1')), false);
    assert.equal(await starts(push('branches-ignore: main'), branch('topic')), true);
  });

  it('take the last pattern that matches, and none when only exclusions are named', async () => {
    const mixed = push("branches: ['releases/**', '!releases/**-alpha']");
    assert.equal(await starts(mixed, branch('releases/1-alpha')), false);
    assert.equal(await starts(mixed, branch('releases/1')), true);
    assert.equal(await starts(push("branches: ['!main']"), branch('topic')), false);
  });

  it('leave out tags when only branches are named, and branches when only tags are', async () => {
    assert.equal(await starts(push('branches: [main]'), tag('v1')), false);
    assert.equal(await starts(push("tags: ['v*']"), tag('v1')), true);
    assert.equal(await starts(push("tags: ['v*']"), branch('v1')), false);
    assert.equal(await starts(push("tags-ignore: ['v*']"), tag('v1')), false);
    assert.equal(await starts(push("tags-ignore: ['v*']"), branch('main')), false);
    assert.equal(await starts(push('branches: [main]', "tags: ['v*']"), tag('v1')), true);
    assert.equal(await starts(push('branches: [main]', "tags: ['v*']"), branch('main')), true);
  });

  it('are filtered by changed paths: one that passes is enough', async () => {
    const docs = { changedPaths: ['docs/a.md', 'docs/b/c.md'] };
    assert.equal(await starts(push("paths: ['src/**']"), docs), false);
    assert.equal(await starts(push("paths: ['docs/**', '!docs/b/**']"), docs), true);
    assert.equal(await starts(push("paths-ignore: ['docs/**']"), docs), false);
    assert.equal(await starts(push("paths-ignore: ['docs/*']"), docs), true);
    assert.equal(await starts(push("paths: ['src/**']"), { changedPaths: [] }), false);
  });

  it('pass when changed paths are unknown, and for tags', async () => {
    assert.equal(await starts(push("paths: ['src/**']"), {}), true);
    assert.equal(await starts(push("paths: ['src/**']"), { ...tag('v1'), changedPaths: ['docs/a'] }), true);
  });

  it('of pull requests are those that bring commits, unless types are named', async () => {
    const plain = 'on: pull_request\n';
    for (const activity of ['opened', 'synchronize', 'reopened', null])
      assert.equal(await starts(plain, merge('main', activity)), true);
    assert.equal(await starts(plain, merge('main', 'closed')), false);
    assert.equal(await starts(pullRequest('types: [closed]'), merge('main', 'closed')), true);
    assert.equal(await starts(pullRequest('types: closed'), merge('main', 'opened')), false);
  });

  it('of pull requests are filtered by the branch to merge into', async () => {
    assert.equal(await starts(pullRequest('branches: [main]'), merge('main')), true);
    assert.equal(await starts(pullRequest('branches: [topic]'), merge('main')), false);
    assert.equal(await starts(pullRequest('branches-ignore: [main]'), merge('main')), false);
    assert.equal(await starts(pullRequest("paths: ['src/*']"), { ...merge('main'), changedPaths: ['a'] }), false);
  });

  it('may declare inputs', async () => {
    const yaml = [
      'name: Release',
      'on:',
      '  workflow_dispatch:',
      '    inputs:',
      '      level: { type: choice, options: [low, high], default: low }',
      '      dry: { type: boolean, required: true }',
      '      count: { type: number, default: 3 }',
      '      note: { description: Why }',
    ].join('\n');
    const facts = { eventType: 'workflow_dispatch', ref: 'refs/heads/main', branch: 'main' } as const;
    const read = await definitions.readTriggers(new TextEncoder().encode(yaml), 'tenant', {
      ...facts,
      baseBranch: null,
      activity: null,
      changedPaths: undefined,
    });
    assert(isRight(read));
    const none = { description: undefined, required: false, options: [] };
    assert.deepEqual(read.right, {
      name: 'Release',
      matches: true,
      inputs: [
        { ...none, name: 'level', type: 'choice', default: 'low', options: ['low', 'high'] },
        { ...none, name: 'dry', type: 'boolean', required: true, default: undefined },
        { ...none, name: 'count', type: 'number', default: '3' },
        { ...none, name: 'note', description: 'Why', type: 'string', default: undefined },
      ],
    });
  });

  it('are read although jobs are faulty', async () => {
    assert.equal(await starts('on: push\njobs: { a: { uses: x } }\n', {}), true);
  });

  it('are refused with their place when a filter is faulty', async () => {
    assert.deepEqual(await triggerProblems(push('branches: [main]', 'branches-ignore: [x]')), [
      [4, 5, '"branches" and "branches-ignore" exclude each other.'],
    ]);
    assert.deepEqual(await triggerProblems(push("paths: ['[ab']")), [
      [3, 13, 'The pattern "[ab" is not valid: "[" has no matching "]", or its range is empty.'],
    ]);
  });

  it('are refused with their place when an input is faulty', async () => {
    const inputs = (text: string) => on(`  workflow_dispatch:\n    inputs:\n      ${text}`);
    assert.deepEqual(await triggerProblems(inputs('a: { type: choice }')), [
      [4, 7, 'The input "a" has no options to choose from.'],
    ]);
    assert.deepEqual(await triggerProblems(inputs('a: { type: boolean, default: maybe }')), [
      [4, 36, 'The default of the input "a" is not a value of its type, boolean.'],
    ]);
  });

  it('are refused when the file is no workflow', async () => {
    assert.deepEqual(await triggerProblems('- a\n'), [[1, 1, 'A workflow is a mapping with "on" and "jobs".']]);
    assert.deepEqual(await triggerProblems('jobs: {}\n'), [[1, 1, 'The workflow names no event: "on" is missing.']]);
    assert.deepEqual(await triggerProblems(''), [[null, null, 'The file is empty.']]);
  });
});
