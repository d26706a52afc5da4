/** `npm run audit -- <stream> [--verify]`, `npm run audit -- --verify`: what was recorded, by whom, why, and what it changed. */
import { parseArgs } from 'node:util';
import { isLeft } from 'fp-ts/Either';
import { issuance } from '../domain/identity/issuance/events';
import { principals } from '../domain/identity/principal/events';
import { evolve, type PrincipalState } from '../domain/identity/principal/state';
import { loadConfig, variables } from '../infra/config';
import { openEventStore } from '../infra/eventstore/client';
import { withRunFile } from '../infra/launch/run-file';
import type { EventStore } from '../infra/ports/event-store';
import { type Damage, openAudit } from './kernel/audit';
import { audited } from './kernel/audited';
import { describeStep } from './kernel/describe-step';

const usage = 'Usage: npm run audit -- <stream> [--verify]\n       npm run audit -- --verify      (the whole log)';

const none: PrincipalState = { kind: 'none' };

/** The only place beside deciders where events become state: an audit shows what each one did. */
const aggregates = [
  audited({ family: principals, aggregate: 'principal', initial: none, evolve }),
  audited({ family: issuance, aggregate: 'issuance', initial: null, evolve: () => null }),
];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const stop = (line: string, code: number): never => {
  process.stderr.write(`${line}\n`);
  process.exit(code);
};

const parse = () => {
  try {
    return parseArgs({ allowPositionals: true, options: { verify: { type: 'boolean' } } });
  } catch (error) {
    return stop(`${(error as Error).message}\n${usage}`, 2);
  }
};

const damaged = ({ stream, revision, type, reason }: Damage): number => {
  say(`damaged: ${stream} revision ${revision} ${type}: ${reason}`);
  return 1;
};

const auditStream = async (store: EventStore, stream: string, verify: boolean): Promise<number> => {
  const events = await store.read(stream);
  if (isLeft(events)) return stop(events.left.detail, 1);
  if (events.right.length === 0) return stop(`There is no stream ${stream}.`, 1);
  const audit = openAudit(aggregates);
  for (const stored of events.right) {
    const step = audit(stored);
    if (isLeft(step)) return damaged(step.left);
    if (!verify) for (const line of describeStep(stored, step.right)) say(line);
  }
  if (verify) say(`${stream}: ${events.right.length} events are whole.`);
  return 0;
};

const verifyLog = async (store: EventStore): Promise<number> => {
  const audit = openAudit(aggregates);
  let events = 0;
  for await (const stored of store.readAll({ after: null })) {
    const step = audit(stored);
    if (isLeft(step)) return damaged(step.left);
    events += 1;
  }
  say(`${events} events are whole.`);
  return 0;
};

const main = async (): Promise<number> => {
  const { values, positionals } = parse();
  const [stream, ...others] = positionals;
  const verify = values.verify ?? false;
  if (others.length > 0 || (stream === undefined && !verify)) return stop(usage, 2);
  const config = loadConfig({ EVENTSTORE_URL: variables.EVENTSTORE_URL }, withRunFile(process.env));
  if (isLeft(config)) return stop('EVENTSTORE_URL is not set and no launcher runs here.', 2);
  const store = openEventStore({ url: config.right.EVENTSTORE_URL });
  const code = stream === undefined ? await verifyLog(store) : await auditStream(store, stream, verify);
  await store.close();
  return code;
};

main().then(
  (code) => process.exit(code),
  (error: unknown) => stop(String(error instanceof Error ? error.message : error), 1),
);
