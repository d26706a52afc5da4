/** Loaded before a service: its wall clock is wrong by the milliseconds that stand in a file, whenever they change. */
import { readFileSync, watchFile } from 'node:fs';

const path = process.env.CLOCK_FILE;

if (path !== undefined) {
  const true_ = globalThis.Date;
  let offset = 0;
  const read = (): void => {
    const found = Number(readFileSync(path, 'utf8').trim());
    if (Number.isFinite(found)) offset = found;
  };
  read();
  watchFile(path, { interval: 50, persistent: false }, read);
  const now = (): number => true_.now() + offset;
  globalThis.Date = new Proxy(true_, {
    construct: (target, given, self) => Reflect.construct(target, given.length === 0 ? [now()] : given, self) as object,
    apply: () => new true_(now()).toString(),
    get: (target, property, self) => (property === 'now' ? now : (Reflect.get(target, property, self) as unknown)),
  });
}
