/** Variables that every step has: `GITHUB_*` of the context, `RUNNER_*`, and the paths of the workspace. */
import { arch } from 'node:os';

export interface JobPaths {
  /** All as programs name them. */
  readonly workspace: string;
  readonly home: string;
  readonly temporary: string;
  /** Where actions keep the tools that they install. */
  readonly tools: string;
  readonly event: string;
}

/** Of the context `github`: others are objects, or not for programs. */
const contextVariables = [
  'action_ref',
  'actor',
  'actor_id',
  'api_url',
  'base_ref',
  'event_name',
  'graphql_url',
  'head_ref',
  'job',
  'ref',
  'ref_name',
  'ref_protected',
  'ref_type',
  'repository',
  'repository_id',
  'repository_owner',
  'repository_owner_id',
  'retention_days',
  'run_attempt',
  'run_id',
  'run_number',
  'server_url',
  'sha',
  'triggering_actor',
  'workflow',
  'workflow_ref',
  'workflow_sha',
];

const architectures: { readonly [name: string]: string } = { x64: 'X64', arm64: 'ARM64', ia32: 'X86', arm: 'ARM' };

/** The context `runner`. */
export const runnerContext = (name: string, paths: JobPaths) => ({
  name,
  os: 'Linux',
  arch: architectures[arch()] ?? arch().toUpperCase(),
  temp: paths.temporary,
  tool_cache: paths.tools,
  environment: 'self-hosted',
});

/** A workflow, a job or a step may set them otherwise. */
export const defaultVariables = ({ home }: JobPaths): { readonly [name: string]: string } => ({
  CI: 'true',
  HOME: home,
});

/** Nothing in a workflow file changes them. */
export const jobEnvironment = (
  github: { readonly [name: string]: unknown },
  runnerName: string,
  paths: JobPaths,
): { readonly [name: string]: string } => {
  const runner = runnerContext(runnerName, paths);
  const ofContext = contextVariables
    .map((name) => [`GITHUB_${name.toUpperCase()}`, github[name]] as const)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => [name, String(value)] as const);
  return {
    GITHUB_ACTIONS: 'true',
    ...Object.fromEntries(ofContext),
    GITHUB_WORKSPACE: paths.workspace,
    GITHUB_EVENT_PATH: paths.event,
    RUNNER_NAME: runner.name,
    RUNNER_OS: runner.os,
    RUNNER_ARCH: runner.arch,
    RUNNER_TEMP: runner.temp,
    RUNNER_TOOL_CACHE: runner.tool_cache,
    RUNNER_ENVIRONMENT: runner.environment,
  };
};

/** What steps may not set for later ones: what they are given, and what would load code into programs of others. */
export const isReserved = (name: string): boolean =>
  /^(GITHUB_|RUNNER_)/i.test(name) || name.toUpperCase() === 'NODE_OPTIONS';

/** Of one string that a program is started with, the name of a variable included; the kernel takes little more. */
const longestString = 98_304;

/** Why no program can be started with the text; the sentence goes on after the name of its field. */
export const startFault = (text: string): string | undefined => {
  if (text.includes('\0')) return 'has a NUL, which no program can be started with';
  return Buffer.byteLength(text) >= longestString ? `is longer than ${longestString} bytes` : undefined;
};

/** As `startFault`, of a variable. */
export const variableFault = (name: string, value: string): string | undefined =>
  name.includes('\0') ? 'has a NUL in its name' : startFault(`${name}=${value}`);
