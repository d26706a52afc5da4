/**
 * Ends the compiler that a process started from sources has beside it: a thread, and an esbuild process of 16 MB that wakes every second.
 * A module that is loaded later starts it again. Processes of compiled sources have none.
 */

interface Compiler {
  readonly stop: () => Promise<void>;
}

const compilerModule = /[\\/]node_modules[\\/]esbuild[\\/]lib[\\/]main\.js$/;

export const releaseCompiler = (): void => {
  const loaded = Object.keys(require.cache).find((path) => compilerModule.test(path));
  const compiler = loaded === undefined ? undefined : (require.cache[loaded]?.exports as Compiler | undefined);
  void compiler?.stop();
};
