/** A process that installs Valkey: prints the program's path and inode. */
import { statSync } from 'node:fs';
import { isLeft } from 'fp-ts/Either';
import { textForOperators } from '../../../../domain/kernel/rejection';
import { valkeyProgram } from '../../../../infra/operate/launch/servers/valkey-program';

const main = async (): Promise<void> => {
  const [tools = ''] = process.argv.slice(2);
  const program = await valkeyProgram({ directory: tools, tools, progress: () => undefined });
  if (isLeft(program)) throw new Error(textForOperators(program.left));
  process.stdout.write(`${program.right} ${statSync(program.right).ino}`);
};

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
